/** A generated client reads and writes the rows of collections. */
import anyTest, { type TestFn } from 'ava'
import { startTestKernel, type TestKernel } from '../../testing/index.ts'
import { clientSource, type GeneratedModule, importSource } from './fixtures.ts'

interface Row {
  readonly id: string
  readonly title: string
  readonly name: string
  readonly category: Row | string | null
  readonly tags: readonly Row[]
  readonly parent: Row | null
}
interface Rows {
  list(query?: object): Promise<{ data: Row[]; nextCursor: string | null; total?: number }>
  all(query?: object): AsyncIterable<Row>
  get(id: string, query?: object): Promise<Row> & { withResponse(): Promise<{ response: { etag: string } }> }
  create(row: object): Promise<Row> & { safe(): Promise<{ error?: { code: string } }> }
  createMany(rows: readonly object[]): Promise<{ data: Row[] }>
  upsert(by: string, row: object): Promise<Row>
  update(
    id: string,
    changes: object,
    options?: object,
  ): Promise<Row> & { safe(): Promise<{ error?: { code: string } }> }
  delete(id: string): Promise<void>
  aggregate(query: object): Promise<{ data: { group: object; count: number; sum?: object }[] }>
}
interface Client {
  readonly data: { readonly courses: Rows; readonly categories: Rows }
}

const access = () =>
  Object.fromEntries(['read', 'create', 'update', 'delete'].map(action => [action, { 'tenant.owner': true }]))
const recipe = {
  modules: { identity: {}, collections: {} },
  collections: {
    categories: {
      fields: { name: { type: 'text', required: true, unique: true }, parent: { type: 'reference', to: 'categories' } },
      access: access(),
    },
    courses: {
      fields: {
        title: { type: 'text', required: true },
        level: { type: 'enum', values: ['beginner', 'advanced'], default: 'beginner' },
        price: { type: 'integer' },
        category: { type: 'reference', to: 'categories' },
        tags: { type: 'reference', to: 'categories', many: true },
      },
      access: access(),
    },
  },
}

const test = anyTest as TestFn<{ kernel: TestKernel; larder: Client }>

test.before(async t => {
  const kernel = await startTestKernel({ recipe })
  const { token, tenantId: tenant } = await kernel.register('ada@example.test')
  const { createClient } = await importSource<GeneratedModule<Client>>(await clientSource(recipe))
  t.context = { kernel, larder: createClient({ baseUrl: kernel.url, token, tenant }) }
})
test.after.always(t => t.context.kernel?.stop())

test.serial('creates, changes, finds and deletes rows', async t => {
  const { courses, categories } = t.context.larder.data
  const art = await categories.create({ name: 'Art' })
  const oil = await categories.create({ name: 'Oil, acrylic', parent: art.id })
  t.is((await categories.create({ name: 'Art' }).safe()).error?.code, 'value_taken')
  const { data } = await courses.createMany([
    { title: 'Color', level: 'beginner', price: 10, category: oil.id, tags: [art.id, oil.id] },
    { title: 'Light', level: 'advanced', price: 20 },
    { title: 'Paper', level: 'advanced', price: 30, category: art.id },
  ])
  const id = data[0]?.id ?? ''
  t.is((await categories.upsert('name', { name: 'Art' })).id, art.id)

  const expanded = await courses.get(id, { expand: ['category.parent', 'tags'], fields: ['category', 'tags'] })
  t.like(expanded, { id, category: { name: 'Oil, acrylic', parent: { name: 'Art' } } })
  t.deepEqual(expanded.tags.map(({ name }) => name).sort(), ['Art', 'Oil, acrylic'])
  t.false('title' in expanded)

  const titles = async (query: object) =>
    (await courses.list({ sort: ['title'], ...query })).data.map(({ title }) => title)
  t.deepEqual(await titles({ filter: { level: 'advanced', price: { gte: 20, lt: 30 } } }), ['Light'])
  t.deepEqual(await titles({ or: [{ title: 'Color' }, { 'category.name': 'Art' }] }), ['Color', 'Paper'])
  t.deepEqual(await titles({ filter: { 'category.name': { in: ['Oil, acrylic'] } } }), ['Color'])
  t.deepEqual(await titles({ filter: { not: { level: 'advanced', price: { gt: 20 } } } }), ['Color', 'Light'])
  t.deepEqual(await titles({ filter: { or: [{ title: 'Paper' }, { not: { level: 'advanced' } }] } }), [
    'Color',
    'Paper',
  ])
  t.deepEqual(await titles({ sort: ['-price'], filter: { price: { in: [10, 20] } } }), ['Light', 'Color'])
  t.is((await courses.list({ limit: 1, include: ['total'] })).total, 3)
  const all: string[] = []
  for await (const { title } of courses.all({ limit: 1, sort: ['price'] })) all.push(title)
  t.deepEqual(all, ['Color', 'Light', 'Paper'])

  const { etag } = (await courses.get(id).withResponse()).response
  await courses.update(id, { title: 'Colors' }, { ifMatch: etag })
  t.is((await courses.update(id, { title: 'Hues' }, { ifMatch: etag }).safe()).error?.code, 'precondition_failed')
  t.is(await courses.delete(id), undefined)
})

test.serial('aggregates rows in groups', async t => {
  const { data } = await t.context.larder.data.courses.aggregate({ group: ['level'], sum: ['price'] })
  t.deepEqual(data, [{ group: { level: 'advanced' }, count: 2, sum: { price: 50 } }])
  const weeks = await t.context.larder.data.courses.aggregate({ by: 'week', timeZone: 'Europe/Berlin' })
  t.deepEqual([weeks.data.length, weeks.data.at(-1)?.count], [12, 2])
})
