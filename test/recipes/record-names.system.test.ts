/** What the records of every module refer to has a name. */
import { fileURLToPath } from 'node:url'
import test from 'ava'
import { startTestKernel } from '../../testing/index.ts'
import { makeRequest, routesOf, seed } from './routes/catalog.ts'
import { exchange } from './routes/send.ts'
import { type Account, createWorld, ROUTE_ENV } from './routes/world.ts'

interface Named {
  readonly id: string
  readonly title: string
  readonly name: string | null
}
/** The ID of another record, and the property that contains it. */
type Reference = readonly [property: string, id: string]

const recipe = fileURLToPath(new URL('./routes/recipe.yaml', import.meta.url))
const ID = /^[a-z]+(_[a-z]+)*_[0-9a-hjkmnp-tv-z]{26}$/
/** What identifies no record: a request. */
const NO_RECORD = ['req']
/** Kinds whose names depend on more than a permission, or that have no name. */
const NAMELESS = [
  'Conversation',
  'Course',
  'Delivery',
  'Email / Message',
  'Message',
  'Question',
  'Run',
  'Single sign-on',
  'Subject',
]
/** Routes whose records refer to what the current workspace doesn't have. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  'GET /v1/auth/me/export': 'the other workspaces of the person',
  'GET /v1/webhooks/deliveries/:id': 'the event of a test is not stored',
}
const MIN_REFERENCES = 80
/** IDs of one request for names. */
const MAX_IDS = 100
const prefixOf = (id: string): string => id.slice(0, id.lastIndexOf('_'))

/** IDs that an object has of others: not its own. */
function referencesIn(value: unknown, property = ''): Reference[] {
  if (typeof value === 'string') return ID.test(value) && !property.endsWith('.id') ? [[property, value]] : []
  if (Array.isArray(value)) return value.flatMap(each => referencesIn(each, `${property}[]`))
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, each]) => referencesIn(each, `${property}.${name}`))
}

test('what records refer to has a kind, and a name for callers who may read it', async t => {
  t.timeout(600_000)
  const kernel = await startTestKernel({ recipe, env: ROUTE_ENV, role: 'web' })
  t.teardown(() => kernel.stop())
  const world = await createWorld(kernel.url, kernel.databaseUrl)
  t.teardown(() => world.close())
  await seed(world)
  const worker = await startTestKernel({ recipe, env: ROUTE_ENV, role: 'worker', database: kernel.databaseUrl })
  await world.settled().finally(worker.stop)
  const namesFor = async ({ headers }: Pick<Account, 'headers'>, ids: readonly string[]) => {
    const path = `/v1/platform/names?ids=${ids.slice(0, MAX_IDS).join(',')}`
    return (await world.call<{ data: readonly Named[] }>({ headers }, 'GET', path)).data
  }
  const problems = new Set<string>()
  let count = 0
  for (const route of routesOf(kernel.kernel.ports.http.endpoints())) {
    if (route.method !== 'GET' || !route.key.startsWith('GET /v1/') || route.key.endsWith('.json')) continue
    const request = await makeRequest(world, route, 0)
    const { body } = await exchange(world.url, 'GET', request)
    const references = referencesIn(parsed(body.toString('utf8'))).slice(0, MAX_IDS)
    if (references.length === 0 || !('authorization' in request.headers)) continue
    const found = new Map(
      (
        await namesFor(
          request,
          references.map(([, id]) => id),
        )
      ).map(named => [named.id, named]),
    )
    for (const [property, id] of references) {
      if (NO_RECORD.includes(prefixOf(id))) continue
      count++
      const named = found.get(id)
      if (!named) problems.add(`${route.key} ${property}: ${prefixOf(id)}_… is of no kind`)
      else if (named.name === null && !NAMELESS.includes(named.title) && !(route.key in ELSEWHERE))
        problems.add(`${route.key} ${property}: ${named.title} without a name`)
    }
  }
  t.deepEqual([...problems], [])
  t.true(count > MIN_REFERENCES, String(count))
})

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
