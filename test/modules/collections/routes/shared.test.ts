/** Who reads the rows of shared collections: roles and permissions count in the operator's workspace only. */
import test from 'ava'
import type { Client, Person } from '../../../../testing/index.ts'
import { type Colleague, codeOf, type Listed } from '../../../fixtures/people.ts'
import { join } from '../../../fixtures/topics.ts'
import { withPeople } from '../../../fixtures/with-people.ts'

interface Row {
  id: string
  [field: string]: unknown
}

const published = () => ({ published: true })
const fields = () => ({
  title: { type: 'text', required: true },
  published: { type: 'boolean', default: false },
  remarks: { type: 'text', read: ['tenant.editor'] },
  lead: { type: 'text', read: ['tenant.member'] },
  code: { type: 'text', read: ['signedIn'] },
})
const shared = (access?: object) => ({
  scope: 'shared',
  fields: fields(),
  search: ['title'],
  history: 5,
  trash: '30d',
  ...(access && { access: { read: access } }),
})
const recipe = {
  modules: { identity: {}, comms: {}, billing: {}, collections: {} },
  plans: { free: { name: 'Free', price: 0 } },
  roles: { 'tenant.editor': { name: 'Editor', permissions: ['collections.courses.*'] } },
  collections: {
    courses: shared({ anyone: published() }),
    lessons: shared({ signedIn: published() }),
    guides: shared({ 'tenant.member': published(), 'tenant.editor': true }),
    prices: shared(),
    stories: shared({ signedIn: published() }),
    books: shared({ anyone: published() }),
    notes: {
      fields: {
        book: { type: 'reference', to: 'books' },
        books: { type: 'reference', to: 'books', many: true },
      },
      access: { read: { signedIn: true }, create: { 'tenant.member': true } },
    },
  },
}

let member: Colleague
const drafts: Record<string, Row> = {}
const rows: Record<string, Row> = {}

const { kernel, people, operator, owner } = withPeople(
  test,
  { recipe },
  { operator: 'operator', owner: 'owner' },
  async () => {
    member = await people.colleague(owner, ['tenant.member'])
    for (const name of ['courses', 'lessons', 'guides', 'prices', 'books']) {
      const texts = { remarks: 'for editors', lead: 'for members', code: 'for people' }
      drafts[name] = await create(operator, name, { title: 'Draft', ...texts })
      rows[name] = await create(operator, name, { title: 'Course', published: true, ...texts })
      for (const { id } of [drafts[name], rows[name]])
        await operator.patch(`/v1/data/${name}/${id}`, { remarks: 'changed' })
    }
  },
)

async function create(client: Client, collection: string, body: unknown): Promise<Row> {
  const made = await client.post<Row>(`/v1/data/${collection}`, body)
  if (made.status !== 201) throw new Error(JSON.stringify(made.body))
  return made.body
}
async function textOf({ token, tenantId }: Person | Colleague, path: string, accept: string): Promise<string> {
  const headers = { accept, authorization: `Bearer ${token}`, 'x-tenant-id': tenantId }
  return (await fetch(`${kernel.url}${path}`, { headers })).text()
}
const titles = async (client: Client, path: string): Promise<unknown[]> =>
  (await client.get<Listed<Row>>(`/v1/data/${path}`)).body.data?.map(({ title }) => title).sort()

for (const [collection, opened] of [
  ['courses', 'anyone'],
  ['lessons', 'signedIn'],
  ['guides', 'tenant.member'],
] as const) {
  test(`an owner of another workspace reads what ${opened} opens, by every way`, async t => {
    const [draft, row] = [drafts[collection] as Row, rows[collection] as Row]
    for (const client of [owner, member]) {
      const path = `/v1/data/${collection}`
      t.is((await client.get(`${path}/${draft.id}`)).status, 404)
      t.is((await client.get(`${path}/${row.id}`)).status, 200)
      t.deepEqual(await titles(client, collection), ['Course'])
      t.deepEqual(await titles(client, `${collection}?q=draft`), [])
      t.is((await client.get<{ total: number }>(`${path}?include=total`)).body.total, 1)
      const groups = await client.get<{ data: { count: number }[] }>(`${path}/aggregate`)
      t.deepEqual(
        groups.body.data.map(({ count }) => count),
        [1],
      )
      for (const accept of ['text/csv', 'application/x-ndjson']) {
        t.false((await textOf(client, path, accept)).includes('Draft'), accept)
      }
      const made = await client.post<{ id: string }>(`${path}/exports?format=ndjson`)
      t.is(made.status, 202, JSON.stringify(made.body))
      await kernel.settled()
      const file = await textOf(client, `${path}/exports/${made.body.id}/file`, '*/*')
      t.deepEqual(
        file
          .trim()
          .split('\n')
          .map(line => JSON.parse(line).title),
        ['Course'],
      )
    }
  })
}

test('a shared collection without rules is closed to people of other workspaces', async t => {
  const { id } = rows.prices as Row
  for (const path of [
    'prices',
    `prices/${id}`,
    'prices/aggregate',
    'prices/exports',
    `prices/${id}/history`,
    'prices/trash',
  ])
    for (const client of [owner, member]) t.is(codeOf(await client.get(`/v1/data/${path}`)), '403 forbidden', path)
  t.is((await kernel.get('/v1/data/prices')).status, 401)
  t.deepEqual(await titles(operator, 'prices'), ['Course', 'Draft'])
})

test('fields and the author of shared rows are read by the same people', async t => {
  const read = async (client: Client, collection: string) => {
    const { body } = await client.get<Row>(`/v1/data/${collection}/${(rows[collection] as Row).id}`)
    return Object.keys(body).filter(name => ['createdBy', 'remarks', 'lead', 'code'].includes(name))
  }
  t.deepEqual(await read(kernel, 'courses'), [])
  t.deepEqual(await read(owner, 'courses'), ['lead', 'code'])
  t.deepEqual(await read(member, 'lessons'), ['lead', 'code'])
  t.deepEqual(await read(owner, 'guides'), ['createdBy', 'lead', 'code'])
  t.deepEqual(await read(operator, 'courses'), ['createdBy', 'remarks', 'lead', 'code'])
  t.is(codeOf(await owner.get('/v1/data/courses?filter[remarks]=changed')), '400 malformed')
  t.is(codeOf(await owner.get('/v1/data/courses?sort=remarks')), '400 malformed')
  t.is(codeOf(await owner.get('/v1/data/courses?filter[createdBy]=usr_1')), '400 malformed')
})

test("a role counts in the operator's workspace only, whoever gave it", async t => {
  const person = await people.person()
  const editor = await people.colleague(person, ['tenant.editor'])
  const permissions = ['collections.courses.read', 'collections.prices.*']
  t.is((await person.post('/v1/identity/roles', { key: 'tenant.spy', name: 'Spy', permissions })).status, 201)
  const spy = await people.colleague(person, ['tenant.spy'])
  const key = await person.post('/v1/identity/api-keys', { name: 'All', permissions: ['*'] })
  const secret = Object.values(key.body).find(value => typeof value === 'string' && value.length > 40) as string
  for (const client of [editor, spy, kernel.as(secret)]) {
    t.is((await client.get(`/v1/data/courses/${drafts.courses?.id}`)).status, 404)
    t.is(codeOf(await client.get('/v1/data/prices')), '403 forbidden')
    t.is(codeOf(await client.patch(`/v1/data/courses/${rows.courses?.id}`, { title: 'x' })), '403 forbidden')
    t.is(codeOf(await client.post('/v1/data/courses', { title: 'x' })), '403 forbidden')
    t.is(codeOf(await client.delete(`/v1/data/courses/${rows.courses?.id}`)), '403 forbidden')
  }
  t.deepEqual(await titles(editor, 'guides'), ['Course'])
  const here = { post: operator.post, tenantId: kernel.kernel.ports.operator.tenantId }
  const colleague = await people.colleague(here, ['tenant.editor'])
  t.deepEqual(await titles(colleague, 'courses'), ['Course', 'Draft'])
  t.deepEqual(await titles(colleague, 'guides'), ['Course', 'Draft'])
  t.deepEqual(await titles(kernel.as(colleague.token), 'guides'), ['Course'])
})

test('an API key reads what its permissions cover, and what anyone reads', async t => {
  const person = await people.person()
  const made = await person.post('/v1/identity/api-keys', {
    name: 'Key',
    permissions: ['collections.guides.read'],
  })
  const secret = Object.values(made.body).find(value => typeof value === 'string' && value.length > 40) as string
  const key = kernel.as(secret)
  t.deepEqual(await titles(key, 'courses'), ['Course'])
  t.deepEqual(await titles(key, 'guides'), ['Course'])
  t.is(codeOf(await key.get('/v1/data/lessons')), '403 forbidden')
})

test('what everybody reads has no history', async t => {
  const history = (client: Client, collection: string) =>
    client.get<Listed<Row>>(`/v1/data/${collection}/${(rows[collection] as Row).id}/history`)
  t.is(codeOf(await history(owner, 'courses')), '403 forbidden')
  t.is(codeOf(await history(owner, 'lessons')), '403 forbidden')
  const { body } = await history(owner, 'guides')
  t.is(body.data.length, 1)
  t.false(JSON.stringify(body).includes('for editors'))
  t.is((await owner.get(`/v1/data/guides/${drafts.guides?.id}/history`)).status, 404)
  t.is((await history(operator, 'courses')).body.data.length, 1)
})

test('a reference to a shared row that is closed to the caller is not found, and empty where it exists', async t => {
  const [draft, row] = [drafts.books as Row, rows.books as Row]
  const refused = await owner.post<{ errors: { code: string }[] }>('/v1/data/notes', { book: draft.id })
  t.is(refused.body.errors?.[0]?.code, 'not_found')
  const made = await create(owner, 'notes', { book: row.id, books: [row.id] })
  await operator.patch(`/v1/data/books/${row.id}`, { published: false })
  t.like((await owner.get<Row>(`/v1/data/notes/${made.id}?expand=book,books`)).body, { book: null, books: [] })
  t.deepEqual((await owner.get<Listed<Row>>('/v1/data/notes?filter[book.title]=Course')).body.data, [])
  await operator.patch(`/v1/data/books/${row.id}`, { published: true })
  const { body } = await owner.get<{ book: Row }>(`/v1/data/notes/${made.id}?expand=book`)
  t.is(body.book.title, 'Course')
  t.false('remarks' in body.book)
})

test("permissions and lists of shared rows are offered in the operator's workspace only", async t => {
  const offered = async (client: Client) => {
    const permissions = await kernel.all<{ key: string }>(client, '/v1/identity/permissions?limit=100')
    const { body } = await client.get('/v1/platform/resources')
    return [
      permissions.some(({ key }) => key === 'collections.prices.read'),
      body.data.some(({ id }) => id === 'collections.prices'),
      body.data.some(({ id }) => id === 'collections.guides'),
    ]
  }
  t.deepEqual(await offered(operator), [true, true, true])
  t.deepEqual(await offered(owner), [false, false, true])
})

test('signedIn opens no rows of another workspace', async t => {
  const person = await people.person()
  await create(person, 'notes', {})
  t.is((await person.get<Listed<Row>>('/v1/data/notes')).body.data.length, 1)
  const stranger = await people.person()
  t.deepEqual((await stranger.get<Listed<Row>>('/v1/data/notes')).body.data, [])
  t.is(codeOf(await stranger.get(`/v1/data/notes?workspace=${person.tenantId}`)).slice(0, 3), '200')
  t.deepEqual((await stranger.get<Listed<Row>>(`/v1/data/notes?workspace=${person.tenantId}`)).body.data, [])
  t.is((await kernel.get(`/v1/data/notes?workspace=${person.tenantId}`)).status, 401)
})

test('subscribers of shared rows receive what a request would return', async t => {
  const clients = { owner: await join(kernel.url, owner), operator: await join(kernel.url, { token: undefined }) }
  const subscribe = (client: typeof clients.owner, collection: string) =>
    client.subscribe('collections.rows', { collection })
  t.is((await subscribe(clients.owner, 'stories')).type, 'subscribed')
  t.is(
    (await clients.owner.subscribe('collections.rows', { collection: 'prices' }, { subscription: 'p' })).type,
    'error',
  )
  t.is((await subscribe(clients.operator, 'stories')).type, 'error')
  const { id } = await create(operator, 'stories', { title: 'Hidden' })
  const shown = await create(operator, 'stories', { title: 'Shown', published: true, code: 'x', remarks: 'y' })
  const { message } = (await clients.owner.next('message')).data as { message: { id: string; row: Row } }
  t.is(message.id, shown.id)
  t.false('remarks' in message.row || 'createdBy' in message.row)
  for (const each of [id, shown.id]) await operator.delete(`/v1/data/stories/${each}`)
  for (const client of Object.values(clients)) client.cut()
})
