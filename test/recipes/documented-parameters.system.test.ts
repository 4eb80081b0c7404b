/** Compares the parameters that the API document names with those that the routes read. */
import { fileURLToPath } from 'node:url'
import anyTest, { type TestFn } from 'ava'
import { startTestKernel, type TestKernel } from '../../testing/index.ts'
import { makeRequest, type RouteInfo, routesOf, seed } from './routes/catalog.ts'
import { exchange } from './routes/send.ts'
import { createWorld, ROUTE_ENV, type World } from './routes/world.ts'

interface Parameter {
  readonly name: string
  readonly required: boolean
}
interface ApiDocument {
  readonly paths: Record<string, Record<string, { parameters: (Parameter | { $ref: string })[] }>>
  readonly components: { parameters: Record<string, Parameter> }
}
interface Answer {
  readonly code?: string
  readonly errors?: readonly { readonly pointer: string }[]
}

const test = anyTest as TestFn<{ kernel: TestKernel; world: World }>
const recipe = fileURLToPath(new URL('./routes/recipe.yaml', import.meta.url))

test.before(async t => {
  t.timeout(600_000)
  const kernel = await startTestKernel({ recipe, env: ROUTE_ENV, role: 'web' })
  const world = await createWorld(kernel.url, kernel.databaseUrl)
  t.context = { kernel, world }
  await seed(world)
  const worker = await startTestKernel({ recipe, env: ROUTE_ENV, role: 'worker', database: kernel.databaseUrl })
  await world.settled().finally(worker.stop)
})
test.after.always(async t => {
  await t.context.world?.close()
  await t.context.kernel?.stop()
})

/** The parameters of each route of the API, by its key. */
async function documented(kernel: TestKernel): Promise<Map<string, readonly Parameter[]>> {
  const { body } = await kernel.get<ApiDocument>('/v1/platform/openapi.json')
  const resolve = (given: Parameter | { $ref: string }) =>
    '$ref' in given ? (body.components.parameters[given.$ref.split('/').at(-1) as string] as Parameter) : given
  return new Map(
    Object.entries(body.paths).flatMap(([path, operations]) =>
      Object.entries(operations).map(
        ([method, { parameters }]) =>
          [`${method.toUpperCase()} ${path.replace(/\{(\w+)\}/g, ':$1')}`, parameters.map(resolve)] as const,
      ),
    ),
  )
}
const writesOf = (kernel: TestKernel) =>
  routesOf(kernel.kernel.ports.http.endpoints()).filter(
    ({ kind, method }) => (kind === 'route' || kind === 'raw') && method !== 'GET',
  )

/** The answer to a valid request with other headers; undefined removes one. */
async function answerTo(
  world: World,
  route: RouteInfo,
  n: number,
  headers: Record<string, string | undefined>,
): Promise<Answer> {
  const request = await makeRequest(world, route, n)
  const all = Object.entries({ ...request.headers, ...headers }).filter(([, value]) => value !== undefined)
  const { body } = await exchange(world.url, route.method, {
    ...request,
    headers: Object.fromEntries(all) as Record<string, string>,
  })
  try {
    return JSON.parse(body.toString('utf8')) as Answer
  } catch {
    return {}
  }
}

test.serial(
  'exactly the routes whose document names Idempotency-Key read it, and refuse to run without a required one',
  async t => {
    t.timeout(600_000)
    const { kernel, world } = t.context
    const parameters = await documented(kernel)
    const differences: string[] = []
    for (const route of writesOf(kernel)) {
      const key = parameters.get(route.key)?.find(({ name }) => name === 'Idempotency-Key')
      const { errors = [] } = await answerTo(world, route, 100, { 'idempotency-key': '' })
      const isRead = errors.some(({ pointer }) => pointer === 'headers/idempotency-key')
      if (isRead !== (key !== undefined))
        differences.push(`${route.key} ${isRead ? 'reads' : "doesn't read"} Idempotency-Key`)
      const { code } = await answerTo(world, route, 101, { 'idempotency-key': undefined })
      const isRequired = code === 'idempotency_key_required'
      if (isRequired !== (key?.required ?? false))
        differences.push(`${route.key} ${isRequired ? 'requires' : "doesn't require"} Idempotency-Key`)
    }
    t.deepEqual(differences, [])
  },
)

test.serial('exactly the routes whose document names If-Match refuse another version', async t => {
  t.timeout(600_000)
  const { kernel, world } = t.context
  const parameters = await documented(kernel)
  const differences: string[] = []
  for (const route of writesOf(kernel)) {
    const isNamed = parameters.get(route.key)?.some(({ name }) => name === 'If-Match') ?? false
    const { code } = await answerTo(world, route, 102, { 'if-match': '"another"' })
    if ((code === 'precondition_failed') !== isNamed)
      differences.push(`${route.key} ${isNamed ? "doesn't read" : 'reads'} If-Match`)
  }
  t.deepEqual(differences, [])
})

test.serial('lists whose document names a cursor refuse a damaged one and one of another list', async t => {
  t.timeout(600_000)
  const { kernel, world } = t.context
  const parameters = await documented(kernel)
  const lists = routesOf(kernel.kernel.ports.http.endpoints()).filter(({ key }) =>
    parameters.get(key)?.some(({ name }) => name === 'cursor'),
  )
  t.true(lists.length > 20)
  const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const cursors = ['x', encoded({}), encoded([]), encoded(['2026-01-01T00:00:00Z', 'a']), encoded({ v: 99 })]
  const accepted: string[] = []
  for (const route of lists)
    for (const cursor of cursors) {
      const request = await makeRequest(world, route, 103)
      const path = `${request.path}${request.path.includes('?') ? '&' : '?'}cursor=${encodeURIComponent(cursor)}`
      const { status, body } = await exchange(world.url, route.method, { ...request, path })
      const { code } = JSON.parse(body.toString('utf8')) as Answer
      if (status !== 400 || code !== 'invalid_cursor')
        accepted.push(`${route.key} ${cursor.slice(0, 40)}: ${status} ${code}`)
    }
  t.deepEqual(accepted, [])
})
