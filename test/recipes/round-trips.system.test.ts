import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { fileURLToPath } from 'node:url'
import test from 'ava'
import { pino } from 'pino'
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

/** Warnings of the server while each route is called. */
const warnings: { readonly msg: string; readonly fields?: readonly string[] }[] = []
const log = pino({ level: 'warn' }, { write: line => void warnings.push(JSON.parse(line)) })

test.serial('no route needs more round trips than it may', async t => {
  t.timeout(600_000)
  const kernel = await startTestKernel({ recipe, env: ROUTE_ENV, role: 'web', log })
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
    let trips = await fewestRoundTrips(world, route)
    // Of queries that run side by side, a late one counts as another round trip. A route over its limit is so each time.
    for (let again = 0; trips.length > limit && again < RETRIES; again++) trips = await fewestRoundTrips(world, route)
    if (trips.length > limit) excess.push(`${route.key}: ${trips.length} instead of ${limit}\n${trips.join('\n')}`)
  }
  t.deepEqual(excess, [])
})

test.serial('no route returns a field that is missing in its reply schema by mistake', t => {
  t.deepEqual(
    warnings.filter(({ fields }) => fields !== undefined),
    [],
  )
})

/** The statements of each round trip of the cheapest of several requests. */
async function fewestRoundTrips(world: World, route: RouteInfo): Promise<readonly string[]> {
  const all: (readonly string[])[] = []
  for (let n = 0; n < REQUESTS; n++) {
    const request = await makeRequest(world, route, n)
    all.push(await roundTrips(() => sendOnce(world.url, route, request)))
  }
  return all.toSorted((a, b) => a.length - b.length)[0] ?? []
}

/** Of the last attempt of a handler, before its commit. Batches that are sent together share one. */
async function roundTrips(work: () => Promise<void>): Promise<readonly string[]> {
  const trips: string[][] = []
  let completed = 0
  const count = (message: unknown): void => {
    const batch = message as BatchMessage
    const at = completed
    trips[at] = [...(trips[at] ?? []), ...batch.statements.map(({ statement }) => statement.text)]
    const complete = () => {
      completed = Math.max(completed, at + 1)
    }
    batch.completed.then(complete, complete)
  }
  subscribe('larder.postgres.batch', count)
  try {
    await work()
  } finally {
    unsubscribe('larder.postgres.batch', count)
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
