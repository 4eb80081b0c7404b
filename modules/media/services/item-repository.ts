/** Items in the database. */
import { common, type Deps, decodeCursor, type PageOf, pageLimit, toPage, type Unit } from 'larder/kernel'
import type { Status } from '../domain/status.ts'
import { COUNTED } from '../domain/status.ts'
import type { MediaReference } from '../ports.ts'
import { problems } from '../problems.ts'
import type { Item } from '../schemas.ts'

/** The item, and what its callers never see. */
export interface Row extends Item {
  readonly closesAt: Date
  readonly claim: string | null
  readonly tries: number
}
export interface ItemQuery {
  readonly limit?: number | undefined
  readonly cursor?: string | undefined
  readonly oldestFirst?: boolean
  readonly status?: Status | undefined
  readonly mimeType?: string | undefined
}
export interface NewRow {
  readonly id: string
  readonly fileName: string
  readonly mimeType: string
  readonly size: number
  readonly sha256: string | null
  readonly closesAt: Date
  readonly createdBy: string | null
}

const ITEM = `id, file_name as "fileName", mime_type as "mimeType", size::float8 as size, sha256, status,
  case when hold is null then null else jsonb_build_object('reason', hold) end as hold, rejection, variants,
  width, height, created_by as "createdBy", created_at as "createdAt", updated_at as "updatedAt"`
const ROW = `${ITEM}, closes_at as "closesAt", claim, tries`

/** The row, held until the unit ends; undefined where there is none. */
export async function lockRow(unit: Unit, id: string): Promise<Row | undefined> {
  const { rows } = await unit.query<Row>(`select ${ROW} from media_items where id = $1 for update`, [id])
  return rows[0]
}

export async function insertRow(unit: Unit, tenantId: string, row: NewRow, now: Date): Promise<void> {
  const { id, fileName, mimeType, size, sha256, closesAt, createdBy } = row
  await unit.query(
    `insert into media_items
       (tenant_id, id, file_name, mime_type, size, sha256, status, closes_at, created_by, created_at, updated_at)
     values ($1, $2, $3, $4, $5, $6, 'pending', $7, $8, $9, $9)`,
    [tenantId, id, fileName, mimeType, size, sha256, closesAt, createdBy, now],
  )
}

/** Bytes that count against the storage of a tenant. */
export async function countedBytes({ database }: Deps<'database'>, tenantId: string): Promise<number> {
  const words = COUNTED.map(status => `'${status}'`).join(', ')
  const { rows } = await database
    .tenant(tenantId)
    .query<{ bytes: number }>(
      `select coalesce(sum(size), 0)::float8 as bytes from media_items where tenant_id = $1 and status in (${words})`,
      [tenantId],
    )
  return rows[0]?.bytes ?? 0
}

/** What callers see of it. */
export function shown(row: Row): Item {
  const { closesAt: _closes, claim: _claim, tries: _tries, ...item } = row
  return item
}

export function createRows({ database }: Deps<'database'>) {
  async function list(tenantId: string, query: ItemQuery): Promise<PageOf<Item>> {
    const [last = null] = decodeCursor(query.cursor, 1) ?? []
    const [beyond, order] = query.oldestFirst ? ['>', 'asc'] : ['<', 'desc']
    const limit = pageLimit(query)
    const given: [string, unknown][] = [
      [`id ${beyond}`, last],
      ['status =', query.status],
      ['mime_type =', query.mimeType],
    ]
    // Only what is asked for stands in the text: a plan for every case would walk past all before a cursor.
    const asked = given.filter(([, value]) => value !== undefined && value !== null)
    const where = asked.map(([text], at) => `and ${text} $${at + 1}`).join(' ')
    const { rows } = await database.tenant(tenantId).query<Item>(
      `select ${ITEM} from media_items where true ${where} order by id ${order} limit ${limit + 1}`,
      asked.map(([, value]) => value),
    )
    return toPage(rows, limit, row => [row.id])
  }

  /** Throws `not_found`. */
  async function get(tenantId: string, id: string): Promise<Row> {
    const { rows } = await database.tenant(tenantId).query<Row>(`select ${ROW} from media_items where id = $1`, [id])
    if (!rows[0]) throw common.not_found({ what: 'media item' })
    return rows[0]
  }

  /** The port `mediaItems`: throws `unknown_media`. */
  async function ready(tenantId: string, ids: readonly string[]): Promise<readonly MediaReference[]> {
    const { rows } = await database.tenant(tenantId).query<MediaReference>(
      `select id, file_name as "fileName", mime_type as "mimeType", size::float8 as size
         from media_items where id = any($1) and status = 'ready'`,
      [[...new Set(ids)]],
    )
    const found = new Map(rows.map(row => [row.id, row]))
    const missing = ids.filter(id => !found.has(id))
    if (missing.length > 0) throw problems.unknown_media({}, { mediaIds: missing })
    return ids.map(id => found.get(id) as MediaReference)
  }

  return { list, get, ready }
}
export type Rows = ReturnType<typeof createRows>
