/** Properties of a statement that follow from its text, computed once per text. */

export interface Statement {
  readonly text: string
  /** Name of the prepared statement; empty until it is prepared. */
  name: string
  /** Starts with `select`, so it has nothing to roll back. */
  readonly isRead: boolean
  /** Short, so that it may wait for others like it. */
  readonly isPipelined: boolean
}

/** Each server process keeps all its plans, so generated statement texts must not accumulate. */
const MAX_PREPARED_STATEMENTS = 500
const MAX_CACHED_STATEMENTS = 2000

const LEADING_COMMENTS = String.raw`^(?:\s|--[^\n]*(?:\n|$)|/\*(?:[^*]|\*(?!/))*\*/)*`
const CONTROL = new RegExp(
  `${LEADING_COMMENTS}(begin|start\\s+transaction|commit|end|rollback|abort|savepoint|release|prepare\\s+transaction` +
    `|(?:re)?set\\s+(?:(?:session|local)\\s+)?(?:role|session\\s+authorization)|discard)\\b`,
  'i',
)
const READS = new RegExp(`${LEADING_COMMENTS}select\\b`, 'i')

/** See `Step`. */
const UNPREPARED_MARK = '/* unprepared */'
const PIPELINED_MARK = '/* pipelined */'

const cache = new Map<string, Statement>()
let preparedCount = 0

/**
 * Returns the statement for a text. It is prepared from its second use on, unless it begins with `UNPREPARED_MARK`.
 * @throws Error for transaction control and role changes, which only the unit of work may execute.
 */
export function cachedStatement(text: string): Statement {
  if (text.startsWith(UNPREPARED_MARK)) return uncachedStatement(text)
  const found = cache.get(text)
  if (found) {
    if (!found.name && preparedCount < MAX_PREPARED_STATEMENTS) found.name = nextName()
    return found
  }
  if (cache.size >= MAX_CACHED_STATEMENTS) evictUnprepared()
  const made = uncachedStatement(text)
  cache.set(text, made)
  return made
}

/** A statement that is never prepared: for texts that contain values. Throws like `cachedStatement`. */
export function uncachedStatement(text: string): Statement {
  const [, control] = CONTROL.exec(text) ?? []
  if (control)
    throw new Error(`'${control.toLowerCase()}' is not allowed: the unit of work controls its transaction and its role`)
  const isRead = READS.test(text)
  return { text, name: '', isRead, isPipelined: text.startsWith(PIPELINED_MARK) }
}

/** A statement of this service; may be transaction control. Prepared at its first use. */
export const internalStatement = (text: string): Statement => ({
  text,
  name: nextName(),
  isRead: true,
  isPipelined: false,
})

const nextName = (): string => `larder_${++preparedCount}`

function evictUnprepared(): void {
  for (const [text, { name }] of cache) if (!name) cache.delete(text)
}
