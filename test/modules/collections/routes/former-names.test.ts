/** Fields with `was`, which requests of clients of the earlier recipe use under their former names. */
import test, { type ExecutionContext } from 'ava'
import { codeOf } from '../../../fixtures/people.ts'
import { join } from '../../../fixtures/topics.ts'
import { withPeople } from '../../../fixtures/with-people.ts'
import { colleague } from '../../identity/fixtures.ts'
import { ended, send } from '../imports/fixtures.ts'

const recipe = {
  modules: { identity: {}, collections: {} },
  collections: {
    topics: { fields: { name: { type: 'text', required: true, unique: true, was: 'title' } } },
    products: {
      fields: {
        name: { type: 'text', required: true, was: 'title' },
        sku: { type: 'text', unique: true, was: 'code' },
        price: { type: 'money', currency: 'EUR', was: 'cost' },
        topic: { type: 'reference', to: 'topics', was: 'category' },
        topics: { type: 'reference', to: 'topics', many: true, was: 'tags' },
        secret: { type: 'text', private: true, was: 'hidden' },
        label: { type: 'computed', expression: 'upper(name)', of: 'text', was: 'caption' },
      },
      search: ['name'],
      history: 5,
      trash: '1d',
    },
    guarded: {
      fields: {
        name: { type: 'text' },
        margin: { type: 'integer', was: 'cost', read: ['tenant.manager'], write: ['tenant.manager'] },
        state: { type: 'text', was: 'status', write: ['tenant.manager'] },
      },
      access: { read: { 'tenant.member': true }, update: { 'tenant.member': true } },
      history: 5,
    },
  },
  roles: { 'tenant.manager': { name: 'Manager', permissions: ['collections.guarded.*'] } },
}
interface Row {
  readonly id: string
  readonly [name: string]: unknown
}

let math: string

let count = 0

const { kernel, ada } = withPeople(test, { recipe }, { ada: 'owner' }, async () => {
  math = (await ada.post<Row>('/v1/data/topics', { title: 'Math' })).body.id
})

const created = async (t: ExecutionContext, values: object = {}): Promise<Row> => {
  const sku = `s${++count}`
  const reply = await ada.post<Row>('/v1/data/products', { title: `Algebra ${sku}`, code: sku, cost: 500, ...values })
  t.is(reply.status, 201, JSON.stringify(reply.body))
  return reply.body
}
const rows = async (query: string): Promise<Row[]> =>
  (await ada.get<{ data: Row[] }>(`/v1/data/products?${query}`)).body.data

test('a row has its values under both names, in replies to writes and reads alike', async t => {
  const row = await created(t, { category: math, tags: [math] })
  const { id, sku } = row
  t.like(row, { name: `Algebra ${sku}`, title: `Algebra ${sku}`, code: sku, price: 500, cost: 500 })
  t.like(row, { topic: math, category: math, topics: [math], tags: [math], label: row.caption })
  t.false('hidden' in row || 'secret' in row)
  const read = await ada.get<Row>(`/v1/data/products/${id}`)
  t.deepEqual(read.body, row)
  t.deepEqual(await rows(`filter[id]=${id}`), [row])
  const changed = await ada.patch<Row>(`/v1/data/products/${id}`, { title: 'Geometry' })
  t.like(changed.body, { name: 'Geometry', title: 'Geometry' })
  t.is(changed.headers.get('etag'), (await ada.get(`/v1/data/products/${id}`)).headers.get('etag'))
})

test('fields, filters, sorts, expansions and aggregates take the former names', async t => {
  const { id, sku } = await created(t, { category: math, tags: [math], cost: 700 })
  t.deepEqual(await rows(`filter[code]=${sku}&fields=title,code`), [{ id, title: `Algebra ${sku}`, code: sku }])
  t.is((await rows(`filter[code]=${sku}&filter[category.title]=Math&filter[tags][contains]=${math}`)).length, 1)
  t.is((await rows(`or[0][code]=${sku}&sort=-title,cost`)).length, 1)
  const [expanded] = await rows(`filter[code]=${sku}&expand=category,tags`)
  t.like(expanded, { category: { title: 'Math', name: 'Math' }, topic: math, topics: [math] })
  t.like((expanded as { tags?: Row[] } | undefined)?.tags?.[0], { title: 'Math' })
  const groups = await ada.get(`/v1/data/products/aggregate?filter[code]=${sku}&group=title,category&sum=cost`)
  t.deepEqual(groups.body, {
    data: [{ group: { title: `Algebra ${sku}`, category: math }, count: 1, sum: { cost: 700 } }],
  })
  const [found] = await rows(`q=${sku}&filter[code]=${sku}`)
  const highlights = found?.highlights as Row
  t.is(highlights.title, highlights.name)
  t.true(String(highlights.title).includes('<mark>'))
})

test('pages of a list in the order of a former name follow each other', async t => {
  const prefix = `Page ${++count}`
  for (const letter of ['b', 'a', 'c']) await created(t, { title: `${prefix} ${letter}` })
  const path = `/v1/data/products?sort=title&limit=2&filter[title][startsWith]=${prefix}`
  const first = await ada.get<{ data: Row[]; nextCursor: string }>(path)
  const second = await ada.get<{ data: Row[] }>(`${path}&cursor=${first.body.nextCursor}`)
  t.deepEqual(
    [...first.body.data, ...second.body.data].map(({ title }) => title),
    ['a', 'b', 'c'].map(letter => `${prefix} ${letter}`),
  )
})

test('upserts and batches take the former names', async t => {
  const { id, sku } = await created(t)
  const changed = await ada.put<Row>('/v1/data/products?by=code', { code: sku, title: 'Upserted' })
  t.like(changed.body, { id, name: 'Upserted' })
  const operations = [
    { action: 'create', data: { title: 'In a batch' } },
    { action: 'update', id, data: { title: 'Changed' } },
    { action: 'upsert', by: 'code', data: { code: sku, title: 'Changed again' } },
  ]
  const batch = await ada.post<{ data: Row[] }>('/v1/data/products/batch', { operations })
  t.deepEqual(
    batch.body.data.map(({ name }) => name),
    ['In a batch', 'Changed', 'Changed again'],
  )
  const list = await ada.post<{ data: Row[] }>('/v1/data/products', [{ title: 'One' }, { name: 'Two' }] as never)
  t.deepEqual(
    list.body.data.map(({ title }) => title),
    ['One', 'Two'],
  )
})

test('both names of a field may have one value, but not two', async t => {
  const { id } = await created(t, { title: 'Same', name: 'Same' })
  const both = { title: 'One', name: 'Another' }
  const errors = (pointer: string) => ({ errors: [{ pointer: `${pointer}/title`, code: 'contradiction' }] })
  const check = (reply: { status: number; body: unknown }, pointer = '') => {
    t.is(codeOf(reply as never), '422 validation_failed')
    const { errors: found } = reply.body as { errors: { pointer: string; code: string }[] }
    t.deepEqual({ errors: found.map(({ pointer, code }) => ({ pointer, code })) }, errors(pointer))
  }
  check(await ada.post('/v1/data/products', both))
  check(await ada.post('/v1/data/products', [{ name: 'Fine' }, both] as never), '/1')
  check(await ada.patch(`/v1/data/products/${id}`, both))
  check(await ada.put('/v1/data/products?by=sku', { ...both, sku: 'x' }))
  check(
    await ada.post('/v1/data/products/batch', { operations: [{ action: 'update', id, data: both }] }),
    '/operations/0/data',
  )
})

test('a row without a value under either name is refused', async t => {
  const reply = await ada.post<{ errors: { pointer: string }[] }>('/v1/data/products', { sku: 'none' })
  t.is(codeOf(reply), '422 validation_failed')
  t.is(reply.body.errors[0]?.pointer, '/name')
})

const sender = () => ({ url: kernel.url, token: ada.token, tenantId: ada.tenantId })

test('files are imported with the former names', async t => {
  const csv = await send(sender(), 'products/imports?by=code', 'title,code,cost (EUR)\nFrom CSV,imp1,12.50\n')
  t.is(csv.status, 202, JSON.stringify(csv.body))
  t.is((await ended(ada, 'products', csv.body.id)).state, 'succeeded')
  t.like((await rows('filter[sku]=imp1'))[0], { name: 'From CSV', price: 1250 })
  const lines = '{"title":"From NDJSON","code":"imp2","tags":[]}\n'
  const ndjson = await send(sender(), 'products/imports', lines, { 'content-type': 'application/x-ndjson' })
  t.is((await ended(ada, 'products', ndjson.body.id)).state, 'succeeded')
  t.like((await rows('filter[sku]=imp2'))[0], { name: 'From NDJSON' })
})

test('an exported file has both names, and can be imported', async t => {
  const { sku } = await created(t, { category: math, tags: [math] })
  const response = await fetch(new URL(`/v1/data/products?filter[sku]=${sku}`, kernel.url), {
    headers: { authorization: `Bearer ${ada.token}`, 'x-tenant-id': ada.tenantId, accept: 'text/csv' },
  })
  const text = await response.text()
  t.regex(text, /^id,.*name,sku,price \(EUR\),topic,topics,label,title,code,cost \(EUR\),category,tags,caption/)
  const again = await send(sender(), 'products/imports?by=sku', text)
  t.is(again.status, 202, JSON.stringify(again.body))
  t.is((await ended(ada, 'products', again.body.id)).rows.updated, 1)
  const edited = await send(sender(), 'products/imports?by=sku', text.replace(`Algebra ${sku}`, 'Edited'))
  const { state, rows: counts } = await ended(ada, 'products', edited.body.id)
  t.deepEqual([state, counts.failed], ['failed', 1])
})

test('versions and rows in the trash have both names', async t => {
  const { id, sku } = await created(t)
  await ada.patch(`/v1/data/products/${id}`, { title: 'Later' })
  const versions = await ada.get<{ data: { row: Row; changes: object }[] }>(`/v1/data/products/${id}/history`)
  t.like(versions.body.data[0]?.row, { title: `Algebra ${sku}`, name: `Algebra ${sku}` })
  t.deepEqual(Object.keys(versions.body.data[0]?.changes ?? {}).sort(), ['caption', 'label', 'name', 'title'])
  await ada.delete(`/v1/data/products/${id}`)
  const trash = await ada.get<{ data: Row[] }>('/v1/data/products/trash?limit=200')
  t.like(
    trash.body.data.find(row => row.id === id),
    { title: 'Later', name: 'Later' },
  )
})

interface PropertySchema {
  readonly deprecated?: boolean
}
interface ApiDocument {
  readonly components: {
    readonly schemas: Record<string, { properties: Record<string, PropertySchema>; required?: string[] }>
  }
}

test('the API document marks the former names as deprecated', async t => {
  const { body } = await ada.get<ApiDocument>('/v1/platform/openapi.json')
  const { DataProductRow, NewDataProductRow, ChangedDataProductRow } = body.components.schemas
  for (const schema of [DataProductRow, NewDataProductRow, ChangedDataProductRow]) {
    t.true(schema?.properties.title?.deprecated)
    t.is(schema?.properties.name?.deprecated, undefined)
  }
  t.false('hidden' in (DataProductRow?.properties ?? {}))
  // Either name is enough.
  t.deepEqual(NewDataProductRow?.required ?? [], [])
})

const changes = async (id: string, filter: object) => {
  const socket = await join(kernel.url, ada)
  const reply = await socket.subscribe('collections.rows', { collection: 'products', filter })
  return {
    reply,
    async next() {
      for (;;) {
        const { message } = (await socket.next('message')).data as { message: Row }
        if (message.id === id) return message
      }
    },
  }
}

test('subscriptions filter by the former names, and messages have both', async t => {
  const { id, sku } = await created(t, { category: math })
  const { reply, next } = await changes(id, { code: sku, 'category.title': 'Math' })
  t.is(reply.type, 'subscribed', JSON.stringify(reply))
  await ada.patch(`/v1/data/products/${id}`, { title: 'Later' })
  t.like(await next(), {
    type: 'updated',
    row: { name: 'Later', title: 'Later' },
    changed: ['name', 'title'],
  })
})

test('changes that a process of the earlier recipe publishes are shown under both names', async t => {
  const { id, sku } = await created(t)
  const { next } = await changes(id, { code: sku })
  const names: [string, string][] = [
    ['name', 'title'],
    ['sku', 'code'],
    ['price', 'cost'],
  ]
  const { name: _name, sku: _sku, price: _price, ...row } = (await ada.get<Row>(`/v1/data/products/${id}`)).body
  const before = { title: row.title, revision: row.revision }
  const change = {
    type: 'updated',
    collection: 'products',
    id,
    row: { ...row, title: 'Old' },
    changed: ['title'],
    before,
  }
  kernel.kernel.ports.topics.publish('collections.rows', { tenantId: ada.tenantId, key: 'products' }, () => change)
  const message = await next()
  t.like(message, { type: 'updated', changed: ['name', 'title'] })
  for (const [current, former] of names) t.is((message.row as Row)[current], (message.row as Row)[former])
  t.is((message.row as Row).name, 'Old')
})

test('a field that a member may not read or write stays closed under its former name', async t => {
  const member = (await colleague(kernel, ada, ['tenant.member'])).person
  const client = kernel.as(member.token, ada.tenantId)
  const { body: row } = await ada.post<Row>('/v1/data/guarded', { name: 'Lid', margin: 7, state: 'new' })
  t.like(row, { margin: 7, cost: 7, state: 'new', status: 'new' })
  const { body: shown } = await client.get<Row>(`/v1/data/guarded/${row.id}`)
  t.like(shown, { name: 'Lid', status: 'new' })
  t.false('cost' in shown || 'margin' in shown)
  for (const query of ['fields=cost', 'filter[cost]=7', 'filter[cost][gt]=1', 'sort=cost', 'or[0][cost]=7'])
    t.is((await client.get(`/v1/data/guarded?${query}`)).status, 400, query)
  for (const query of ['group=cost', 'sum=cost', 'filter[cost]=7'])
    t.is((await client.get(`/v1/data/guarded/aggregate?${query}`)).status, 400, query)
  const history = await client.get(`/v1/data/guarded/${row.id}/history`)
  t.notRegex(JSON.stringify(history.body), /cost|margin/)
  for (const values of [{ cost: 1 }, { status: 'done' }])
    t.true((await client.patch(`/v1/data/guarded/${row.id}`, values)).status >= 400, JSON.stringify(values))
  t.like((await ada.get<Row>(`/v1/data/guarded/${row.id}`)).body, { margin: 7, state: 'new' })
})
