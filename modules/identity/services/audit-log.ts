/** The append-only log of changes to members, roles, API keys and logins. */
import { type Actor, type Caller, type Deps, decodeCursor, newId, pageLimit, toPage, type Unit } from 'larder/kernel'
import { iso, timeAt } from '../domain/time.ts'
import type { AuditLog, AuditRecord } from '../ports.ts'

export interface AuditActor extends Actor {
  readonly userId: string | null
}
export const actorOf = (caller: Pick<Caller, 'kind' | 'principalId' | 'userId'>): AuditActor => ({
  kind: caller.kind,
  id: caller.principalId,
  userId: caller.userId,
})
export const SYSTEM_ACTOR: AuditActor = { kind: 'system', id: 'identity', userId: null }

export interface NewAuditEntry {
  /** The operator's tenant for entries that concern a user only. */
  readonly tenantId: string
  readonly action: string
  readonly actor: AuditActor
  readonly subject: string
  readonly details?: Readonly<Record<string, unknown>>
}
export interface AuditRecorder extends AuditLog {
  /** Writes the entry into the unit of work of the change itself. */
  record(unit: Unit, entry: NewAuditEntry): Promise<void>
}
interface Row {
  tenant_id: string
  id: string
  action: string
  actor: AuditRecord['actor']
  subject: string | null
  details: AuditRecord['details']
  created_at: Date
}

export function createAuditLog({
  database,
  systemDatabase,
  clock,
}: Deps<'database' | 'systemDatabase' | 'clock'>): AuditRecorder {
  return {
    async record(unit, { tenantId, action, actor, subject, details = {} }) {
      const { kind, id, userId } = actor
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
    async list(tenantId, query) {
      const [before = null] = decodeCursor(query.cursor, 1) ?? []
      const limit = pageLimit(query)
      const unit =
        tenantId === null
          ? systemDatabase.acrossTenants('an operator reads the audit log of every tenant')
          : database.tenant(tenantId)
      const { rows } = await unit.query<Row>(
        `select tenant_id, id, action, actor, subject, details, created_at from identity_audit
         where ${tenantId === null ? '$1::text is null' : 'tenant_id = $1'} and ($2::text is null or id < $2)
           and ($3::text is null or action = $3) and ($4::text is null or actor->>'userId' = $4)
         order by id desc limit $5`,
        [tenantId, before, query['filter[action]'] ?? null, query['filter[userId]'] ?? null, limit + 1],
      )
      const { data, nextCursor } = toPage(rows, limit, row => [row.id])
      return { data: data.map(toRecord), nextCursor }
    },
  }
}

/** Removes names and email addresses from the entries of a deleted tenant. The entries themselves are retained. */
export async function redactAuditLog({ systemDatabase }: Deps<'systemDatabase'>, tenantId: string): Promise<void> {
  await systemDatabase
    .acrossTenants('personal data of a deleted tenant is removed from its audit log')
    .query('select identity_audit_redact($1)', [tenantId])
}

const toRecord = ({ tenant_id, created_at, ...entry }: Row): AuditRecord => ({
  ...entry,
  tenantId: tenant_id,
  createdAt: iso(created_at),
})
