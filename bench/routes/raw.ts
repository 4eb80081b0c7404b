/** The requests to the raw server beside a route, and the rows that they use. */
import { shapeOf } from './catalog.ts'
import type { RouteCounts } from './counts.ts'
import type { RouteRequest, Shape } from './request.ts'
import type { World } from './world.ts'

const TABLE = `create table if not exists raw_records (tenant_id text not null, id text not null, data text not null,
  created_at timestamptz not null default now(), primary key (tenant_id, id))`
/** Rows for deletions and for updates of different rows. */
const FRESH_ROWS = 20_000
/** Bytes of a row in JSON besides its data. */
const ROW_OVERHEAD = 110
/** Rows of a list in a response that is not a JSON list, such as a page. */
const LIST_ROWS = 20

export async function createRawTable({ sql }: World): Promise<void> {
  await sql(TABLE)
}

export interface RawWork {
  readonly shape: Shape
  readonly method: string
  request(n: number): RouteRequest
}

/** @param fresh whether each request of the route changes a different record. */
export async function rawWork(
  world: World,
  counts: RouteCounts,
  fresh: boolean,
  body: RouteRequest['body'],
): Promise<RawWork> {
  const shape = shapeOf(counts.route) ?? defaultShape(counts)
  const method = shape === 'insert' || shape === 'update' ? 'POST' : 'GET'
  const payload = typeof body === 'string' ? body : 'x'.repeat(200)
  const tenant = encodeURIComponent(counts.route.key.replaceAll('/', ' '))
  const at = (rest: string): RouteRequest => ({
    path: `/${shape}/${rest}`,
    headers: {},
    ...(method === 'POST' && { body: payload }),
  })
  if (shape === 'fixed') return { shape, method, request: () => at(String(counts.bytes)) }
  const rows = shape === 'list' ? (counts.rows ?? LIST_ROWS) : shape === 'delete' || fresh ? FRESH_ROWS : 1
  if (shape !== 'insert') await fill(world, tenant, rows, sizeOfRow(shape, rows, counts))
  if (shape === 'list') return { shape, method, request: () => at(`${tenant}/${rows}`) }
  return { shape, method, request: n => at(`${tenant}/row-${n % rows}`) }
}

const sizeOfRow = (shape: Shape, rows: number, { bytes }: RouteCounts): number =>
  Math.max(1, Math.floor(bytes / (shape === 'list' ? Math.max(1, rows) : 1)) - ROW_OVERHEAD)

async function fill({ sql }: World, tenant: string, rows: number, size: number): Promise<void> {
  await sql('delete from raw_records where tenant_id = $1', [tenant])
  await sql(
    `insert into raw_records (tenant_id, id, data)
     select $1, 'row-' || n, repeat('x', $3) from generate_series(0, $2::int - 1) as n`,
    [tenant, rows, size],
  )
}

/** From what the route did: a route without statements compares with a fixed response. */
function defaultShape({ route, rows, roundTrips, rowsWritten }: RouteCounts): Shape {
  const { method, key, statuses } = route
  if (method === 'DELETE' || key.endsWith('/delete')) return method === 'GET' ? 'one' : 'delete'
  if (method === 'GET') return roundTrips === 0 ? 'fixed' : rows === undefined ? 'one' : 'list'
  if (statuses.includes(201) || statuses.includes(202)) return 'insert'
  return rowsWritten === 0 && roundTrips === 0 ? 'fixed' : 'update'
}
