/** What is known of a statement by its text alone, worked out once a text. */

export interface Statement {
  readonly text: string
  /** Under which it is prepared on each connection; empty while it is not. */
  name: string
  /** It begins with `select`: what it did need not be undone. */
  readonly reads: boolean
}

/** A server process keeps the plan of each prepared statement: texts that are built anew each time must not pile up. */
const MOST_PREPARED = 500
const MOST_KNOWN = 2000

const LEAD = String.raw`^(?:\s|--[^\n]*(?:\n|$)|/\*(?:[^*]|\*(?!/))*\*/)*`
const CONTROL = new RegExp(
  `${LEAD}(begin|start\\s+transaction|commit|end|rollback|abort|savepoint|release|prepare\\s+transaction` +
    `|(?:re)?set\\s+(?:(?:session|local)\\s+)?(?:role|session\\s+authorization)|discard)\\b`,
  'i',
)
const READS = new RegExp(`${LEAD}select\\b`, 'i')

const known = new Map<string, Statement>()
let prepared = 0

/**
 * The statement of a text. It is prepared from its second use on.
 * @throws Error for transaction control and role changes: those are the unit's.
 */
export function statement(text: string): Statement {
  const found = known.get(text)
  if (found) {
    if (!found.name && prepared < MOST_PREPARED) found.name = nextName()
    return found
  }
  const [, control] = CONTROL.exec(text) ?? []
  if (control)
    throw new Error(
      `a unit of work begins, ends and enters its tenant by itself: it takes no '${control.toLowerCase()}'`,
    )
  if (known.size >= MOST_KNOWN) forgetUnprepared()
  const made = { text, name: '', reads: READS.test(text) }
  known.set(text, made)
  return made
}

/** A statement of the kernel's own, control included; prepared at once. */
export const ownStatement = (text: string): Statement => ({ text, name: nextName(), reads: true })

const nextName = (): string => `larder_${++prepared}`

function forgetUnprepared(): void {
  for (const [text, { name }] of known) if (!name) known.delete(text)
}
