/**
 * Customers of a product of people learn nothing of each other: a customer requests every GET route of the product, with
 * the IDs and the names of two others.
 */
import test from 'ava'
import { type Person, startTestKernel, type TestKernel } from '../../testing/index.ts'
import { expectStatus, peopleOf } from '../fixtures/people.ts'

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
      permissions: ['messaging.*', 'billing.plan.read', 'features.feature.evaluate'],
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

const idOf = (body: { id: string }): string => body.id

test.before(async () => {
  kernel = await startTestKernel({ recipe })
  const people = peopleOf(kernel)
  const operator = await people.operator()
  const others = await Promise.all(
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
      return [other.userId, member.id, idOf(order), idOf(notice), conversation.body?.id ?? other.userId]
    }),
  )
  await kernel.settled()
  found = [...ids.flat(), operator.tenantId, operator.userId]
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

test('a customer starts conversations with the staff, and not with other customers', async t => {
  const other = found[0] as string
  const refused = await spy.post<{ code: string }>('/v1/messaging/conversations', { participantIds: [other] })
  t.is(refused.status, 422)
  const staff = found.at(-1) as string
  t.is((await spy.post('/v1/messaging/conversations', { participantIds: [staff] })).status, 201)
})
