import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import test from 'ava'
import { routesOf, uncovered } from '../../bench/routes/catalog.ts'
import { NOTES } from '../../bench/routes/notes.ts'
import { EXCEPTIONS, exceptionsTable } from '../../bench/routes/round-trips.ts'
import { ROUTE_ENV } from '../../bench/routes/world.ts'
import { packageRoot } from '../../kernel/base/package-root.ts'
import { startTestKernel } from '../../testing/index.ts'

const recipe = fileURLToPath(new URL('../../bench/routes/recipe.yaml', import.meta.url))

test('the route benchmark has a request for every endpoint of every module, and no others', async t => {
  const kernel = await startTestKernel({ recipe, env: ROUTE_ENV, role: 'web' })
  t.teardown(() => kernel.stop())
  const routes = routesOf(kernel.kernel.ports.http.endpoints())
  t.true(routes.length > 240)
  t.deepEqual(uncovered(routes), { missing: [], unknown: [] })
  const keys = new Set(routes.map(({ key }) => key))
  t.deepEqual(
    [...NOTES, ...EXCEPTIONS].flatMap(({ routes = [] }) => routes).filter(key => !keys.has(key)),
    [],
  )
})

test('the benchmarks list the routes with more than two round trips', async t => {
  const page = await readFile(new URL('docs/benchmarks.md', packageRoot), 'utf8')
  t.true(page.includes(exceptionsTable()), exceptionsTable())
})
