/** The append-only log of what changed who may do what. */
import {
  type Actor,
  type Caller,
  type Deps,
  decodeCursor,
  newId,
  type PageOf,
  pageLimit,
  toPage,
  type Unit,
} from 'larder/kernel'
import { iso, timeAt } from '../domain/time.ts'
import type { AuditEntry } from '../schemas.ts'

export interface By extends Actor {
  readonly userId: string | null
}
export const byCaller = (caller: Pick<Caller, 'kind' | 'principalId' | 'userId'>): By => ({
  kind: caller.kind,
  id: caller.principalId,
  userId: caller.userId,
})
export const BY_SYSTEM: By = { kind: 'system', id: 'identity', userId: null }

export interface NewEntry {
  /** The operator's where it is about a person alone. */
  readonly tenantId: string
  readonly action: string
  readonly by: By
  readonly subject: string
  readonly details?: Readonly<Record<string, unknown>>
}
export interface AuditQuery {
  readonly limit?: number
  readonly cursor?: string
  readonly 'filter[action]'?: string
  readonly 'filter[userId]'?: string
}
export interface LoggedEntry extends AuditEntry {
  readonly tenantId: string
}
interface Row {
  tenant_id: string
  id: string
  action: string
  actor: AuditEntry['actor']
  subject: string | null
  details: AuditEntry['details']
  created_at: Date
}

export function createAudit({ database, clock }: Deps<'database' | 'clock'>) {
  return {
    /** Written into the unit of the change itself. */
    async record(unit: Unit, { tenantId, action, by, subject, details = {} }: NewEntry): Promise<void> {
      const { kind, id, userId } = by
      await unit.query(
        `insert into identity_audit (tenant_id, id, action, actor, subject, details, created_at)
         values ($1, $2, $3, $4, $5, $6, $7)`,
        [
          tenantId,
          newId('aud'),
          action,
          JSON.stringify({ kind, id, userId }),
          subject,
          JSON.stringify(details),
          timeAt(clock),
        ],
      )
    },
    /** Newest first; of every tenant where that is null. */
    async list(tenantId: string | null, query: AuditQuery): Promise<PageOf<LoggedEntry>> {
      const [before = null] = decodeCursor(query.cursor, 1) ?? []
      const limit = pageLimit(query)
      const unit =
        tenantId === null ? database.system('an admin reads the log of every tenant') : database.tenant(tenantId)
      const { rows } = await unit.query<Row>(
        `select tenant_id, id, action, actor, subject, details, created_at from identity_audit
         where ${tenantId === null ? '$1::text is null' : 'tenant_id = $1'} and ($2::text is null or id < $2)
           and ($3::text is null or action = $3) and ($4::text is null or actor->>'userId' = $4)
         order by id desc limit $5`,
        [tenantId, before, query['filter[action]'] ?? null, query['filter[userId]'] ?? null, limit + 1],
      )
      const { data, nextCursor } = toPage(rows, limit, row => [row.id])
      return { data: data.map(toEntry), nextCursor }
    },
  }
}

const toEntry = ({ tenant_id, created_at, ...entry }: Row): LoggedEntry => ({
  ...entry,
  tenantId: tenant_id,
  createdAt: iso(created_at),
})
export type Audit = ReturnType<typeof createAudit>
