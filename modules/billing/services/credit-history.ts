/** Credit balances and the ledger, for readers. */
import {
  type CursorValue,
  common,
  type Deps,
  decodeCursor,
  type LocalText,
  type PageOf,
  pageLimit,
  type Result,
  together,
  toPage,
  type Unit,
} from '@larder-dev/larder/kernel'
import type { EntryKind } from '../domain/credit-ledger.ts'
import type { Subject } from '../domain/subject.ts'
import { entryTable, type LedgerEntry } from '../records.ts'
import type { PlanCatalog } from './plan-catalog.ts'
import type { SubscriptionScheduler } from './subscription-scheduler.ts'

export interface CreditHistoryQuery {
  readonly limit?: number
  readonly cursor?: string
  readonly key?: string
  readonly kind?: EntryKind
}
export interface Balance {
  readonly key: string
  readonly name: LocalText | null
  readonly unit: string | null
  readonly balance: number
  readonly nextExpiry: { readonly amount: number; readonly expiresAt: Date } | null
}
export interface CreditHistory {
  /** Balances of every credit that the recipe declares. */
  balances(subject: Subject): Promise<Balance[]>
  /** Ledger entries, newest first. */
  list(subject: Subject, query: CreditHistoryQuery): Promise<PageOf<LedgerEntry>>
}

type HistoryDeps = Deps<'database' | 'clock'> & {
  readonly catalog: PlanCatalog
  readonly scheduler: SubscriptionScheduler
}

export function createCreditHistory({ database, clock, catalog, scheduler }: HistoryDeps): CreditHistory {
  const credits = [...catalog.entitlements.values()].filter(({ kind }) => kind === 'credit')

  /** If credits have expired, writes them off and reads again, so that the entries add up to the balance. */
  async function afterExpiry<Row>(subject: Subject, read: (unit: Unit) => Promise<Result<Row>>): Promise<Result<Row>> {
    const { tenantId, memberId } = subject
    const unit = database.tenant(tenantId)
    const {
      expired: { rowCount },
      result,
    } = await together({
      expired: unit.query(
        `select 1 from billing_credit_lots
         where tenant_id = $1 and member_id = $2 and remaining > 0 and expires_at <= $3 limit 1`,
        [tenantId, memberId, new Date(clock.now())],
      ),
      result: read(unit),
    })
    if (rowCount === 0) return result
    await unit.transaction(inner => scheduler.expireCredits(inner, subject))
    return read(unit)
  }

  return {
    async balances(subject) {
      const { rows } = await afterExpiry(subject, unit =>
        unit.query<{ key: string; amount: string; expiresAt: Date | null }>(
          `select key, sum(remaining) as amount, expires_at as "expiresAt" from billing_credit_lots
           where tenant_id = $1 and member_id = $2 and remaining > 0
           group by key, expires_at order by expires_at nulls last`,
          [subject.tenantId, subject.memberId],
        ),
      )
      return credits.map(({ key, name, unit }) => {
        const lots = rows.filter(row => row.key === key)
        const first = lots.find(({ expiresAt }) => expiresAt !== null)
        return {
          key,
          name: name ?? null,
          unit: unit ?? null,
          balance: lots.reduce((sum, { amount }) => sum + Number(amount), 0),
          nextExpiry: first ? { amount: Number(first.amount), expiresAt: first.expiresAt as Date } : null,
        }
      })
    },
    async list(subject, query) {
      const [before = null] = decodeCursor(query.cursor, 1) ?? []
      const limit = pageLimit(query)
      const filters = [parseSeq(before), query.key ?? null, query.kind ?? null]
      const { rows } = await afterExpiry(subject, unit =>
        unit.query<{ seq: string }>(
          `select seq, ${entryTable.columns()} from billing_credit_entries
           where tenant_id = $1 and ($2::bigint is null or seq < $2) and ($3::text is null or key = $3)
             and ($4::text is null or kind = $4) and member_id = $6 order by seq desc limit $5`,
          [subject.tenantId, ...filters, limit + 1, subject.memberId],
        ),
      )
      const { data, nextCursor } = toPage(rows, limit, row => [row.seq])
      return { data: entryTable.records(data.map(({ seq: _, ...row }) => row)), nextCursor }
    },
  }
}

/** Cursors come from callers: PostgreSQL would fail on a value that isn't a bigint. */
function parseSeq(value: CursorValue): string | null {
  if (value === null) return null
  if (!/^\d{1,18}$/.test(String(value))) throw common.invalid_cursor()
  return String(value)
}
