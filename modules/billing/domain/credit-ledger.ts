/** Credits: entries that are only ever added, each draw linked to the grants it comes from. Pure. */

export type EntryKind = 'grant' | 'consume' | 'refund' | 'expire' | 'adjust'
export const ENTRY_KINDS = ['grant', 'consume', 'refund', 'expire', 'adjust'] as const satisfies readonly EntryKind[]

/** What is left of one grant. */
export interface Lot {
  readonly grantId: string
  readonly remaining: number
  /** Milliseconds since 1970; null: never. */
  readonly expiresAt: number | null
}
/** The lots of one key; the balance is always their sum, and the sum of all entries. */
export interface Account {
  readonly balance: number
  readonly lots: readonly Lot[]
}
export interface Draw {
  readonly grantId: string
  readonly amount: number
}
export interface Entry {
  readonly id: string
  readonly kind: EntryKind
  /** Below zero for what is drawn. */
  readonly amount: number
  readonly before: number
  readonly after: number
  readonly draws: readonly Draw[]
  readonly expiresAt: number | null
}
export interface Posted {
  readonly account: Account
  readonly entry: Entry
}

interface Addition {
  readonly id: string
  readonly kind: 'grant' | 'refund' | 'adjust'
  readonly amount: number
  readonly expiresAt: number | null
}

export function add({ balance, lots }: Account, { id, kind, amount, expiresAt }: Addition): Posted {
  const after = balance + amount
  return {
    account: { balance: after, lots: [...lots, { grantId: id, remaining: amount, expiresAt }] },
    entry: { id, kind, amount, before: balance, after, draws: [], expiresAt },
  }
}

/** Null where there is less than `amount`. */
export function take(
  account: Account,
  { id, kind, amount }: { id: string; kind: 'consume' | 'adjust'; amount: number },
): Posted | null {
  if (account.balance < amount) return null
  let left = amount
  const draws: Draw[] = []
  for (const { grantId, remaining } of [...account.lots].sort(earliestFirst)) {
    const drawn = Math.min(left, remaining)
    if (drawn > 0) draws.push({ grantId, amount: drawn })
    left -= drawn
  }
  return left > 0 ? null : drawn(account, { id, kind, draws })
}

/** One entry for each lot whose time is over. */
export function expire(account: Account, now: number, newId: () => string): { account: Account; entries: Entry[] } {
  let current = account
  const entries: Entry[] = []
  for (const { grantId, remaining, expiresAt } of [...account.lots].sort(earliestFirst)) {
    if (expiresAt === null || expiresAt > now || remaining === 0) continue
    const posted = drawn(current, { id: newId(), kind: 'expire', draws: [{ grantId, amount: remaining }] })
    current = posted.account
    entries.push(posted.entry)
  }
  return { account: current, entries }
}

function drawn(
  { balance, lots }: Account,
  { id, kind, draws }: { id: string; kind: EntryKind; draws: readonly Draw[] },
): Posted {
  const taken = new Map(draws.map(draw => [draw.grantId, draw.amount]))
  const amount = draws.reduce((sum, draw) => sum + draw.amount, 0)
  const left = lots.map(lot => ({ ...lot, remaining: lot.remaining - (taken.get(lot.grantId) ?? 0) }))
  return {
    account: { balance: balance - amount, lots: left.filter(({ remaining }) => remaining > 0) },
    entry: { id, kind, amount: -amount, before: balance, after: balance - amount, draws, expiresAt: null },
  }
}

/** What never expires comes last; of one time the older grant comes first, since ids rise. */
function earliestFirst(a: Lot, b: Lot): number {
  const [one, other] = [a, b].map(({ expiresAt }) => expiresAt ?? Number.POSITIVE_INFINITY) as [number, number]
  if (one !== other) return one < other ? -1 : 1
  return a.grantId < b.grantId ? -1 : 1
}

/** When what comes back from a draw is over: as the longest-lived of the grants that it came from. */
export const latest = (times: readonly (number | null)[]): number | null =>
  times.some(time => time === null) || times.length === 0 ? null : Math.max(...(times as number[]))
