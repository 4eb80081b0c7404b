import { common, type Deps, type PageOf, type Unit } from 'larder/kernel'
import { COUNTED_STATUSES, type Status } from '../domain/status.ts'
import { itemModel, type ListedItem } from '../models.ts'
import type { MediaItems, MediaReference } from '../ports.ts'
import { problems } from '../problems.ts'
import type { Folder, Item } from '../records/item.ts'

/** The item with its internal columns. */
export interface ItemRow extends Item {
  readonly closesAt: Date
  readonly claim: string | null
  readonly tries: number
}
export interface ItemQuery {
  readonly limit?: number | undefined
  readonly cursor?: string | undefined
  readonly oldestFirst?: boolean
  readonly status?: Status | undefined
  /** A type, or `image/*`. */
  readonly mimeType?: string | undefined
  /** Part of the file name, in any case. */
  readonly search?: string | undefined
  /** The files of this folder, without those of its subfolders. */
  readonly folder?: string | undefined
  /** The files of this folder and of its subfolders. */
  readonly within?: string | undefined
}
export interface NewItem {
  readonly id: string
  readonly fileName: string
  readonly folder: string
  readonly mimeType: string
  readonly size: number
  readonly sha256: string | null
  readonly closesAt: Date
  readonly createdBy: string | null
}
export interface ItemRepository extends MediaItems {
  /** Newest first by default. */
  list(tenantId: string, query: ItemQuery): Promise<PageOf<Item>>
  /** Throws `not_found`. */
  get(tenantId: string, id: string): Promise<ItemRow>
  /** The folders directly in a folder, by name. */
  folders(tenantId: string, parent: string): Promise<Folder[]>
}

const ITEM = `id, file_name as "fileName", folder, mime_type as "mimeType", size::float8 as size, sha256, status,
  case when hold is null then null else jsonb_build_object('reason', hold) end as hold, rejection, variants,
  width, height, is_public as "isPublic", created_by as "createdBy", created_at as "createdAt", updated_at as "updatedAt"`
/** The columns of `ItemRow`. */
export const ROW_COLUMNS = `${ITEM}, closes_at as "closesAt", claim, tries`

/** Locks the row until the transaction ends. Returns undefined for an unknown id. */
export async function lockItem(unit: Unit, id: string): Promise<ItemRow | undefined> {
  const { rows } = await unit.query<ItemRow>(`select ${ROW_COLUMNS} from media_items where id = $1 for update`, [id])
  return rows[0]
}

export async function insertItem(unit: Unit, tenantId: string, item: NewItem, now: Date): Promise<void> {
  const { id, fileName, folder, mimeType, size, sha256, closesAt, createdBy } = item
  await unit.defer([
    [
      `insert into media_items
         (tenant_id, id, file_name, mime_type, size, sha256, status, closes_at, created_by, created_at, updated_at, folder)
       values ($1, $2, $3, $4, $5, $6, 'pending', $7, $8, $9, $9, $10)`,
      [tenantId, id, fileName, mimeType, size, sha256, closesAt, createdBy, now, folder],
    ],
  ])
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

/** Removes the internal columns. */
export function toItem(row: ItemRow): Item {
  const { closesAt: _closesAt, claim: _claim, tries: _tries, ...item } = row
  return item
}

/** Of one list of folders. */
const MAX_FOLDERS = 1000

const escapeLike = (text: string): string => text.replace(/[\\%_]/g, '\\$&')

const fromListed = ({ size, hold, ...row }: ListedItem): Item => ({
  ...row,
  size: Number(size),
  hold: hold && { reason: hold },
})

export function createItemRepository({ database, models }: Deps<'database' | 'models'>): ItemRepository {
  const model = itemModel(models)
  return {
    async list(tenantId, { status, mimeType, search, folder, within, ...query }) {
      const { data, nextCursor } = await models.page(database.tenant(tenantId), model, {
        ...query,
        where: ({ eq, iLike, like, or }) => ({
          status,
          folder: within ? { [or]: [{ [eq]: within }, { [like]: `${escapeLike(within)}/%` }] } : folder,
          mimeType: mimeType?.endsWith('/*') ? { [like]: `${escapeLike(mimeType.slice(0, -1))}%` } : mimeType,
          fileName: search === undefined ? undefined : { [iLike]: `%${escapeLike(search)}%` },
        }),
      })
      return { data: data.map(fromListed), nextCursor }
    },

    async get(tenantId, id) {
      const { rows } = await database
        .tenant(tenantId)
        .query<ItemRow>(`select ${ROW_COLUMNS} from media_items where id = $1`, [id])
      if (!rows[0]) throw common.not_found({ what: 'media item' })
      return rows[0]
    },

    async folders(tenantId, parent) {
      const prefix = parent === '' ? '' : `${parent}/`
      const { rows } = await database.tenant(tenantId).query<Omit<Folder, 'path'>>(
        `select split_part(substr(folder, length($2) + 1), '/', 1) as name, count(*)::int as files
         from media_items where tenant_id = $1 and folder like $3 and folder <> ''
         group by 1 order by 1 limit ${MAX_FOLDERS}`,
        [tenantId, prefix, `${escapeLike(prefix)}%`],
      )
      return rows.map(({ name, files }) => ({ path: `${prefix}${name}`, name, files }))
    },

    async ready(tenantId, ids) {
      const { rows } = await database.tenant(tenantId).query<MediaReference>(
        `select id, file_name as "fileName", mime_type as "mimeType", size::float8 as size
           from media_items where id = any($1) and status = 'ready'`,
        [[...new Set(ids)]],
      )
      const found = new Map(rows.map(row => [row.id, row]))
      const missing = ids.filter(id => !found.has(id))
      if (missing.length > 0) throw problems.unknown_media({}, { mediaIds: missing })
      return ids.map(id => found.get(id) as MediaReference)
    },
  }
}
