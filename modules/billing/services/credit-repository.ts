/** Database rows of the credit ledger. Their rules are in domain/credit-ledger.ts. */
import { type Deps, lockStep, type Step, type Unit } from '@larder-dev/larder/kernel'
import type { Actor } from '@larder-dev/larder/kernel/internal'
import { toDate, toMs } from '../domain/calendar.ts'
import type { Account, Entry } from '../domain/credit-ledger.ts'
import { type Subject, subjectId } from '../domain/subject.ts'
import { entryTable, type LedgerEntry, lotTable } from '../records.ts'

export interface EntryDetails {
  readonly reason: string
  readonly reference: string | null
  /** Key of the cause: at most one entry is written per source. */
  readonly source: string | null
  readonly actor: Actor
}
export interface EntryTarget {
  readonly subject: Subject
  readonly key: string
  readonly details: EntryDetails
}
export interface LockedAccount {
  readonly account: Account
  /** The entry that exists for the same source. */
  readonly existing: LedgerEntry | undefined
}
export interface RefundState {
  /** The amount that was refunded before. */
  readonly refunded: number
  /** Expiries of the grants that the consumption was allocated to. */
  readonly expiries: readonly (number | null)[]
}
export interface CreditRepository {
  /** Locks the account until the unit ends. */
  lockAccount(unit: Unit, target: EntryTarget): Promise<LockedAccount>
  insertEntry(unit: Unit, target: EntryTarget, entry: Entry): Promise<LedgerEntry>
  findEntry(unit: Unit, subject: Subject, id: string): Promise<LedgerEntry | undefined>
  refundState(unit: Unit, tenantId: string, entryId: string): Promise<RefundState>
}

export const createCreditRepository = ({ clock }: Deps<'clock'>): CreditRepository => ({
  // One batch: each statement sees what the previous holder of the lock committed.
  async lockAccount(unit, { subject, key, details }) {
    const { tenantId, memberId } = subject
    const { last, lots, found } = await unit.all({
      lock: lockStep('billing', subjectId(subject), key),
      last: [
        `select balance_after as balance from billing_credit_entries where tenant_id = $1 and member_id = $2 and key = $3
         order by seq desc limit 1`,
        [tenantId, memberId, key],
      ],
      lots: [
        `select ${lotTable.columns()} from billing_credit_lots
         where tenant_id = $1 and member_id = $2 and key = $3 and remaining > 0`,
        [tenantId, memberId, key],
      ],
      found: [
        `select ${entryTable.columns()} from billing_credit_entries where tenant_id = $1 and member_id = $2 and source = $3`,
        [tenantId, memberId, details.source],
      ],
    })
    const [newest] = last.rows as { balance: string }[]
    const [existing] = entryTable.records(found.rows)
    const stored = lotTable.records(lots.rows).map(lot => ({ ...lot, expiresAt: toMs(lot.expiresAt) }))
    return { account: { balance: Number(newest?.balance ?? 0), lots: stored }, existing }
  },

  async insertEntry(unit, target, entry) {
    const { id, kind, amount, before, after } = entry
    const { subject, key, details } = target
    const values = {
      ...details,
      ...whereOf(subject),
      id,
      key,
      kind,
      amount,
      balanceBefore: before,
      balanceAfter: after,
      expiresAt: toDate(entry.expiresAt),
      createdAt: new Date(clock.now()),
    }
    await unit.defer([entryTable.insertStep(values), ...updateLotsSteps(target, entry)])
    return entryTable.record(values)
  },

  findEntry: (unit, subject, id) => entryTable.find(unit, { ...whereOf(subject), id }),

  async refundState(unit, tenantId, entryId) {
    const { rows } = await unit.query<{ refunded: string; expiries: (string | null)[] }>(
      `select (select coalesce(sum(amount), 0) from billing_credit_entries
               where tenant_id = $1 and kind = 'refund' and reference = $2) as refunded,
         (select jsonb_agg(g.expires_at)
          from billing_credit_allocations a join billing_credit_entries g on g.id = a.grant_id
          where a.tenant_id = $1 and a.entry_id = $2) as expiries`,
      [tenantId, entryId],
    )
    const { refunded, expiries } = rows[0] as { refunded: string; expiries: (string | null)[] }
    return { refunded: Number(refunded), expiries: expiries.map(at => (at === null ? null : Date.parse(at))) }
  },
})

const whereOf = ({ tenantId, memberId }: Subject) => ({ tenantId, memberId })

/** An addition creates a lot. A deduction stores its allocations and reduces the lots. */
function updateLotsSteps({ subject, key }: EntryTarget, { id, amount, allocations, expiresAt }: Entry): Step[] {
  if (amount > 0)
    return [
      lotTable.insertStep({ ...whereOf(subject), grantId: id, key, remaining: amount, expiresAt: toDate(expiresAt) }),
    ]
  const values = [allocations.map(({ grantId }) => grantId), allocations.map(allocation => allocation.amount)]
  return [
    [
      `insert into billing_credit_allocations (tenant_id, entry_id, grant_id, amount)
       select $1, $2, grant_id, amount from unnest($3::text[], $4::bigint[]) as a (grant_id, amount)`,
      [subject.tenantId, id, ...values],
    ],
    [
      `update billing_credit_lots l set remaining = l.remaining - a.amount
       from unnest($2::text[], $3::bigint[]) as a (grant_id, amount) where l.tenant_id = $1 and l.grant_id = a.grant_id`,
      [subject.tenantId, ...values],
    ],
  ]
}
