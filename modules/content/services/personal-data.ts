/** What the module keeps about a person, for the export of their account. */
import type { Deps, Registrations } from 'larder/kernel'

export const personalData =
  ({ database }: Deps<'database'>): Registrations['personalData'] =>
  async ({ tenantId, userId, limit }) => {
    const { rows } = await database.tenant(tenantId).query<object>(
      `select v.page_id as "pageId", p.path, p.locale, v.number, v.title, v.body, v.created_at as "createdAt"
       from content_versions v join content_pages p on p.id = v.page_id
       where v.created_by = $1 order by v.created_at desc limit $2`,
      [userId, limit],
    )
    return { pageVersions: rows }
  }
