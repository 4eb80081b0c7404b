/** The credit ledger: append-only entries; each deduction is allocated to the grants that it comes from. */

export type EntryKind = 'grant' | 'consume' | 'refund' | 'expire' | 'adjust'
export const ENTRY_KINDS = ['grant', 'consume', 'refund', 'expire', 'adjust'] as const satisfies readonly EntryKind[]

/** The remaining credits of one grant. */
export interface Lot {
  readonly grantId: string
  readonly remaining: number
  /** Milliseconds since 1970; null: never expires. */
  readonly expiresAt: number | null
}
/** The lots of one key. The balance equals the sum of the lots and the sum of all entries. */
export interface Account {
  readonly balance: number
  readonly lots: readonly Lot[]
}
export interface Allocation {
  readonly grantId: string
  readonly amount: number
}
export interface Entry {
  readonly id: string
  readonly kind: EntryKind
  /** Negative for deductions. */
  readonly amount: number
  readonly before: number
  readonly after: number
  readonly allocations: readonly Allocation[]
  readonly expiresAt: number | null
}
export interface Posting {
  readonly account: Account
  readonly entry: Entry
}

interface Addition {
  readonly id: string
  readonly kind: 'grant' | 'refund' | 'adjust'
  readonly amount: number
  readonly expiresAt: number | null
}

export function addCredits({ balance, lots }: Account, { id, kind, amount, expiresAt }: Addition): Posting {
  const after = balance + amount
  return {
    account: { balance: after, lots: [...lots, { grantId: id, remaining: amount, expiresAt }] },
    entry: { id, kind, amount, before: balance, after, allocations: [], expiresAt },
  }
}

/** Null if the balance is less than `amount`. */
export function deductCredits(
  account: Account,
  { id, kind, amount }: { id: string; kind: 'consume' | 'adjust'; amount: number },
): Posting | null {
  if (account.balance < amount) return null
  let left = amount
  const allocations: Allocation[] = []
  for (const { grantId, remaining } of [...account.lots].sort(byExpiry)) {
    const allocated = Math.min(left, remaining)
    if (allocated > 0) allocations.push({ grantId, amount: allocated })
    left -= allocated
  }
  return left > 0 ? null : deduct(account, { id, kind, allocations })
}

/** Writes off every expired lot with one entry each. */
export function expireLots(account: Account, now: number, newId: () => string): { account: Account; entries: Entry[] } {
  let current = account
  const entries: Entry[] = []
  for (const { grantId, remaining, expiresAt } of [...account.lots].sort(byExpiry)) {
    if (expiresAt === null || expiresAt > now || remaining === 0) continue
    const posting = deduct(current, { id: newId(), kind: 'expire', allocations: [{ grantId, amount: remaining }] })
    current = posting.account
    entries.push(posting.entry)
  }
  return { account: current, entries }
}

function deduct(
  { balance, lots }: Account,
  { id, kind, allocations }: { id: string; kind: EntryKind; allocations: readonly Allocation[] },
): Posting {
  const allocated = new Map(allocations.map(({ grantId, amount }) => [grantId, amount]))
  const total = allocations.reduce((sum, { amount }) => sum + amount, 0)
  const left = lots.map(lot => ({ ...lot, remaining: lot.remaining - (allocated.get(lot.grantId) ?? 0) }))
  return {
    account: { balance: balance - total, lots: left.filter(({ remaining }) => remaining > 0) },
    entry: { id, kind, amount: -total, before: balance, after: balance - total, allocations, expiresAt: null },
  }
}

/** Earliest expiry first, then the older grant, since ids sort by time. Lots that never expire come last. */
function byExpiry(a: Lot, b: Lot): number {
  const [one, other] = [a, b].map(({ expiresAt }) => expiresAt ?? Number.POSITIVE_INFINITY) as [number, number]
  if (one !== other) return one < other ? -1 : 1
  return a.grantId < b.grantId ? -1 : 1
}

/** Expiry of a refund: that of the longest-lived grant that the credits came from. */
export const latestExpiry = (times: readonly (number | null)[]): number | null =>
  times.some(time => time === null) || times.length === 0 ? null : Math.max(...(times as number[]))
