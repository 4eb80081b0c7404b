import test from 'ava'
import { generateClient } from '../../bin/client/generate.ts'
import { coursesDocument } from './courses-document.ts'
import { fakeFetch, type GeneratedModule, importSource, json } from './fixtures.ts'

interface Courses {
  list(query?: object): Promise<{ data: object[] }>
  all(query?: object): AsyncIterable<{ id: string }>
  get(id: string, query?: object): Promise<object>
  create(row: object): Promise<object>
  createMany(rows: readonly object[]): Promise<object>
  upsert(by: string, row: object): Promise<object>
  update(id: string, changes: object, options?: object): Promise<object>
  delete(id: string): Promise<void>
  history: { list(id: string): Promise<object> }
}

async function courses(...responses: (() => Response)[]) {
  const source = generateClient({ document: coursesDocument, permissions: [], roles: [], topics: [], helpers: [] })
  const { createClient } = await importSource<GeneratedModule<{ data: { courses: Courses } }>>(source)
  const { fetch, requests } = fakeFetch(...responses)
  return { courses: createClient({ baseUrl: 'http://a', token: 'dt_1', tenant: 'acme', fetch }).data.courses, requests }
}
const empty = { data: [], nextCursor: null }

test('sends filters, sort, fields and expansion of a list', async t => {
  const { courses: client, requests } = await courses(json(200, empty))
  const startsAt = { gte: '2026-01-01T00:00:00Z', lt: '2027-01-01T00:00:00Z' }
  const filter = { level: 'beginner', startsAt, 'category.name': { contains: 'art' } }
  await client.list({
    filter,
    sort: ['-startsAt', 'title'],
    expand: ['category.parent'],
    fields: ['title'],
    limit: 20,
    or: [{ level: 'beginner' }, { title: { in: ['a, b', 'c'] } }],
  })
  const query = new URL(requests[0]?.url ?? '').searchParams
  t.deepEqual(Object.fromEntries(query), {
    'filter[level]': 'beginner',
    'filter[startsAt][gte]': '2026-01-01T00:00:00Z',
    'filter[startsAt][lt]': '2027-01-01T00:00:00Z',
    'filter[category.name][contains]': 'art',
    sort: '-startsAt,title',
    expand: 'category.parent',
    fields: 'title',
    limit: '20',
    'or[0][level]': 'beginner',
    'or[1][title][in]': 'c',
  })
  t.deepEqual(query.getAll('or[1][title][in]'), ['a, b', 'c'])
  t.is(requests[0]?.headers['x-tenant-id'], 'acme')
})

test('iterates over all pages with the same query', async t => {
  const { courses: client, requests } = await courses(
    json(200, { data: [{ id: '1' }, { id: '2' }], nextCursor: 'n' }),
    json(200, { data: [{ id: '3' }], nextCursor: null }),
  )
  const ids: string[] = []
  for await (const { id } of client.all({ q: 'art' })) ids.push(id)
  t.deepEqual(ids, ['1', '2', '3'])
  t.deepEqual(
    requests.map(({ url }) => new URL(url).search),
    ['?q=art', '?q=art&cursor=n'],
  )
})

test('creates, changes and deletes rows, and calls the other operations of a collection', async t => {
  const { courses: client, requests } = await courses(json(200, {}))
  await client.create({ title: 'A' })
  await client.update('a/b', { title: 'B' }, { ifMatch: '"1"' })
  await client.delete('a')
  await client.history.list('a')
  await client.createMany([{ title: 'A' }])
  await client.upsert('title', { title: 'A' })
  t.deepEqual(
    requests.map(({ method, url }) => `${method} ${new URL(url).pathname}`),
    [
      'POST /v1/data/courses',
      'PATCH /v1/data/courses/a%2Fb',
      'DELETE /v1/data/courses/a',
      'GET /v1/data/courses/a/history',
      'POST /v1/data/courses',
      'PUT /v1/data/courses',
    ],
  )
  t.true('idempotency-key' in (requests[0]?.headers ?? {}))
  t.is(requests[1]?.headers['if-match'], '"1"')
})
