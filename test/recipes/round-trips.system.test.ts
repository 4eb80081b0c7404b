import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { fileURLToPath } from 'node:url'
import test from 'ava'
import type { BatchMessage } from '../../services/postgres/run-batch.ts'
import { startTestKernel } from '../../testing/index.ts'
import { makeRequest, type RouteInfo, routesOf, seed, uncovered } from './routes/catalog.ts'
import { EXCEPTIONS, MAX_ROUND_TRIPS } from './routes/limits.ts'
import { sendOnce } from './routes/send.ts'
import { createWorld, ROUTE_ENV, type World } from './routes/world.ts'

const recipe = fileURLToPath(new URL('./routes/recipe.yaml', import.meta.url))
/** Later requests find caches filled and statements prepared, and no background work of the server. */
const REQUESTS = 3
const RETRIES = 8

test('no route needs more round trips than it may', async t => {
  t.timeout(600_000)
  const kernel = await startTestKernel({ recipe, env: ROUTE_ENV, role: 'web' })
  t.teardown(() => kernel.stop())
  const routes = routesOf(kernel.kernel.ports.http.endpoints())
  t.deepEqual(uncovered(routes), { missing: [], unknown: [] })
  const world = await createWorld(kernel.url, kernel.databaseUrl)
  t.teardown(() => world.close())
  await seed(world)
  const worker = await startTestKernel({ recipe, env: ROUTE_ENV, role: 'worker', database: kernel.databaseUrl })
  await world.settled().finally(worker.stop)
  await world.sql('analyze')

  const limits = new Map(EXCEPTIONS.flatMap(({ routes, roundTrips }) => routes.map(key => [key, roundTrips])))
  const excess: string[] = []
  for (const route of routes) {
    const limit = limits.get(route.key) ?? MAX_ROUND_TRIPS
    let trips = await fewestRoundTrips(world, route, limit)
    // A late one of several queries that run side by side counts as another round trip. A route over its limit exceeds it
    // each time.
    for (let again = 0; trips.length > limit && again < RETRIES; again++)
      trips = await fewestRoundTrips(world, route, limit)
    if (trips.length > limit) excess.push(`${route.key}: ${trips.length} instead of ${limit}\n${trips.join('\n')}`)
  }
  t.deepEqual(excess, [])
})

/** The statements of each round trip of the first request within the limit, or of the cheapest of several. */
async function fewestRoundTrips(world: World, route: RouteInfo, limit: number): Promise<readonly string[]> {
  const all: (readonly string[])[] = []
  for (let n = 0; n < REQUESTS; n++) {
    const request = await makeRequest(world, route, n)
    const trips = await roundTrips(() => sendOnce(world.url, route, request))
    if (trips.length <= limit) return trips
    all.push(trips)
  }
  return all.toSorted((a, b) => a.length - b.length)[0] ?? []
}

/** Counts the last attempt of a handler, before its commit. Batches that are sent together share one. */
async function roundTrips(work: () => Promise<void>): Promise<readonly string[]> {
  const trips: string[][] = []
  let completed = 0
  const sentAt = new Map<BatchMessage, number>()
  const count = (message: unknown): void => {
    const batch = message as BatchMessage
    trips[completed] = [...(trips[completed] ?? []), ...batch.statements.map(({ statement }) => statement.text)]
    sentAt.set(batch, completed)
  }
  const complete = (message: unknown): void => {
    const at = sentAt.get(message as BatchMessage)
    if (at !== undefined) completed = Math.max(completed, at + 1)
  }
  subscribe('tracing:larder.postgres.batch:start', count)
  subscribe('tracing:larder.postgres.batch:asyncEnd', complete)
  try {
    await work()
  } finally {
    unsubscribe('tracing:larder.postgres.batch:start', count)
    unsubscribe('tracing:larder.postgres.batch:asyncEnd', complete)
  }
  const committed = trips.findLastIndex(statements => statements.includes('commit'))
  const counted = committed < 0 ? trips : trips.slice(0, committed)
  const attempt = counted.findLastIndex(statements => statements.includes('rollback')) + 1
  return counted
    .slice(attempt)
    .filter(statements => statements.some(isOfHandler))
    .map(statements => statements.map(text => text.replace(/\s+/g, ' ').slice(0, 160)).join('; '))
}

/** Role and tenant of a transaction, notifications, and the lookup of a credential. */
const OVERHEAD = /^(select where length\(set_config|select pg_notify\(|select c\.\*, u\.email_verified_at)/
const isOfHandler = (text: string): boolean => !OVERHEAD.test(text.trim())
