/** Statements: their texts and names, and their values encoded for the protocol. */
import { hash } from 'node:crypto'
import type { Step } from '@larder-dev/larder/kernel'
import { type EncodedValue, encodeValues } from './values.ts'

/** Properties that follow from a text, computed once per text. */
export interface Statement {
  readonly text: string
  /** Name of the prepared statement: a hash of the text. Empty until it is prepared. */
  name: string
  /** Starts with `select`, so it has nothing to roll back. */
  readonly isRead: boolean
}

/** A statement with its values encoded for the protocol. */
export interface EncodedStatement {
  readonly statement: Statement
  readonly values: EncodedValue[]
}

/** Each server process keeps all its plans, so generated statement texts must not accumulate. */
const MAX_PREPARED_STATEMENTS = 500
const MAX_CACHED_STATEMENTS = 2000
/** PostgreSQL cuts names off after 63 bytes. */
const NAME_LENGTH = 40

const LEADING_COMMENTS = String.raw`^(?:\s|--[^\n]*(?:\n|$)|/\*(?:[^*]|\*(?!/))*\*/)*`
const CONTROL = new RegExp(
  `${LEADING_COMMENTS}(begin|start\\s+transaction|commit|end|rollback|abort|savepoint|release|prepare\\s+transaction` +
    `|(?:re)?set\\s+(?:(?:session|local)\\s+)?(?:role|session\\s+authorization)|discard)\\b`,
  'i',
)
const READS = new RegExp(`${LEADING_COMMENTS}select\\b`, 'i')

const cache = new Map<string, Statement>()
let preparedCount = 0

/** Throws for values that cannot be encoded and for transaction control, before anything is sent. */
export const encodeStatement = ([text, values = [], options]: Step): EncodedStatement => ({
  statement: options?.prepare === false ? unpreparedStatement(text) : cachedStatement(text),
  values: encodeValues(values),
})

/**
 * A statement that is prepared from its second use on.
 * @throws Error for transaction control and role changes, which only the unit of work may execute.
 */
function cachedStatement(text: string): Statement {
  const found = cache.get(text)
  if (found) {
    if (!found.name && preparedCount < MAX_PREPARED_STATEMENTS) {
      preparedCount++
      found.name = nameOf(text)
    }
    return found
  }
  if (cache.size >= MAX_CACHED_STATEMENTS) evictUnprepared()
  const made = unpreparedStatement(text)
  cache.set(text, made)
  return made
}

/** A statement whose text depends on a request. Throws like `cachedStatement`. */
function unpreparedStatement(text: string): Statement {
  const [, control] = CONTROL.exec(text) ?? []
  if (control)
    throw new Error(`'${control.toLowerCase()}' is not allowed: the unit of work controls its transaction and its role`)
  return { text, name: '', isRead: READS.test(text) }
}

const internal = new Map<string, Statement>()

/** A statement of this service, which has few texts. It may control the transaction, and is prepared at its first use. */
export function internalStatement(text: string, values: EncodedValue[] = []): EncodedStatement {
  const statement = internal.get(text) ?? { text, name: nameOf(text), isRead: true }
  internal.set(text, statement)
  return { statement, values }
}

/** Equal names mean equal statements in every process: a pooler may hand the connection of one process to another. */
const nameOf = (text: string): string => `larder_${hash('sha256', text, 'base64url')}`.slice(0, NAME_LENGTH)

function evictUnprepared(): void {
  for (const [text, { name }] of cache) if (!name) cache.delete(text)
}
