/** The suppression list as admins read and change it. */
import { common, type Deps, emailKey, newId, type PageOf } from 'larder/kernel'

import { suppressionModel } from '../models.ts'
import type { Suppression } from './suppression-list.ts'

export type NewSuppression = Pick<Suppression, 'email' | 'category' | 'reason' | 'expiresAt'>

export interface SuppressionQuery {
  readonly limit?: number | undefined
  readonly cursor?: string | undefined
  readonly email?: string | undefined
}

export interface SuppressionAdmin {
  /** Entries in effect, newest first. */
  list(tenantId: string, query: SuppressionQuery): Promise<PageOf<Suppression>>
  /** Throws `not_found`. */
  find(tenantId: string, id: string): Promise<Suppression>
  /** Adds an entry, or replaces reason and expiry of the entry with the same address and category. */
  add(tenantId: string, entry: NewSuppression): Promise<{ entry: Suppression; created: boolean }>
  /** Adds or replaces entries in one statement. Of two with the same address and category, the last one counts. */
  addAll(tenantId: string, entries: readonly NewSuppression[]): Promise<{ created: number; updated: number }>
  /** Throws `not_found`. */
  remove(id: string): Promise<void>
}

export function createSuppressionAdmin({
  database,
  models,
  clock,
}: Deps<'database' | 'models' | 'clock'>): SuppressionAdmin {
  const model = suppressionModel(models)
  const notFound = () => common.not_found({ what: 'suppression' })
  return {
    list: (tenantId, { email, ...query }) =>
      models.page(database.tenant(tenantId), model, {
        ...query,
        where: ({ gt, or }) => ({
          email: email === undefined ? undefined : emailKey(email),
          expiresAt: { [or]: [null, { [gt]: new Date(clock.now()) }] },
        }),
      }),

    async find(tenantId, id) {
      const entry = await models.find(database.tenant(tenantId), model, { id })
      if (!entry) throw notFound()
      return entry
    },

    async add(tenantId, { email, category, reason, expiresAt }) {
      const Entries = await model()
      const id = newId('sup', clock.now())
      const at = new Date(clock.now())
      const values = { email: emailKey(email), category, reason, expiresAt, createdAt: at, updatedAt: at }
      const [row] = await Entries.upsert(
        { id, tenant_id: tenantId, ...values },
        { conflictFields: ['tenant_id', 'email', 'category'], fields: ['reason', 'expiresAt', 'updatedAt'] },
      )
      const entry = row.get({ plain: true })
      return { entry, created: entry.id === id }
    },

    async addAll(tenantId, entries) {
      const unique = new Map(entries.map(entry => [`${emailKey(entry.email)} ${entry.category}`, entry]))
      const rows = [...unique.values()]
      const { rows: written } = await database.tenant(tenantId).query<{ created: boolean }>(
        `insert into comms_suppression (id, tenant_id, email, category, reason, expires_at, created_at, updated_at)
         select id, $1, email, category, reason, expires_at, $7, $7
         from unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::timestamptz[])
           as entry (id, email, category, reason, expires_at)
         on conflict (tenant_id, email, category) do update
           set reason = excluded.reason, expires_at = excluded.expires_at, updated_at = excluded.updated_at
         returning xmax = 0 as created`,
        [
          tenantId,
          rows.map(() => newId('sup', clock.now())),
          rows.map(({ email }) => emailKey(email)),
          rows.map(({ category }) => category),
          rows.map(({ reason }) => reason),
          rows.map(({ expiresAt }) => expiresAt?.toISOString() ?? null),
          new Date(clock.now()),
        ],
      )
      const created = written.filter(row => row.created).length
      return { created, updated: written.length - created }
    },

    async remove(id) {
      const Entries = await model()
      if ((await Entries.destroy({ where: { id } })) === 0) throw notFound()
    },
  }
}
