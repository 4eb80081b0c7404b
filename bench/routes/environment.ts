/** Starts the measured product with seeded data. */
import type { BenchEnvironment } from '../fixtures.ts'
import { type Child, child } from '../measure.ts'
import { type RouteInfo, seed, uncovered } from './catalog.ts'
import type { RoundTrips, ServerReady } from './server.ts'
import { createWorld, ROUTE_ENV, type World } from './world.ts'

const DATABASE = 'bench_routes'

export interface RouteEnvironment {
  readonly world: World
  readonly server: Child<ServerReady>
  readonly routes: readonly RouteInfo[]
  readonly databaseUrl: string
  startCounting(): Promise<void>
  /** The round trips of the server since `startCounting`. */
  roundTrips(): Promise<RoundTrips>
  /** Ends the counts, so that they cost nothing. */
  stopCounting(): Promise<void>
  close(): Promise<void>
}

/** @throws Error if an endpoint has no request, or a request no endpoint. */
export async function startRoutes(environment: BenchEnvironment): Promise<RouteEnvironment> {
  await environment.query(environment.larderUrl, `create database ${DATABASE}`)
  const databaseUrl = Object.assign(new URL(environment.larderUrl), { pathname: `/${DATABASE}` }).href
  const env = { ...environment.env, ...ROUTE_ENV, DATABASE_URL: databaseUrl }
  const start = (role: string) =>
    child<ServerReady>('./routes/server.js', [role, `${environment.folder}/routes.log`], env)
  await (await start('migrate')).stop()
  const server = await start('web')
  const { url, routes } = server.ready
  let world: World | undefined
  try {
    assertCovered(routes)
    world = await createWorld(url, databaseUrl)
    await seed(world)
    const worker = await start('worker')
    await world.settled().finally(worker.stop)
    await world.sql('analyze')
  } catch (error) {
    await world?.close()
    await server.stop()
    throw error
  }
  const prepared = world
  const ask = <Answer>(command: string): Promise<Answer> =>
    new Promise(resolve => {
      server.process.once('message', answer => resolve(answer as Answer))
      server.process.send(command)
    })
  return {
    ...{ world: prepared, server, routes, databaseUrl },
    startCounting: () => ask('count'),
    roundTrips: () => ask('report'),
    stopCounting: () => ask('stop counting'),
    async close() {
      await prepared.close()
      await server.stop()
    },
  }
}

function assertCovered(routes: readonly RouteInfo[]): void {
  const { missing, unknown } = uncovered(routes)
  if (missing.length > 0) throw new Error(`no request in bench/routes for ${missing.join(', ')}`)
  if (unknown.length > 0) throw new Error(`bench/routes has requests for unknown endpoints: ${unknown.join(', ')}`)
}
