/** Database rows of the credit ledger. Their rules are in domain/credit-ledger.ts. */
import type { Actor, Deps, Step, Unit } from 'larder/kernel'
import { toDate, toMs } from '../domain/calendar.ts'
import type { Account, Entry, EntryKind, Lot } from '../domain/credit-ledger.ts'

export interface LedgerEntry {
  readonly id: string
  readonly key: string
  readonly kind: EntryKind
  /** Negative for deductions. */
  readonly amount: number
  readonly balanceBefore: number
  readonly balanceAfter: number
  readonly reason: string
  readonly reference: string | null
  readonly expiresAt: Date | null
  readonly createdAt: Date
}
export interface EntryDetails {
  readonly reason: string
  readonly reference: string | null
  /** Key of the cause: at most one entry is written per source. */
  readonly source: string | null
  readonly actor: Actor
}
export interface EntryTarget {
  readonly tenantId: string
  readonly key: string
  readonly details: EntryDetails
}
export interface LockedAccount {
  readonly account: Account
  /** The entry that exists for the same source. */
  readonly existing: LedgerEntry | undefined
}
export interface EntryRow extends Omit<LedgerEntry, 'amount' | 'balanceBefore' | 'balanceAfter'> {
  readonly amount: string
  readonly balanceBefore: string
  readonly balanceAfter: string
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
  findEntry(unit: Unit, tenantId: string, id: string): Promise<LedgerEntry | undefined>
  refundState(unit: Unit, tenantId: string, entryId: string): Promise<RefundState>
}

export const ENTRY_COLUMNS = `id, key, kind, amount, balance_before as "balanceBefore", balance_after as "balanceAfter", reason,
  reference, expires_at as "expiresAt", created_at as "createdAt"`
export const toEntry = (row: EntryRow): LedgerEntry => ({
  ...row,
  amount: Number(row.amount),
  balanceBefore: Number(row.balanceBefore),
  balanceAfter: Number(row.balanceAfter),
})

export const createCreditRepository = ({ clock }: Deps<'clock'>): CreditRepository => ({
  // One batch: each statement sees what the previous holder of the lock committed.
  async lockAccount(unit, { tenantId, key, details }) {
    const [, last, lots, existing] = (await unit.batch([
      ['select pg_advisory_xact_lock(hashtextextended($1, 0))', [`billing ${tenantId} ${key}`]],
      [
        `select balance_after as balance from billing_credit_entries where tenant_id = $1 and key = $2
         order by seq desc limit 1`,
        [tenantId, key],
      ],
      [
        `select grant_id as "grantId", remaining, expires_at as "expiresAt" from billing_credit_lots
         where tenant_id = $1 and key = $2 and remaining > 0`,
        [tenantId, key],
      ],
      [
        `select ${ENTRY_COLUMNS} from billing_credit_entries where tenant_id = $1 and source = $2`,
        [tenantId, details.source],
      ],
    ])) as unknown as [unknown, Rows<{ balance: string }>, Rows<LotRow>, Rows<EntryRow>]
    return {
      account: { balance: Number(last.rows[0]?.balance ?? 0), lots: lots.rows.map(toLot) },
      existing: existing.rows[0] && toEntry(existing.rows[0]),
    }
  },

  async insertEntry(unit, target, entry) {
    const { id, kind, amount, before, after } = entry
    const { reason, reference } = target.details
    const [createdAt, expiresAt] = [new Date(clock.now()), toDate(entry.expiresAt)]
    await unit.defer([insertEntryStep(target, entry, createdAt), ...updateLotsSteps(target, entry)])
    const balances = { balanceBefore: before, balanceAfter: after }
    return { id, key: target.key, kind, amount, ...balances, reason, reference, expiresAt, createdAt }
  },

  async findEntry(unit, tenantId, id) {
    const sql = `select ${ENTRY_COLUMNS} from billing_credit_entries where tenant_id = $1 and id = $2`
    const { rows } = await unit.query<EntryRow>(sql, [tenantId, id])
    return rows[0] && toEntry(rows[0])
  },

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

interface LotRow {
  readonly grantId: string
  readonly remaining: string
  readonly expiresAt: Date | null
}
interface Rows<Row> {
  readonly rows: readonly Row[]
}
const toLot = ({ grantId, remaining, expiresAt }: LotRow): Lot => ({
  grantId,
  remaining: Number(remaining),
  expiresAt: toMs(expiresAt),
})

function insertEntryStep({ tenantId, key, details }: EntryTarget, entry: Entry, at: Date): Step {
  return [
    `insert into billing_credit_entries (tenant_id, id, key, kind, amount, balance_before, balance_after, reason,
       reference, expires_at, source, actor, created_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)`,
    [
      tenantId,
      entry.id,
      key,
      entry.kind,
      entry.amount,
      entry.before,
      entry.after,
      details.reason,
      details.reference,
      toDate(entry.expiresAt),
      details.source,
      JSON.stringify(details.actor),
      at,
    ],
  ]
}

/** An addition creates a lot. A deduction stores its allocations and reduces the lots. */
function updateLotsSteps({ tenantId, key }: EntryTarget, { id, amount, allocations, expiresAt }: Entry): Step[] {
  if (amount > 0)
    return [
      [
        `insert into billing_credit_lots (tenant_id, grant_id, key, remaining, expires_at) values ($1, $2, $3, $4, $5)`,
        [tenantId, id, key, amount, toDate(expiresAt)],
      ],
    ]
  const values = [allocations.map(({ grantId }) => grantId), allocations.map(allocation => allocation.amount)]
  return [
    [
      `insert into billing_credit_allocations (tenant_id, entry_id, grant_id, amount)
       select $1, $2, grant_id, amount from unnest($3::text[], $4::bigint[]) as a (grant_id, amount)`,
      [tenantId, id, ...values],
    ],
    [
      `update billing_credit_lots l set remaining = l.remaining - a.amount
       from unnest($2::text[], $3::bigint[]) as a (grant_id, amount) where l.tenant_id = $1 and l.grant_id = a.grant_id`,
      [tenantId, ...values],
    ],
  ]
}
