import { fileURLToPath } from 'node:url'
import test from 'ava'
import { pino } from 'pino'
import { startTestKernel } from '../../testing/index.ts'
import { makeRequest, routesOf, seed } from './routes/catalog.ts'
import { sendOnce } from './routes/send.ts'
import { createWorld, ROUTE_ENV } from './routes/world.ts'

const recipe = fileURLToPath(new URL('./routes/recipe.yaml', import.meta.url))

test('every POST answers with an Idempotency-Key as without one', async t => {
  t.timeout(600_000)
  const log = pino({ level: 'error' }, { write: line => t.log(line) })
  const kernel = await startTestKernel({ recipe, env: ROUTE_ENV, role: 'web', log })
  t.teardown(() => kernel.stop())
  const world = await createWorld(kernel.url, kernel.databaseUrl)
  t.teardown(() => world.close())
  await seed(world)
  const worker = await startTestKernel({ recipe, env: ROUTE_ENV, role: 'worker', database: kernel.databaseUrl })
  await world.settled().finally(worker.stop)
  const routes = routesOf(kernel.kernel.ports.http.endpoints()).filter(
    ({ kind, method }) => kind === 'route' && method === 'POST',
  )
  t.true(routes.length > 80)
  const different: string[] = []
  for (const route of routes) {
    const request = await makeRequest(world, route, 0)
    const headers = { ...request.headers, 'idempotency-key': `key of ${route.key}` }
    await sendOnce(world.url, route, { ...request, headers }).catch((error: Error) => different.push(error.message))
  }
  t.deepEqual(different, [])
})
