/** Entries that admins add to the suppression list. */
import { type Deps, newId, statement } from '@larder-dev/larder/kernel'
import { emailKey } from '@larder-dev/larder/kernel/internal'
import { type Suppression, suppressionTable } from '../records/suppression.ts'

export type NewSuppression = Pick<Suppression, 'email' | 'category' | 'reason' | 'expiresAt'>

export interface SuppressionAdmin {
  /** Adds an entry, or replaces reason and expiry of the entry with the same address and category. */
  add(tenantId: string, entry: NewSuppression): Promise<{ entry: Suppression; created: boolean }>
  /** Adds or replaces entries in one statement. Of two with the same address and category, the last one counts. */
  addAll(tenantId: string, entries: readonly NewSuppression[]): Promise<{ created: number; updated: number }>
}

export function createSuppressionAdmin({ database, clock }: Deps<'database' | 'clock'>): SuppressionAdmin {
  return {
    async add(tenantId, { email, category, reason, expiresAt }) {
      const id = newId('sup', clock.now())
      const at = new Date(clock.now())
      const values = { email: emailKey(email), category, reason, expiresAt, createdAt: at, updatedAt: at }
      const step = suppressionTable.insertStep({ id, tenantId, ...values }, OR_REPLACE)
      const [entry] = await suppressionTable.query(database.tenant(tenantId), ...step)
      return { entry: entry as Suppression, created: entry?.id === id }
    },

    async addAll(tenantId, entries) {
      const unique = new Map(entries.map(entry => [`${emailKey(entry.email)} ${entry.category}`, entry]))
      const rows = [...unique.values()]
      const { rows: written } = await database.tenant(tenantId).query<{ created: boolean }>(
        ...ADD_ALL({
          tenantId,
          ids: rows.map(() => newId('sup', clock.now())),
          emails: rows.map(({ email }) => emailKey(email)),
          categories: rows.map(({ category }) => category),
          reasons: rows.map(({ reason }) => reason),
          expiryTimes: rows.map(({ expiresAt }) => expiresAt?.toISOString() ?? null),
          now: new Date(clock.now()),
        }),
      )
      const created = written.filter(row => row.created).length
      return { created, updated: written.length - created }
    },
  }
}

const ADD_ALL = statement(
  `insert into comms_suppression (id, tenant_id, email, category, reason, expires_at, created_at, updated_at)
   select id, $tenantId, email, category, reason, expires_at, $now, $now
   from unnest($ids::text[], $emails::text[], $categories::text[], $reasons::text[], $expiryTimes::timestamptz[])
     as entry (id, email, category, reason, expires_at)
   on conflict (tenant_id, email, category) do update
     set reason = excluded.reason, expires_at = excluded.expires_at, updated_at = excluded.updated_at
   returning xmax = 0 as created`,
)
const OR_REPLACE = `on conflict (tenant_id, email, category) do update
  set reason = excluded.reason, expires_at = excluded.expires_at, updated_at = excluded.updated_at
  returning ${suppressionTable.columns()}`
