import { type Condition, type Deps, escapeLike, foldedContaining, type PageOf } from '@larder-dev/larder/kernel'
import { COUNTED_STATUSES, type Status } from '../domain/status.ts'
import type { MediaItems, MediaReference } from '../ports.ts'
import { problems } from '../problems.ts'
import { type Folder, type Item, type ItemRow, itemTable, toItem } from '../records/item.ts'

export interface ItemQuery {
  readonly ids?: readonly string[] | undefined
  readonly limit?: number | undefined
  readonly cursor?: string | undefined
  readonly oldestFirst?: boolean
  readonly status?: Status | undefined
  /** A type, or `image/*`. */
  readonly mimeType?: string | undefined
  /** Part of the file name, in any case and without accents. */
  readonly search?: string | undefined
  /** The files of this folder, without those of its subfolders. */
  readonly folder?: string | undefined
  /** The files of this folder and of its subfolders. */
  readonly within?: string | undefined
}
export interface ItemRepository extends Pick<MediaItems, 'ready'> {
  /** Newest first by default. */
  list(tenantId: string, query: ItemQuery): Promise<PageOf<Item>>
  /** Throws `not_found`. */
  get(tenantId: string, id: string): Promise<ItemRow>
  /** The folders directly in a folder, by name. */
  folders(tenantId: string, parent: string): Promise<Folder[]>
}

/** Bytes that count against the tenant's quota. */
export async function countedBytes({ database }: Deps<'database'>, tenantId: string): Promise<number> {
  const statuses = COUNTED_STATUSES.map(status => `'${status}'`).join(', ')
  const { rows } = await database
    .tenant(tenantId)
    .query<{ bytes: number }>(
      `select coalesce(sum(size), 0)::float8 as bytes from media_items where tenant_id = $1 and status in (${statuses})`,
      [tenantId],
    )
  return rows[0]?.bytes ?? 0
}

/** Upper bound of one list of folders. */
const MAX_FOLDERS = 1000

export function createItemRepository({ database }: Deps<'database'>): ItemRepository {
  return {
    async list(tenantId, { ids, status, mimeType, search, folder, within, oldestFirst, ...query }) {
      const types = mimeType?.endsWith('/*') ? `${escapeLike(mimeType.slice(0, -1))}%` : undefined
      const and: Condition[] = [
        // A plan for any status would read all files to find a few: most are ready.
        ...(status === undefined ? [] : [[`status = '${status}'`] as const]),
        ...(within ? [['folder = $1 or folder like $2', [within, `${escapeLike(within)}/%`]] as const] : []),
        ...(types === undefined ? [] : [['mime_type like $1', [types]] as const]),
        ...(search === undefined ? [] : [['larder_folded(file_name) like $1', [foldedContaining(search)]] as const]),
      ]
      const { data, nextCursor } = await itemTable.page(database.tenant(tenantId), {
        ...query,
        where: {
          id: ids,
          folder: within ? undefined : folder,
          mimeType: types === undefined ? mimeType : undefined,
        },
        and,
        ascending: oldestFirst,
      })
      return { data: data.map(toItem), nextCursor }
    },

    get: (tenantId, id) => itemTable.get(database.tenant(tenantId), { id }),

    async folders(tenantId, parent) {
      const prefix = parent === '' ? '' : `${parent}/`
      const { rows } = await database.tenant(tenantId).query<Omit<Folder, 'path'>>(
        `select split_part(substr(folder, length($2) + 1), '/', 1) as name, count(*)::int as files
         from media_items where tenant_id = $1 and folder like $3 and folder <> ''
         group by 1 order by split_part(substr(folder, length($2) + 1), '/', 1) collate larder_names limit ${MAX_FOLDERS}`,
        [tenantId, prefix, `${escapeLike(prefix)}%`],
      )
      return rows.map(({ name, files }) => ({ path: `${prefix}${name}`, name, files }))
    },

    async ready(tenantId, ids, uploadedBy) {
      const wanted = { id: [...new Set(ids)], status: 'ready' as const, ...(uploadedBy && { createdBy: uploadedBy }) }
      const rows = await itemTable.findMany(database.tenant(tenantId), wanted)
      const found = new Map(rows.map(({ id, fileName, mimeType, size }) => [id, { id, fileName, mimeType, size }]))
      const missing = ids.filter(id => !found.has(id))
      if (missing.length > 0) throw problems.unknown_media({}, { mediaIds: missing })
      return ids.map(id => found.get(id) as MediaReference)
    },
  }
}
