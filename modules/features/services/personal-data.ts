/** The data that the module keeps about a person, for the export of their account. */
import type { Deps, Registrations } from '@larder-dev/larder/kernel'

export const personalData =
  ({ database }: Deps<'database'>): Registrations['personalData'] =>
  async ({ tenantId, userId, limit }) => {
    const { rows } = await database.tenant(tenantId).query<object>(
      `select f.key, r.revision, r.definition, r.changed_at as "changedAt"
       from features_revisions r join features_flags f on f.id = r.flag_id
       where r.changed_by = $1 order by r.changed_at desc limit $2`,
      [userId, limit],
    )
    return { flagChanges: rows }
  }
