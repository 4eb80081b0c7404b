/** Credits as they are shown: balances, and the ledger. */
import { type CursorValue, common, type Deps, decodeCursor, type PageOf, pageLimit, toPage } from 'larder/kernel'
import type { EntryKind } from '../domain/credit-ledger.ts'
import type { LedgerEntry } from '../schemas.ts'
import { ENTRY_COLUMNS, type EntryRow, toEntry } from './credit-repository.ts'
import type { Catalogue } from './plan-catalog.ts'
import type { Timekeeper } from './subscription-scheduler.ts'

export interface StatementQuery {
  readonly limit?: number
  readonly cursor?: string
  readonly 'filter[key]'?: string
  readonly 'filter[kind]'?: EntryKind
}
export interface Balance {
  readonly key: string
  readonly name: string | null
  readonly unit: string | null
  readonly balance: number
  readonly nextExpiry: { readonly amount: number; readonly expiresAt: Date } | null
}

export function createStatement(
  { database, clock }: Deps<'database' | 'clock'>,
  { catalogue, timekeeper }: { catalogue: Catalogue; timekeeper: Timekeeper },
) {
  const kinds = [...catalogue.entitlements.values()].filter(({ kind }) => kind === 'credit')

  /** What has expired is written down before anything is shown: the ledger's sum is the balance. */
  async function lapse(tenantId: string): Promise<void> {
    const unit = database.tenant(tenantId)
    const { rowCount } = await unit.query(
      'select 1 from billing_credit_lots where tenant_id = $1 and remaining > 0 and expires_at <= $2 limit 1',
      [tenantId, new Date(clock.now())],
    )
    if (rowCount > 0) await unit.transaction(inside => timekeeper.expireCredits(inside, tenantId))
  }

  return {
    async balances(tenantId: string): Promise<Balance[]> {
      await lapse(tenantId)
      const { rows } = await database.tenant(tenantId).query<{ key: string; amount: string; expiresAt: Date | null }>(
        `select key, sum(remaining) as amount, expires_at as "expiresAt" from billing_credit_lots
         where tenant_id = $1 and remaining > 0 group by key, expires_at order by expires_at nulls last`,
        [tenantId],
      )
      return kinds.map(({ key, name, unit }) => {
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
    async entries(tenantId: string, query: StatementQuery): Promise<PageOf<LedgerEntry>> {
      const [before = null] = decodeCursor(query.cursor, 1) ?? []
      await lapse(tenantId)
      const limit = pageLimit(query)
      const { rows } = await database.tenant(tenantId).query<EntryRow & { seq: string }>(
        `select seq, ${ENTRY_COLUMNS} from billing_credit_entries
         where tenant_id = $1 and ($2::bigint is null or seq < $2) and ($3::text is null or key = $3)
           and ($4::text is null or kind = $4) order by seq desc limit $5`,
        [tenantId, seqOf(before), query['filter[key]'] ?? null, query['filter[kind]'] ?? null, limit + 1],
      )
      const { data, nextCursor } = toPage(rows, limit, row => [row.seq])
      return { data: data.map(({ seq: _, ...row }) => toEntry(row)), nextCursor }
    },
  }
}
/** A cursor that was made by hand is no number. */
function seqOf(value: CursorValue): string | null {
  if (value === null) return null
  if (!/^\d{1,18}$/.test(String(value))) throw common.invalid_cursor()
  return String(value)
}
export type Statement = ReturnType<typeof createStatement>
