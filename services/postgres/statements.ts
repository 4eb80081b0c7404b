/** What is known of a statement by its text alone, worked out once a text. */

export interface Statement {
  readonly text: string
  /** Under which it is prepared on each connection; empty while it is not. */
  name: string
  /** It begins with `select`: what it did need not be undone. */
  readonly isRead: boolean
}

/** A server process keeps the plan of each prepared statement: texts that are built anew each time must not pile up. */
const MAX_PREPARED_STATEMENTS = 500
const MAX_CACHED_STATEMENTS = 2000

const LEADING_COMMENTS = String.raw`^(?:\s|--[^\n]*(?:\n|$)|/\*(?:[^*]|\*(?!/))*\*/)*`
const CONTROL = new RegExp(
  `${LEADING_COMMENTS}(begin|start\\s+transaction|commit|end|rollback|abort|savepoint|release|prepare\\s+transaction` +
    `|(?:re)?set\\s+(?:(?:session|local)\\s+)?(?:role|session\\s+authorization)|discard)\\b`,
  'i',
)
const READS = new RegExp(`${LEADING_COMMENTS}select\\b`, 'i')

const cache = new Map<string, Statement>()
let preparedCount = 0

/**
 * The statement of a text. It is prepared from its second use on.
 * @throws Error for transaction control and role changes: those are the unit's.
 */
export function cachedStatement(text: string): Statement {
  const found = cache.get(text)
  if (found) {
    if (!found.name && preparedCount < MAX_PREPARED_STATEMENTS) found.name = nextName()
    return found
  }
  const [, control] = CONTROL.exec(text) ?? []
  if (control)
    throw new Error(
      `a unit of work begins, ends and enters its tenant by itself: it takes no '${control.toLowerCase()}'`,
    )
  if (cache.size >= MAX_CACHED_STATEMENTS) evictUnprepared()
  const made = { text, name: '', isRead: READS.test(text) }
  cache.set(text, made)
  return made
}

/** A statement of the kernel's own, control included; prepared at once. */
export const internalStatement = (text: string): Statement => ({ text, name: nextName(), isRead: true })

const nextName = (): string => `larder_${++preparedCount}`

function evictUnprepared(): void {
  for (const [text, { name }] of cache) if (!name) cache.delete(text)
}
