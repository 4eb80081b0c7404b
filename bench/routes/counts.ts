/** Counts statements, round trips and rows of one request per route. */
import { makeRequest, type RouteInfo } from './catalog.ts'
import type { RouteEnvironment } from './environment.ts'
import { sendOnce } from './send.ts'
import type { RoundTrips } from './server.ts'

/** Later requests find caches filled and statements prepared. */
const REQUESTS = 3
const ROWS = `select coalesce(sum(seq_tup_read + coalesce(idx_tup_fetch, 0)), 0)::int as read,
  coalesce(sum(n_tup_ins + n_tup_upd + n_tup_del), 0)::int as written from pg_stat_user_tables`

export interface RouteCounts {
  readonly route: RouteInfo
  /** Including those that begin, end and scope transactions. */
  readonly statements: number
  readonly roundTrips: number
  /** Round trips before the last commit; undefined without a transaction. */
  readonly beforeCommit: number | undefined
  /**
   * Round trips of the handler before the last commit, or all of them without a transaction. Without the lookup of a
   * credential that isn't cached, attempts that were rolled back, and notifications.
   */
  readonly ofHandler: number
  readonly rowsRead: number
  readonly rowsWritten: number
  /** Bytes of the response body. */
  readonly bytes: number
  /** Rows of the response of a list. */
  readonly rows: number | undefined
  readonly trips: RoundTrips
}

/** Counts the cheapest of three requests, so that background work of the server does not count. */
export async function countRoute(environment: RouteEnvironment, route: RouteInfo): Promise<RouteCounts> {
  const { world, server } = environment
  const all: RouteCounts[] = []
  for (let n = 0; n < REQUESTS; n++) {
    const request = await makeRequest(world, route, n)
    const before = await environment.startCounting().then(() => rowCounts(world))
    const result = await sendOnce(server.ready.url, route, request)
    const trips = await environment.roundTrips()
    const after = await rowCounts(world)
    const committed = trips.findLastIndex(statements => statements.includes('commit'))
    all.push({
      ...{ route, ...result, trips, roundTrips: trips.length },
      statements: trips.reduce((sum, { length }) => sum + length, 0),
      beforeCommit: committed < 0 ? undefined : committed,
      ofHandler: handlerTrips(trips, committed),
      rowsRead: after.read - before.read,
      rowsWritten: after.written - before.written,
    })
  }
  const cost = ({ ofHandler, roundTrips }: RouteCounts) => 100 * ofHandler + roundTrips
  return all.reduce((least, counts) => (cost(counts) < cost(least) ? counts : least), all.at(-1) as RouteCounts)
}

const LOOKUP = /^\/\* pipelined \*\/\s+select c\.\*, u\.email_verified_at is null as unverified/
const ENTER = /^select where length\(set_config/
const NOTIFY = /^select pg_notify\(/
const isOfHandler = (text: string): boolean => ![LOOKUP, ENTER, NOTIFY].some(pattern => pattern.test(text.trim()))

function handlerTrips(trips: RoundTrips, committed: number): number {
  const counted = committed < 0 ? trips : trips.slice(0, committed)
  const attempt = counted.findLastIndex(statements => statements.includes('rollback')) + 1
  return counted.slice(attempt).filter(statements => statements.some(isOfHandler)).length
}

async function rowCounts({ sql }: RouteEnvironment['world']): Promise<{ read: number; written: number }> {
  const [row] = await sql<{ read: number; written: number }>(ROWS)
  return row ?? { read: 0, written: 0 }
}

export function countsTable(all: readonly RouteCounts[]): string {
  const sorted = [...all].sort((a, b) => b.roundTrips - a.roundTrips)
  const lines = sorted.map(
    ({ route, roundTrips, beforeCommit, statements, rowsRead, rowsWritten, bytes }) =>
      `| ${route.module} | \`${route.key}\` | ${roundTrips} | ${beforeCommit ?? '–'} | ${statements} | ${rowsRead} | ${rowsWritten} | ${bytes} |`,
  )
  return [
    '| Module | Route | Round trips | Before the commit | Statements | Rows read | Rows written | Bytes |',
    '|---|---|---|---|---|---|---|---|',
    ...lines,
  ].join('\n')
}

/** The statements of each round trip, one round trip per paragraph. */
export const trace = ({ route, trips }: RouteCounts): string =>
  [route.key, ...trips.map((statements, at) => `  ${at + 1}. ${statements.map(oneLine).join('\n     ')}`)].join('\n')

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim().slice(0, 160)
