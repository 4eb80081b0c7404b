/** The data that the module keeps about a person, for the export of their account. */
import type { Deps, Registrations } from '@larder-dev/larder/kernel'

export const personalData =
  ({ database }: Deps<'database'>): Registrations['personalData'] =>
  async ({ tenantId, userId, limit, maxBytes }) => {
    const { rows } = await database.tenant(tenantId).query<object>(
      `select "pageId", path, locale, number, title, body, "createdAt" from (
         select v.page_id as "pageId", p.path, p.locale, v.number, v.title, v.body, v.created_at as "createdAt",
           sum(octet_length(v.body)) over (order by v.created_at desc, v.page_id, v.number) as bytes
         from content_versions v join content_pages p on p.id = v.page_id
         where v.created_by = $1 order by v.created_at desc, v.page_id, v.number limit $2
       ) newest where bytes <= $3 order by "createdAt" desc, "pageId", number`,
      [userId, limit, maxBytes],
    )
    return { pageVersions: rows }
  }
