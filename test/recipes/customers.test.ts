/**
 * Customers of a product of people learn nothing of each other: a customer requests every route and subscribes to every
 * topic of the product, with the IDs and the names of two others.
 */
import test from 'ava'
import { registeredTopics } from '../../services/topics/registered-topics.ts'
import { type Person, startTestKernel, type TestKernel } from '../../testing/index.ts'
import { expectStatus, peopleOf } from '../fixtures/people.ts'
import { join } from '../fixtures/topics.ts'

const NAMES = ['Quirinalda Zwibelthorpe', 'Xantippus Blodwenfield'] as const
/** Parts of the names and addresses of the others. */
const TRACES = /quirinalda|zwibelthorpe|xantippus|blodwenfield/i

const modules = {
  identity: { impersonation: true, signIn: { emailLink: {}, enterprise: {}, secondFactor: { totp: true } } },
  comms: {},
  billing: {},
  collections: {},
  media: { driver: 'local', maxBytes: '1MiB', allow: ['image/png'] },
  messaging: { support: 'operator' },
  forms: {},
  content: { editable: true },
  features: {},
  webhooks: {},
  automations: {},
  sessions: {},
  streams: {},
  platform: {},
  console: {},
}
const recipe = {
  product: { key: 'test', name: 'Test', publicUrl: 'http://localhost:8080', audience: 'people' },
  modules,
  roles: {
    // Whatever a product lets customers do, they find no others in it.
    'tenant.customer': {
      name: 'Customer',
      permissions: ['messaging.*', 'billing.plan.read', 'features.feature.evaluate', 'media.item.create'],
    },
  },
  plans: { free: { name: 'Free', price: 0 } },
  collections: {
    orders: {
      fields: { title: { type: 'text' }, owner: { type: 'member' } },
      search: ['title'],
      history: 3,
      trash: '30d',
      access: {
        create: { 'tenant.customer': { owner: '$member' } },
        read: { 'tenant.customer': { owner: '$member' } },
        update: { 'tenant.customer': { owner: '$member' } },
        delete: { 'tenant.customer': { owner: '$member' } },
      },
    },
    invoices: {
      fields: {
        number: { type: 'text', unique: true },
        order: { type: 'reference', to: 'orders' },
        scan: { type: 'file' },
        room: { type: 'text' },
        startsAt: { type: 'datetime' },
        endsAt: { type: 'datetime' },
      },
      noOverlap: { by: ['room'], from: 'startsAt', to: 'endsAt' },
      access: {
        create: { 'tenant.customer': true },
        read: { 'tenant.customer': { createdBy: '$user' } },
        update: { 'tenant.customer': { createdBy: '$user' } },
      },
    },
    notices: {
      fields: { text: { type: 'text' }, author: { type: 'member' } },
      access: { create: { 'tenant.customer': { author: '$member' } }, read: { 'tenant.customer': true } },
    },
  },
}

interface Operation {
  readonly parameters?: readonly { readonly name: string; readonly in: string }[]
}
interface ApiDocument {
  readonly paths: Readonly<Record<string, { readonly get?: Operation }>>
}

/** During development, everybody on this machine reads the mailbox, without an account. */
const isOfDevelopment = (path: string): boolean => /\/mailbox\b/.test(path)

let kernel: TestKernel
let spy: Person
/** IDs that a customer may have found, of the others and of what they did. */
let found: readonly string[]
/** Those that customers don't read anywhere. */
let hidden: readonly string[]
let others: readonly Person[]
/** What the requests of the tests name themselves. */
const ASKED = /quirinalda\.zwibelthorpe0@example\.test/g

const idOf = (body: { id: string }): string => body.id

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
interface Upload {
  readonly mediaId: string
  readonly url: string
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
}
/** The ID of a file that is ready. */
async function upload(client: Person, name: string): Promise<string> {
  const file = { fileName: `${name}.png`, mimeType: 'image/png', size: PNG.length }
  const { mediaId, url, method, headers } = expectStatus(
    201,
    await client.post<Upload>('/v1/media/upload-intent', file),
  )
  const { pathname, search } = new URL(url)
  const sent = await fetch(`${kernel.url}${pathname}${search}`, { method, headers, body: PNG })
  if (!sent.ok) throw new Error(`the upload answered ${sent.status}`)
  const { status } = expectStatus(200, await client.post<{ status: string }>('/v1/media/process', { mediaId }))
  if (status !== 'ready') throw new Error(`the file is ${status}`)
  return mediaId
}

test.before(async () => {
  kernel = await startTestKernel({ recipe })
  const people = peopleOf(kernel)
  const operator = await people.operator()
  others = await Promise.all(
    NAMES.map((name, index) =>
      kernel.register(`${name.toLowerCase().replace(' ', '.')}${index}@example.test`, { name }),
    ),
  )
  spy = await kernel.register('spy@example.test', { name: 'Spy' })
  const ids = await Promise.all(
    others.map(async other => {
      const { memberships } = expectStatus(200, await other.get<{ memberships: { id: string }[] }>('/v1/auth/me'))
      const member = memberships[0] as { id: string }
      const order = expectStatus(
        201,
        await other.post<{ id: string }>('/v1/data/orders', { title: 'Mine', owner: member.id }),
      )
      const notice = expectStatus(
        201,
        await other.post<{ id: string }>('/v1/data/notices', { text: 'Hi', author: member.id }),
      )
      const conversation = await other.post<{ id: string }>('/v1/messaging/conversations', {
        kind: 'support',
        participantIds: [],
        subject: 'Help',
      })
      const mediaId = await upload(other, NAMES[0])
      const invoice = expectStatus(201, await other.post<{ id: string }>('/v1/data/invoices', { order: order.id }))
      const secrets = [other.userId, idOf(order), idOf(invoice), conversation.body.id, mediaId]
      return { shown: [member.id, idOf(notice)], secrets }
    }),
  )
  await kernel.settled()
  const [first] = others as [Person]
  const period = { room: 'A', startsAt: '2030-01-01T10:00:00Z', endsAt: '2030-01-01T11:00:00Z' }
  expectStatus(201, await first.post('/v1/data/invoices', { number: 'INV-1', ...period }))
  hidden = ids.flatMap(({ secrets }) => secrets)
  found = [...hidden, ...ids.flatMap(({ shown }) => shown), operator.tenantId, operator.userId]
})
test.after.always(() => kernel?.stop())

/** Paths with the IDs of the others, and the queries that lists have. */
function requestsOf(path: string, { parameters = [] }: Operation): string[] {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
  const paths = names.length === 0 ? [path] : found.map(id => path.replaceAll(/\{\w+\}/g, id))
  const queries = parameters.filter(each => each.in === 'query').map(({ name }) => name)
  const searches = ['q', 'words', 'search', 'filter[email]'].filter(name => queries.includes(name))
  return paths.flatMap(each => [
    each,
    ...searches.map(name => `${each}?${name}=quirinalda`),
    ...(queries.includes('ids') ? [`${each}?ids=${found.join(',')}`] : []),
    ...(queries.includes('expand') ? [`${each}?expand=owner`, `${each}?expand=author`] : []),
  ])
}

for (const credential of ['token', 'apiKey'] as const)
  test(`a customer finds no other customer in any GET route, with the ${credential}`, async t => {
    const client = kernel.as(spy[credential])
    const { paths } = JSON.parse(JSON.stringify(kernel.kernel.ports.http.openapi())) as ApiDocument
    const routes = Object.entries(paths).flatMap(([path, { get }]) =>
      get && !isOfDevelopment(path) ? [{ path, get }] : [],
    )
    t.true(routes.length > 60)
    const told: string[] = []
    let answered = 0
    for (const { path, get } of routes)
      for (const request of requestsOf(path, get)) {
        const { status, body } = await client.get<unknown>(request)
        if (status === 200) answered++
        if (TRACES.test(JSON.stringify(body ?? '').replaceAll('q=quirinalda', ''))) told.push(`${status} ${request}`)
      }
    t.true(answered > 10)
    t.deepEqual(told, [])
  })

test('a customer finds no other customer on any page', async t => {
  const browser = kernel.with({ cookie: spy.cookie, accept: 'text/html' })
  const pages = kernel.kernel.ports.http
    .endpoints()
    .filter(({ kind, method, path }) => kind === 'page' && method === 'GET' && !isOfDevelopment(path))
  t.true(pages.length > 20)
  const told: string[] = []
  for (const { path } of pages)
    for (const request of path.includes(':') ? found.map(id => path.replaceAll(/:\w+/g, id)) : [path]) {
      const { status, body } = await browser.get<unknown>(request)
      if (TRACES.test(JSON.stringify(body ?? ''))) told.push(`${status} ${request}`)
    }
  t.deepEqual(told, [])
})

test('a customer sees no view of a list that the staff share', async t => {
  const staff = await peopleOf(kernel).operator()
  const list = 'collections.notices'
  const view = { list, name: 'Complaints of Quirinalda', shared: true, state: {} }
  const { id } = expectStatus(201, await staff.post<{ id: string }>('/v1/console/views', view))
  const own = expectStatus(201, await spy.post('/v1/console/views', { list, name: 'Mine', state: {} }))
  const { data } = expectStatus(200, await spy.get(`/v1/console/views?list=${list}`))
  t.deepEqual(data, [own])
  t.is((await spy.delete(`/v1/console/views/${id}`)).status, 404)
})

test('a customer starts conversations with the staff, and not with other customers', async t => {
  const other = found[0] as string
  const refused = await spy.post<{ code: string }>('/v1/messaging/conversations', { participantIds: [other] })
  t.is(refused.status, 422)
  const staff = found.at(-1) as string
  t.is((await spy.post('/v1/messaging/conversations', { participantIds: [staff] })).status, 201)
})

interface Schema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly examples?: readonly unknown[]
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly pattern?: string
  readonly format?: string
  readonly minLength?: number
  readonly minimum?: number
  readonly minItems?: number
  readonly items?: Schema
  readonly required?: readonly string[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly allOf?: readonly Schema[]
}
interface WriteOperation {
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> }
}
interface WritesDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, WriteOperation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
}
const documentOf = (): WritesDocument =>
  JSON.parse(JSON.stringify(kernel.kernel.ports.http.openapi())) as WritesDocument

/** A value that a schema accepts, in which IDs of the kind of `id` are `id`. */
function valueFor(schema: Schema, document: WritesDocument, id: string, depth = 0): unknown {
  if (schema.$ref)
    return valueFor(document.components.schemas[schema.$ref.split('/').at(-1) as string] ?? {}, document, id, depth)
  const prefix = id.slice(0, id.indexOf('_') + 1)
  if (schema.pattern?.startsWith(`^${prefix}`)) return id
  const [inner] = schema.allOf ?? schema.anyOf ?? schema.oneOf ?? []
  if (schema.const !== undefined) return schema.const
  if (schema.enum) return schema.enum[0]
  const type = [schema.type ?? (schema.properties ? 'object' : undefined)].flat()[0]
  if (type === 'object' && depth < 4) {
    const [example] = (schema.examples ?? []) as Record<string, unknown>[]
    const names = new Set([...(schema.required ?? []), ...Object.keys(example ?? {})])
    // IDs are given where they can be.
    for (const [name, each] of Object.entries(schema.properties ?? {}))
      if (JSON.stringify(each).includes(`"^${prefix}`)) names.add(name)
    return Object.fromEntries(
      [...names].map(name => {
        const given = schema.properties?.[name]
        const hasId = given !== undefined && JSON.stringify(given).includes(`"^${prefix}`)
        return [
          name,
          example && name in example && !hasId ? example[name] : valueFor(given ?? {}, document, id, depth + 1),
        ]
      }),
    )
  }
  if (inner) return valueFor(inner, document, id, depth)
  if (schema.examples?.length) return schema.examples[0]
  if (type === 'array') return [valueFor(schema.items ?? {}, document, id, depth + 1)]
  if (type === 'integer' || type === 'number') return schema.minimum ?? 1
  if (type === 'boolean') return true
  if (schema.format === 'email') return 'quirinalda.zwibelthorpe0@example.test'
  if (schema.format === 'date-time') return '2030-01-31T12:00:00Z'
  return 'x'.repeat(Math.max(schema.minLength ?? 0, 3))
}

interface Write {
  readonly method: 'post' | 'put' | 'patch' | 'delete'
  readonly path: string
  readonly body: (id: string) => unknown
}
/** All routes that write, but those of the caller's own account, with which the caller would lock themselves out. */
function writes(): Write[] {
  const document = documentOf()
  return Object.entries(document.paths).flatMap(([path, operations]) =>
    (['post', 'put', 'patch', 'delete'] as const).flatMap(method => {
      const operation = operations[method]
      const isOwn = path.startsWith('/v1/auth/') && !path.includes('{')
      if (!operation || isOwn || isOfDevelopment(path)) return []
      const schema = operation.requestBody?.content['application/json']?.schema
      return [{ method, path, body: (id: string) => (schema ? valueFor(schema, document, id) : undefined) }]
    }),
  )
}
const send = ({ method, path, body }: Write, id: string) => {
  const to = path.replaceAll(/\{\w+\}/g, id)
  return method === 'delete' ? spy.delete<unknown>(to) : spy[method]<unknown>(to, body(id) as never)
}
/** An ID of the same kind that nobody has. */
const nobodys = (id: string): string => id.replace(/_.*/, '_01aaaaaaaaaaaaaaaaaaaaaaaa')
/** An answer without the ID that was asked for, and what differs between any two requests. */
const comparable = ({ status, body }: { status: number; body: unknown }, id: string): string =>
  `${status} ${JSON.stringify(body ?? '')}`
    .replaceAll(id, 'ID')
    .replaceAll(/"(requestId|instance)":"[^"]*"/g, '')
    .replaceAll(/"(createdAt|updatedAt|id|expiresAt|url|uploadUrl|mediaId|token)":"[^"]*"/g, '')

/** What the others have, as they see it themselves. */
const standing = () =>
  Promise.all(
    others.flatMap(other =>
      [
        '/v1/auth/me',
        '/v1/data/orders',
        '/v1/data/invoices',
        '/v1/messaging/conversations',
        '/v1/billing/subscription',
      ].map(async path => (await other.get(path)).body),
    ),
  )

test.serial(
  'no route that writes tells a customer whether an ID of another one exists, or changes what they have',
  async t => {
    const routes = writes()
    t.true(routes.length > 100)
    const before = await standing()
    const told: string[] = []
    const differing: string[] = []
    const done: string[] = []
    const beyondRights = new Set<Write>()
    for (const write of routes)
      for (const id of write.path.includes('{') ? hidden : hidden.slice(0, hidden.length / 2)) {
        const answer = await send(write, id)
        const madeUp = await send(write, nobodys(id))
        if (![401, 403].includes(answer.status)) beyondRights.add(write)
        const name = `${write.method} ${write.path} with ${id}`
        if (TRACES.test(JSON.stringify(answer.body ?? '').replaceAll(ASKED, ''))) told.push(`${answer.status} ${name}`)
        if (!write.path.includes('{')) continue
        if (answer.status < 300 && madeUp.status >= 300) done.push(`${answer.status} ${name}`)
        if (comparable(answer, id) !== comparable(madeUp, nobodys(id)))
          differing.push(`${name}: ${comparable(answer, id)} instead of ${comparable(madeUp, nobodys(id))}`)
      }
    await kernel.settled()
    t.true(beyondRights.size > 30)
    t.deepEqual(told, [])
    t.deepEqual(done, [])
    t.deepEqual(differing, [])
    t.deepEqual(await standing(), before)
  },
)

test.serial('no route that reads tells a customer whether an ID of another one exists', async t => {
  const differing: string[] = []
  for (const [path, { get }] of Object.entries(documentOf().paths))
    for (const id of get && path.includes('{') ? hidden : []) {
      const answerFor = async (each: string) =>
        comparable(await spy.get<unknown>(path.replaceAll(/\{\w+\}/g, each)), each)
      const [one, two] = [await answerFor(id), await answerFor(nobodys(id))]
      if (one !== two) differing.push(`${path} with ${id}: ${one} instead of ${two}`)
    }
  t.deepEqual(differing, [])
})

test.serial('a row of a customer refers to no row and no file of another one', async t => {
  for (const [field, id] of [
    ['order', hidden.find(each => each.startsWith('order_'))],
    ['scan', hidden.find(each => each.startsWith('med_'))],
  ] as const) {
    const refused = await spy.post('/v1/data/invoices', { [field]: id })
    const unknown = await spy.post('/v1/data/invoices', { [field]: nobodys(id as string) })
    t.is(refused.status, 422)
    t.is(comparable(refused, id as string), comparable(unknown, nobodys(id as string)))
    const own = expectStatus(201, await spy.post<{ id: string }>('/v1/data/invoices', {}))
    t.is((await spy.patch(`/v1/data/invoices/${own.id}`, { [field]: id })).status, 422)
    const batch = { operations: [{ action: 'update', id: own.id, data: { [field]: id } }] }
    t.is((await spy.post('/v1/data/invoices/batch', batch)).status, 422)
  }
})

test.serial('a message of a customer has no file of another one', async t => {
  const made = await spy.post<{ id: string }>('/v1/messaging/conversations', {
    kind: 'support',
    participantIds: [],
    subject: 'Help',
  })
  const { id } = expectStatus(201, made)
  const file = hidden.find(each => each.startsWith('med_')) as string
  const [refused, unknown] = await Promise.all(
    [file, nobodys(file)].map(each =>
      spy.post(`/v1/messaging/conversations/${id}/messages`, { body: 'Look', attachments: [each] }),
    ),
  )
  t.is(refused?.status, 422)
  t.deepEqual(comparable(refused as never, file), comparable(unknown as never, nobodys(file)))
  const own = { body: 'Look', attachments: [await upload(spy, 'Own')] }
  t.is((await spy.post(`/v1/messaging/conversations/${id}/messages`, own)).status, 201)
})

test.serial('a taken value and a taken period of another customer name no row', async t => {
  const taken = { number: 'INV-1', room: 'A', startsAt: '2030-01-01T10:00:00Z', endsAt: '2030-01-01T11:00:00Z' }
  const later = { ...taken, startsAt: '2031-01-01T10:00:00Z', endsAt: '2031-01-01T11:00:00Z' }
  const operations = (data: object) => ({ operations: [{ action: 'create', data }] })
  for (const [code, data] of [
    ['value_taken', later],
    ['period_taken', { ...taken, number: 'INV-2' }],
  ] as const)
    for (const answer of [
      await spy.post<{ code: string }>('/v1/data/invoices', data),
      await spy.post<{ code: string }>('/v1/data/invoices', [data]),
      await spy.post<{ code: string }>('/v1/data/invoices/batch', operations(data)),
      await spy.put<{ code: string }>('/v1/data/invoices?by=number', data),
    ]) {
      t.is(answer.status, 409)
      t.is(answer.body.code, code)
      t.notRegex(JSON.stringify(answer.body), /invoice_|mem_|usr_/)
    }
})

test.serial('a customer receives nothing of others on any topic', async t => {
  const topics = registeredTopics(kernel.kernel.ports.registry, kernel.kernel.ports.access)
  t.true(topics.size >= 4)
  const client = await join(kernel.url, { token: spy.token })
  let subscribed = 0
  for (const [topic, { params }] of topics)
    for (const id of hidden) {
      const names = Object.keys((params as Schema).properties ?? {})
      const given = names.includes('collection')
        ? ['orders', 'invoices', 'notices'].map(collection => ({ collection }))
        : [Object.fromEntries(names.map(name => [name, id]))]
      for (const each of given) {
        const { type } = await client.subscribe(topic, each, { subscription: `${topic} ${JSON.stringify(each)}` })
        if (type === 'subscribed') subscribed++
      }
      if (names.length === 0 || names.includes('collection')) break
    }
  // The own conversations, and three collections.
  t.is(subscribed, 4)
  const [other] = others as [Person]
  const { memberships } = expectStatus(200, await other.get<{ memberships: { id: string }[] }>('/v1/auth/me'))
  const owner = (memberships[0] as { id: string }).id
  expectStatus(201, await other.post('/v1/data/orders', { title: NAMES[0], owner }))
  expectStatus(201, await other.post('/v1/data/invoices', { number: NAMES[0] }))
  const { body } = await other.get<{ data: { id: string }[] }>('/v1/messaging/conversations')
  await other.post(`/v1/messaging/conversations/${body.data[0]?.id}/messages`, { text: NAMES[0], body: NAMES[0] })
  await kernel.settled()
  const { memberships: own } = expectStatus(200, await spy.get<{ memberships: { id: string }[] }>('/v1/auth/me'))
  const last = expectStatus(
    201,
    await spy.post<{ id: string }>('/v1/data/orders', { title: 'The last one', owner: (own[0] as { id: string }).id }),
  )
  for (;;) {
    const frame = await client.next('message')
    t.notRegex(JSON.stringify(frame), TRACES)
    if (JSON.stringify(frame).includes(last.id)) break
  }
  client.cut()
})
