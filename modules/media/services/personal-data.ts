/** The data that the module keeps about a person, for the export of their account. */
import type { Deps, Registrations } from '@larder-dev/larder/kernel'

export const personalData =
  ({ database }: Deps<'database'>): Registrations['personalData'] =>
  async ({ tenantId, userId, limit }) => {
    const { rows } = await database.tenant(tenantId).query<object>(
      `select id, file_name as "fileName", folder, mime_type as "mimeType", size::float8 as size, sha256, status,
         is_public as "isPublic", created_at as "createdAt"
       from media_items where created_by = $1 order by id desc limit $2`,
      [userId, limit],
    )
    return { files: rows }
  }
