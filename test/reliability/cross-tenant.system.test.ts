/** Records of another tenant are indistinguishable from unknown ones in paths, queries, bodies and cursors. */
import { fileURLToPath } from 'node:url'
import test from 'ava'
import { packageRoot } from '../../kernel/base/package-root.ts'
import { newId } from '../../kernel/index.ts'
import { type Client, type Person, startTestKernel, type TestKernel, type TestResponse } from '../../testing/index.ts'
import { createTestClock } from '../fixtures/clock.ts'
import { role } from '../modules/identity/fixtures.ts'
import { connectAsOwner, createRandom, type OwnerClient } from './fixtures.ts'
import type { Document } from './fuzz.ts'
import { createValueGenerator, type Schema } from './schema-values.ts'

interface Operation {
  readonly method: string
  readonly path: string
  readonly isList: boolean
  /** Requires no credential. */
  readonly isPublic: boolean
  readonly filters: readonly string[]
  readonly body: Schema | undefined
}
interface Body {
  readonly status?: number
  readonly code?: string
  readonly detail?: string
  readonly errors?: unknown
  readonly data?: readonly { readonly id?: string; readonly key?: string }[]
  readonly nextCursor?: string | null
}

let kernel: TestKernel
let owner: OwnerClient
let ada: Person
let bob: Person
let operations: Operation[]
let document: Document
/** Collection → ids or keys of Bob's records. */
const bobsRecords = new Map<string, string[]>()

test.before(async () => {
  // The clock is stopped, so that no failed delivery of a webhook is repeated while rows are compared.
  const clock = createTestClock({ runs: false })
  kernel = await startTestKernel({ recipe: fileURLToPath(new URL('recipes/full.yaml', packageRoot)), clock })
  owner = connectAsOwner(kernel.databaseUrl)
  document = kernel.kernel.ports.http.openapi() as unknown as Document
  operations = operationsOf(document)
  ada = await kernel.register('ada@example.test')
  bob = await kernel.register('bob@example.test')
  for (const person of [ada, bob]) await createRecords(person)
  await kernel.settled()
  for (const { path } of protectedOperations().filter(({ isList, path }) => isList && !path.includes('{'))) {
    const { body } = await bob.get<Body>(path)
    const own = new Set(((await ada.get<Body>(path)).body.data ?? []).map(nameOf))
    bobsRecords.set(
      path,
      (body.data ?? []).map(nameOf).filter(name => !own.has(name)),
    )
  }
})
test.after.always(async () => {
  await owner?.end()
  await kernel?.stop()
})

const nameOf = ({ id, key }: { id?: string; key?: string }): string => id ?? key ?? ''

/** Creates records for every list through the API. */
async function createRecords(person: Person): Promise<void> {
  const name = person.email.split('@')[0] as string
  await role(person, `team.${name}`, ['identity.member.read'])
  const data = { name, email: person.email, link: 'http://x.test' }
  const records: [path: string, body: object][] = [
    ['/v1/identity/members/invite', { email: `guest@${name}.test`, roles: ['tenant.member'] }],
    ['/v1/identity/sso/domains', { domain: `${name}-${person.tenantId.slice(-8).toLowerCase()}.com` }],
    ['/v1/communications/suppression', { email: `stop@${name}.test` }],
    ['/v1/communications/messages', { templateKey: 'comms.test', to: `mail@${name}.test`, data }],
    ['/v1/sessions', { mode: 'screenshare' }],
    ['/v1/streams', { title: `Live from ${name}` }],
    ['/v1/content/pages', { slug: `about-${name}`, title: name }],
    ['/v1/console/views', { list: 'content.pages', name, state: {} }],
    ['/v1/content/redirects', { from: `/old-${name}`, to: '/new' }],
    ['/v1/features', { key: `dark-${name}`, default: false }],
    ['/v1/forms', { name, schema: { type: 'object', properties: { email: { type: 'string' } } } }],
    ['/v1/media/upload-intent', { fileName: 'a.png', mimeType: 'image/png', size: 100 }],
    ['/v1/webhooks/endpoints', { url: `https://${name}.example.com/hooks`, events: ['identity.*'] }],
    ['/v1/messaging/conversations', { subject: name, participantIds: [] }],
    ['/v1/messaging/conversations', { kind: 'support', subject: name, participantIds: [] }],
    ['/v1/messaging/saved-replies', { title: name, body: name }],
    // The plan grants credits, which creates a ledger entry.
    ['/v1/billing/checkout', { planKey: 'pro' }],
  ]
  for (const [path, body] of records) {
    const { status, body: answer } = await person.post<Body>(path, body)
    if (status >= 400) throw new Error(`${path} returned ${status} ${JSON.stringify(answer)}`)
  }
  await person.put(`/v1/content/navigation/${name}`, { items: [{ label: name, path: '/' }] })
  await askOwner(person.tenantId)
}

/** A question of a run, as an automation of another recipe asks it. */
async function askOwner(tenantId: string): Promise<void> {
  const [run, ask] = [newId('run'), newId('ask')]
  await owner.query(
    `insert into automations_runs (tenant_id, id, automation, digest, key, trigger, state, input, cause, wakes_at, created_at)
     values ($1, $2, 'gone', 'gone', $2, 'event', 'waiting', '{}', '{}', now() + interval '9 days', now())`,
    [tenantId, run],
  )
  await owner.query(
    `insert into automations_asks
       (tenant_id, id, run_id, position, automation, role, text, choices, expires_at, created_at)
     values ($1, $2, $3, 0, 'gone', 'tenant.owner', '"Well?"', '{go}', now() + interval '9 days', now())`,
    [tenantId, ask, run],
  )
}

function operationsOf({ paths }: Document): Operation[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => {
      const {
        parameters = [],
        requestBody,
        security,
      } = operation as unknown as {
        security?: object[]
        parameters?: { name: string; in: string }[]
        requestBody?: { content: Record<string, { schema: Schema }> }
      }
      const names = parameters.filter(parameter => parameter.in === 'query').map(({ name }) => name)
      return {
        method: method.toUpperCase(),
        path,
        isPublic: security?.some(scheme => Object.keys(scheme).length === 0) ?? true,
        isList: method === 'get' && names.includes('cursor'),
        filters: names.filter(name => name.startsWith('filter[')),
        body: requestBody?.content['application/json']?.schema,
      }
    }),
  )
}

/** Public operations are covered by the tests of their modules. */
const protectedOperations = (): Operation[] => operations.filter(({ isPublic }) => !isPublic)
/** A well-formed id that does not exist. */
const unknown = (id: string): string => (id.includes('_') ? id.replace(/.{8}$/, '00000000') : `${id}x`)
const callers = (): [string, Client][] => [
  ['owner', ada],
  ['API key', kernel.as(ada.apiKey)],
  ['anonymous', kernel],
]
const comparable = ({ status, body }: TestResponse<Body>) => ({
  status,
  code: body?.code,
  detail: body?.detail,
  errors: body?.errors,
})

/** Written by jobs every minute, without a request: the measured size of the rows that are compared themselves. */
const MEASUREMENTS = 'billing_row_storage'

async function rowsOf(tenantId: string): Promise<string> {
  const tables = await owner.query<{ name: string }>(
    `select table_name as name from information_schema.columns where column_name = 'tenant_id'
       and table_schema = 'public' and table_name <> '${MEASUREMENTS}'`,
  )
  const parts: string[] = []
  for (const { name } of tables)
    for (const { row } of await owner.query<{ row: string }>(
      `select t::text as row from ${name} t where tenant_id = $1`,
      [tenantId],
    ))
      parts.push(`${name} ${row}`)
  return parts.sort().join('\n')
}

/**
 * Lists of failed deliveries; of event types and permissions, which are the same for all tenants; of operators, which Bob
 * may not read; and of shared articles, which he may not write.
 */
const EMPTY_LISTS =
  /dead-letters|messaging\/inbox|deliveries|event-types|identity\/permissions|(identity|communications)\/admin\/|data\/demo_articles|automations(\/runs)?$/

test.serial("every list of Bob's tenant has records", t => {
  const empty = [...bobsRecords].filter(([path, ids]) => ids.length === 0 && !EMPTY_LISTS.test(path))
  t.deepEqual(empty, [])
  t.true(bobsRecords.size >= 8)
})

test.serial('an id of another tenant in a path behaves like an unknown id and changes nothing', async t => {
  const before = await rowsOf(bob.tenantId)
  const maker = createValueGenerator(createRandom(5), document.components.schemas, { valuesOf: () => [] })
  let compared = 0
  for (const { method, path, body } of protectedOperations().filter(operation => operation.path.includes('{')))
    for (const id of (bobsRecords.get(path.slice(0, path.indexOf('/{'))) ?? []).slice(0, 2))
      for (const [name, client] of callers()) {
        const sent = body && maker.valid(body)
        const at = (one: string) => path.replace(/\{\w+\}/, encodeURIComponent(one)).replace(/\{\w+\}/g, 'x')
        const foreign = await client.call<Body>(method, at(id), sent)
        const none = await client.call<Body>(method, at(unknown(id)), sent)
        // A message may repeat the id of the request.
        const answer = JSON.parse(JSON.stringify(comparable(foreign)).replaceAll(id, unknown(id)))
        t.deepEqual(answer, JSON.parse(JSON.stringify(comparable(none))), `${name}: ${method} ${at(id)}`)
        // A PUT creates an unknown record in the caller's tenant.
        t.true(foreign.status >= 400 || method === 'PUT', `${name}: ${method} ${at(id)}`)
        compared++
      }
  t.true(compared > 30)
  t.is(await rowsOf(bob.tenantId), before)
})

test.serial('filters and cursors reveal no records of another tenant', async t => {
  const words = [bob.tenantId, bob.userId, bob.email, 'guest@bob.test', 'stop@bob.test', 'mail@bob.test', 'team.bob']
  const ids = [...bobsRecords.values()].flat()
  const shows = ({ body }: TestResponse<Body>) => (body.data ?? []).map(nameOf).filter(name => ids.includes(name))
  for (const { path, filters } of protectedOperations().filter(({ isList, path }) => isList && !path.includes('{'))) {
    for (const filter of filters)
      for (const word of words)
        t.deepEqual(
          shows(await ada.get<Body>(`${path}?${encodeURIComponent(filter)}=${encodeURIComponent(word)}`)),
          [],
          path,
        )
    const { nextCursor } = (await bob.get<Body>(`${path}?limit=1`)).body
    if (nextCursor) t.deepEqual(shows(await ada.get<Body>(`${path}?cursor=${nextCursor}`)), [], path)
    t.deepEqual(shows(await ada.get<Body>(`${path}?limit=200`)), [], path)
  }
})

test.serial('an id of another tenant in a body behaves like an unknown id', async t => {
  const { body } = await ada.get<{ data: { id: string }[] }>('/v1/identity/members')
  const member = `/v1/identity/members/${body.data[0]?.id}`
  const requests: ((word: string) => Promise<TestResponse<object>>)[] = [
    key => ada.patch(member, { roles: ['tenant.owner', key] }),
    key => ada.post('/v1/identity/members/invite', { email: 'new@example.test', roles: [key] }),
  ]
  for (const send of requests) {
    const [foreign, none] = [comparable(await send('team.bob')), comparable(await send('team.bux'))]
    t.is(foreign.status, 422)
    t.deepEqual(JSON.parse(JSON.stringify(foreign).replaceAll('team.bob', 'team.bux')), none)
  }
})
