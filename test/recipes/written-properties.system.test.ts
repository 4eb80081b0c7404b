/** Writes each optional property of each PATCH and PUT of the API document, and reads it back. */
import { fileURLToPath } from 'node:url'
import { isDeepStrictEqual } from 'node:util'
import anyTest, { type TestFn } from 'ava'
import { startTestKernel, type TestKernel } from '../../testing/index.ts'
import { makeRequest, type RouteInfo, routesOf, seed } from './routes/catalog.ts'
import { exchange } from './routes/send.ts'
import { createWorld, ROUTE_ENV, type World } from './routes/world.ts'
import { NOT_READ_BACK, WRITTEN } from './routes/written-values.ts'

type Json = Readonly<Record<string, unknown>>
interface BodySchema {
  readonly properties?: Json
  readonly required?: readonly string[]
}
interface Media {
  readonly schema: BodySchema & { readonly $ref?: string }
}
interface Operation {
  readonly parameters?: readonly { readonly name?: string }[]
  readonly requestBody?: { readonly content: Record<string, Media> }
}
interface ApiDocument {
  readonly paths: Record<string, Record<string, Operation>>
  readonly components: { readonly schemas: Record<string, BodySchema> }
}
interface Write {
  readonly route: RouteInfo
  readonly required: readonly string[]
  readonly optional: readonly string[]
  /** Whether the path has a GET that returns the record. Upserts have the path of a list. */
  readonly isReadable: boolean
}

const test = anyTest as TestFn<{ world: World; writes: readonly Write[] }>
const recipe = fileURLToPath(new URL('./routes/recipe.yaml', import.meta.url))
let kernel: TestKernel | undefined

test.before(async t => {
  t.timeout(600_000)
  kernel = await startTestKernel({ recipe, env: ROUTE_ENV, role: 'web' })
  const world = await createWorld(kernel.url, kernel.databaseUrl)
  t.context = { world, writes: await documentedWrites(kernel) }
  await seed(world)
  const worker = await startTestKernel({ recipe, env: ROUTE_ENV, role: 'worker', database: kernel.databaseUrl })
  await world.settled().finally(worker.stop)
})
test.after.always(async t => {
  await t.context.world?.close()
  await kernel?.stop()
})

/** Each PATCH and PUT with a JSON body of named properties. */
async function documentedWrites(running: TestKernel): Promise<Write[]> {
  const { paths, components } = (await running.get<ApiDocument>('/v1/platform/openapi.json')).body
  const routes = new Map(routesOf(running.kernel.ports.http.endpoints()).map(route => [route.key, route]))
  return Object.entries(paths).flatMap(([path, operations]) =>
    (['patch', 'put'] as const).flatMap(method => {
      const given = operations[method]?.requestBody?.content['application/json']?.schema
      const schema = given?.$ref === undefined ? given : components.schemas[given.$ref.split('/').at(-1) as string]
      const route = routes.get(`${method.toUpperCase()} ${path.replace(/\{(\w+)\}/g, ':$1')}`)
      if (!schema || !route) return []
      const { properties = {}, required = [] } = schema
      const optional = Object.keys(properties).filter(name => !required.includes(name))
      const isReadable = operations.get !== undefined && !isList(operations.get)
      return [{ route, required, optional, isReadable }]
    }),
  )
}

const isList = ({ parameters = [] }: Operation): boolean => parameters.some(({ name }) => name === 'cursor')

test.serial('every optional property of a PATCH or PUT has a value to write, or a reason for none', t => {
  const { writes } = t.context
  t.true(writes.length > 20)
  const optional = writes.flatMap(({ route, optional }) => optional.map(name => `${route.key} ${name}`))
  const listed = [WRITTEN, NOT_READ_BACK].flatMap(list =>
    Object.entries(list).flatMap(([key, names]) => Object.keys(names).map(name => `${key} ${name}`)),
  )
  t.deepEqual(listed.toSorted(), optional.toSorted())
})

test.serial('every optional property of a PATCH or PUT is in its reply, and in a later GET', async t => {
  t.timeout(600_000)
  const { world, writes } = t.context
  const lost: string[] = []
  for (const write of writes)
    for (const name of write.optional) {
      const given = WRITTEN[write.route.key]?.[name]
      if (given === undefined) continue
      const { value, with: others } = typeof given === 'function' ? await given(world) : given
      for (const problem of await loss(world, write, { ...others, [name]: value }, name))
        lost.push(`${write.route.key} ${name}: ${problem}`)
    }
  t.deepEqual(lost, [])
})

/** Numbers the requests, so that each has names of its own. */
let count = 200

/** Where the written property has another value. */
async function loss(
  world: World,
  { route, required, isReadable }: Write,
  properties: Json,
  name: string,
): Promise<string[]> {
  const request = await makeRequest(world, route, count++)
  const base = JSON.parse(String(request.body)) as Json
  // A PUT replaces the whole record.
  const kept = Object.entries(base).filter(([each]) => route.method === 'PUT' || required.includes(each))
  const body = JSON.stringify({ ...Object.fromEntries(kept), ...properties })
  const { path, headers } = request
  const read = async () => (isReadable ? jsonOf(await exchange(world.url, 'GET', { path, headers })) : {})
  const isWritten = (record: Json) => isDeepStrictEqual(valueIn(record, name), properties[name])
  if (isWritten(await read())) return ['GET has this value before it is written']
  const written = await exchange(world.url, route.method, { ...request, body })
  if (written.status >= 300) return [`${written.status} ${written.body.toString('utf8').slice(0, 400)}`]
  const reply = jsonOf(written)
  if (!isWritten(reply)) return [`the reply has ${JSON.stringify(valueIn(reply, name))}`]
  const found = await read()
  if (!isReadable || isWritten(found)) return []
  return [`GET has ${JSON.stringify(valueIn(found, name))}`]
}

const jsonOf = ({ body }: { readonly body: Buffer }): Json => JSON.parse(body.toString('utf8')) as Json

/** The property of a record, or of a record that it contains, such as the user of an account. */
function valueIn(record: Json, name: string): unknown {
  if (name in record) return record[name]
  const parts = Object.values(record).filter(part => typeof part === 'object' && part !== null && name in part)
  return (parts[0] as Json | undefined)?.[name]
}
