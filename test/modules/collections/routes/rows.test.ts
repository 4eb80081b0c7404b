import test from 'ava'
import { dayIn, HOUR } from '../../../../kernel/index.ts'
import type { Client } from '../../../../testing/index.ts'
import type { Listed, ProblemBody } from '../../../fixtures/people.ts'
import { withPeople } from '../../../fixtures/with-people.ts'

interface Row {
  id: string
  revision: number
  [field: string]: unknown
}

const recipe = {
  modules: { identity: {}, comms: {}, collections: {} },
  roles: {
    'tenant.teacher': { name: 'Teacher', permissions: [] },
    'tenant.auditor': { name: 'Auditor', permissions: ['collections.*'] },
  },
  collections: {
    categories: {
      fields: { name: { type: 'text', required: true, unique: true }, hidden: { type: 'boolean', default: false } },
      access: {
        read: { 'tenant.member': { hidden: false }, anyone: { hidden: false } },
        create: { 'tenant.teacher': true },
      },
    },
    tags: {
      fields: { name: { type: 'text', required: true } },
      access: { read: { 'tenant.member': true, anyone: true }, create: { 'tenant.member': true } },
    },
    courses: {
      fields: {
        title: { type: 'text', required: true, maxLength: 200 },
        slug: { type: 'slug', from: 'title', unique: true },
        summary: { type: 'markdown' },
        level: { type: 'enum', values: ['beginner', 'advanced'], default: 'beginner' },
        price: { type: 'money', currency: 'EUR', min: 0 },
        startsAt: { type: 'datetime', index: true },
        day: { type: 'date' },
        length: { type: 'duration' },
        published: { type: 'boolean', default: false },
        code: { type: 'text', writeOnce: true },
        notes: { type: 'text', read: ['tenant.teacher'], write: ['tenant.teacher'] },
        secret: { type: 'text', private: true },
        teacher: { type: 'member' },
        category: { type: 'reference', to: 'categories', onDelete: 'restrict' },
        tags: { type: 'reference', to: 'tags', many: true },
        outline: { type: 'json', schema: { type: 'array' } },
        total: { type: 'computed', expression: 'price * 2', of: 'integer' },
      },
      search: ['title', 'summary'],
      access: {
        read: { anyone: { published: true }, 'tenant.member': true },
        create: { 'tenant.teacher': { teacher: '$member' }, 'tenant.auditor': true },
        update: { 'tenant.teacher': { teacher: '$member' } },
        delete: { 'tenant.teacher': { teacher: '$member' } },
      },
      history: 5,
    },
    notes: {
      fields: {
        text: { type: 'longtext', required: true },
        parent: { type: 'reference', to: 'notes', onDelete: 'cascade' },
      },
      access: {
        read: { 'tenant.member': { createdBy: '$user' } },
        create: { 'tenant.member': true },
        update: { 'tenant.member': true },
        delete: { 'tenant.member': true },
      },
      trash: '30d',
    },
  },
}

let memberId: string
let anonymous: Client

let count = 0

const { kernel, people, owner, teacher, member } = withPeople(
  test,
  { recipe },
  { owner: { name: 'Ada' }, teacher: ['tenant.member', 'tenant.teacher'], member: ['tenant.member'] },
  async () => {
    const { body } = await owner.get('/v1/identity/members')
    memberId = body.data.find(({ userId }) => userId === teacher.userId)?.id ?? ''
    anonymous = kernel.with({ 'x-tenant-id': teacher.tenantId })
  },
)

const title = (name = 'Course') => `${name} ${++count}`
async function create(client: Client, collection: string, body: unknown): Promise<Row> {
  const made = await client.post<Row>(`/v1/data/${collection}`, body)
  if (made.status !== 201) throw new Error(JSON.stringify(made.body))
  return made.body
}
const list = async (client: Client, path: string) => (await client.get<Listed<Row>>(`/v1/data/${path}`)).body.data

test('creates, reads, changes and deletes a row', async t => {
  const made = await owner.post<Row>('/v1/data/courses', {
    title: 'Straße & Café',
    price: 1000,
    startsAt: '2026-01-01T12:00:00+02:00',
    day: '2026-02-28',
    length: '120m',
    outline: [{ a: 1 }],
    published: true,
  })
  t.is(made.status, 201)
  const { id } = made.body
  t.is(made.headers.get('location'), `/v1/data/courses/${id}`)
  t.like(made.body, {
    title: 'Straße & Café',
    slug: 'strasse-cafe',
    level: 'beginner',
    price: 1000,
    total: 2000,
    length: '2h',
    startsAt: '2026-01-01T10:00:00.000Z',
    day: '2026-02-28',
    outline: [{ a: 1 }],
    tags: [],
    category: null,
    revision: 1,
    createdBy: owner.userId,
  })
  t.false('secret' in made.body)
  const read = await owner.get<Row>(`/v1/data/courses/${id}`)
  t.deepEqual(read.body, made.body)
  t.is(read.headers.get('etag'), made.headers.get('etag'))
  t.is(
    (await owner.get(`/v1/data/courses/${id}`, { headers: { 'if-none-match': read.headers.get('etag') ?? '' } }))
      .status,
    304,
  )
  const changed = await owner.patch<Row>(
    `/v1/data/courses/${id}`,
    { price: 5, startsAt: null },
    { headers: { 'if-match': read.headers.get('etag') ?? '' } },
  )
  t.is(changed.status, 200)
  t.like(changed.body, { price: 5, total: 10, startsAt: null, revision: 2, title: 'Straße & Café' })
  const stale = await owner.patch<ProblemBody>(
    `/v1/data/courses/${id}`,
    { price: 6 },
    { headers: { 'if-match': '"1"' } },
  )
  t.like(stale, { status: 412, body: { code: 'precondition_failed' } })
  t.is((await owner.patch<Row>(`/v1/data/courses/${id}`, { price: 5 })).body.revision, 2)
  t.is((await owner.delete(`/v1/data/courses/${id}`)).status, 204)
  t.is((await owner.get(`/v1/data/courses/${id}`)).status, 404)
  t.is((await owner.delete(`/v1/data/courses/${id}`)).status, 404)
})

test('rejects invalid values with the field that is wrong', async t => {
  for (const [body, pointer, code] of [
    [{}, '/title', 'required'],
    [{ title: 5 }, '/title', 'wrong_type'],
    [{ title: 'x', nothing: 1 }, '/nothing', 'unknown_field'],
    [{ title: 'x', price: -1 }, '/price', 'too_small'],
    [{ title: 'x', price: 1.5 }, '/price', 'wrong_type'],
    [{ title: 'x', level: 'expert' }, '/level', 'not_allowed'],
    [{ title: 'x', startsAt: 'tomorrow' }, '/startsAt', 'wrong_format'],
    [{ title: 'x', day: '2026-02-30' }, '/day', 'wrong_format'],
    [{ title: 'x', outline: {} }, '/outline', 'wrong_type'],
    [{ title: 'x', total: 3 }, '/total', 'unknown_field'],
    [{ title: 'x', tags: ['a', 'a'] }, '/tags', 'duplicate'],
    [{ title: 'x', category: 'category_00000000000000000000000000' }, '/category', 'not_found'],
    [{ title: 'x', tags: ['tag_00000000000000000000000000'] }, '/tags', 'not_found'],
    [{ title: 'x', createdAt: '2026-01-01T00:00:00Z' }, '/createdAt', 'unknown_field'],
  ] as const) {
    const { status, body: problem } = await owner.post<ProblemBody>('/v1/data/courses', body)
    t.like(
      { status, problem },
      { status: 422, problem: { errors: [{ pointer, code }] } },
      JSON.stringify([body, problem]),
    )
  }
})

test('creates several rows or none, with all errors and their positions', async t => {
  const name = title('Many')
  const rows = Array.from({ length: 50 }, (_, at) => ({ title: `${name} ${at}` }))
  const made = await owner.post<{ data: Row[] }>('/v1/data/courses', rows)
  t.is(made.status, 201)
  t.deepEqual(
    made.body.data.map(row => row.title),
    rows.map(row => row.title),
  )
  const bad = await owner.post<ProblemBody>('/v1/data/courses', [{ title: 'ok' }, { title: 1 }, {}])
  t.deepEqual(
    bad.body.errors?.map(({ pointer }) => pointer),
    ['/1/title', '/2/title'],
  )
  const slug = made.body.data[3]?.slug
  const taken = await owner.post<ProblemBody>('/v1/data/courses', [
    { title: 'a1', slug: 'fresh' },
    { title: 'b1', slug },
    { title: 'c1', slug: 'fresh' },
  ])
  t.is(taken.status, 409)
  t.deepEqual(taken.body.errors?.map(({ pointer }) => pointer).sort(), ['/1/slug', '/2/slug'])
  t.deepEqual(await list(owner, 'courses?filter[slug]=fresh'), [])
})

test('makes a free slug from the title, and refuses one that is taken', async t => {
  const first = await create(owner, 'courses', { title: 'Same title' })
  const second = await create(owner, 'courses', { title: 'Same title' })
  t.deepEqual([first.slug, second.slug], ['same-title', 'same-title-2'])
  const both = await Promise.all([1, 2, 3].map(() => create(owner, 'courses', { title: 'Race' })))
  t.is(new Set(both.map(({ slug }) => slug)).size, 3)
  const taken = await owner.post<ProblemBody>('/v1/data/courses', { title: 'x', slug: 'same-title' })
  t.like(taken, { status: 409, body: { code: 'value_taken', errors: [{ pointer: '/slug', code: 'taken' }] } })
  const moved = await owner.patch<ProblemBody>(`/v1/data/courses/${second.id}`, { slug: 'same-title' })
  t.like(moved, { status: 409, body: { code: 'value_taken' } })
})

test('roles are limited to the rows of their rules', async t => {
  const own = await teacher.post<Row>('/v1/data/courses', { title: title(), teacher: memberId })
  t.is(own.status, 201)
  const other = await create(owner, 'courses', { title: title() })
  t.like(await teacher.post<ProblemBody>('/v1/data/courses', { title: title() }), {
    status: 403,
    body: { code: 'row_action_forbidden' },
  })
  t.like(await member.post<ProblemBody>('/v1/data/courses', { title: title() }), {
    status: 403,
    body: { code: 'forbidden', requiredPermission: 'collections.courses.create' },
  })
  t.is((await teacher.patch(`/v1/data/courses/${own.body.id}`, { price: 3 })).status, 200)
  t.like(await teacher.patch<ProblemBody>(`/v1/data/courses/${other.id}`, { price: 3 }), {
    status: 403,
    body: { code: 'row_action_forbidden' },
  })
  t.is((await teacher.patch(`/v1/data/courses/${own.body.id}`, { teacher: null })).status, 403)
  t.is((await teacher.delete(`/v1/data/courses/${other.id}`)).status, 403)
  const auditor = await people.colleague(owner, ['tenant.auditor', 'tenant.teacher'])
  t.is((await auditor.patch(`/v1/data/courses/${other.id}`, { price: 4 })).status, 200)
  t.is((await auditor.post('/v1/data/courses', { title: title() })).status, 201)
})

test('a row that the caller cannot read is 404 and appears nowhere', async t => {
  const hidden = await create(owner, 'categories', { name: title('Secret category'), hidden: true })
  const course = await create(owner, 'courses', { title: title('In secret'), category: hidden.id, published: true })
  t.is((await member.get(`/v1/data/categories/${hidden.id}`)).status, 404)
  for (const path of [
    `categories?filter[name]=${encodeURIComponent(String(hidden.name))}`,
    `courses?filter[category]=${hidden.id}`,
    `courses?filter[category.name][startsWith]=Secret`,
    `courses?or[0][category.hidden]=true&or[1][category]=${hidden.id}`,
  ])
    t.deepEqual(await list(member, path), [], path)
  for (const client of [member, anonymous]) {
    const { body } = await client.get<Row>(`/v1/data/courses/${course.id}?expand=category`)
    t.is(body.category, null)
    t.is((await client.get<Row>(`/v1/data/courses/${course.id}`)).body.category, null)
  }
  t.like((await owner.get<Row>(`/v1/data/courses/${course.id}?expand=category`)).body, {
    category: { name: hidden.name },
  })
  const groups = await member.get<{ data: { group: { category: string | null } }[] }>(
    '/v1/data/courses/aggregate?group=category',
  )
  t.false(groups.body.data.some(({ group }) => group.category === hidden.id))
  const referred = await teacher.post<ProblemBody>('/v1/data/courses', {
    title: title(),
    teacher: memberId,
    category: hidden.id,
  })
  t.like(referred, { status: 422, body: { errors: [{ pointer: '/category', code: 'not_found' }] } })
  const taken = await teacher.post<ProblemBody>('/v1/data/categories', { name: hidden.name })
  t.deepEqual(taken.body.errors, [{ pointer: '/name', code: 'taken', detail: 'is taken' }])
})

test('people who are not signed in read what `anyone` opens', async t => {
  const shown = await create(owner, 'courses', { title: title('Open'), published: true, notes: 'internal' })
  const draft = await create(owner, 'courses', { title: title('Draft') })
  const { body } = await anonymous.get<Row>(`/v1/data/courses/${shown.id}`)
  t.is(body.title, shown.title)
  t.false('notes' in body)
  t.is((await anonymous.get(`/v1/data/courses/${draft.id}`)).status, 404)
  t.is((await kernel.get(`/v1/data/courses/${shown.id}`)).status, 404)
  t.is((await kernel.get(`/v1/data/courses/${shown.id}?workspace=${owner.tenantId}`)).status, 200)
  t.is((await anonymous.get('/v1/data/notes')).status, 401)
  t.is((await anonymous.post('/v1/data/courses', { title: 'x' })).status, 401)
  const stranger = await people.person()
  t.is((await stranger.get(`/v1/data/courses/${shown.id}`)).status, 404)
  t.is((await stranger.patch(`/v1/data/courses/${shown.id}`, { price: 1 })).status, 404)
})

test('rows that `anyone` reads have no `createdBy` without the permission to read', async t => {
  const tag = await create(owner, 'tags', { name: title('Tag') })
  const row = await create(owner, 'courses', { title: title('By'), published: true, tags: [tag.id] })
  t.is((await member.get<Row>(`/v1/data/courses/${row.id}`)).body.createdBy, owner.userId)
  const one = await anonymous.get<Row>(`/v1/data/courses/${row.id}?expand=tags`)
  t.is(one.status, 200)
  t.false(JSON.stringify(one.body).includes(owner.userId))
  const many = await anonymous.get<Listed<Row>>('/v1/data/courses?expand=tags')
  t.false(JSON.stringify(many.body).includes(owner.userId))
  for (const query of [
    `filter[createdBy]=${owner.userId}`,
    'sort=createdBy',
    'fields=createdBy',
    `filter[tags.createdBy]=${owner.userId}`,
  ])
    t.is((await anonymous.get(`/v1/data/courses?${query}`)).status, 400, query)
  t.is(
    (await member.get<Row>(`/v1/data/courses/${row.id}`)).body.createdBy,
    owner.userId,
    'what is compiled is not shared',
  )
})

test('the API document has `createdBy` as optional where `anyone` reads rows', t => {
  const { components } = kernel.kernel.ports.http.openapi() as {
    components: { schemas: Record<string, { required: string[] }> }
  }
  t.false(components.schemas.DataCourseRow?.required.includes('createdBy'))
  t.true(components.schemas.DataNoteRow?.required.includes('createdBy'))
})

test('the API document lists the unique fields by which rows are upserted and imported', t => {
  const { components, paths } = kernel.kernel.ports.http.openapi() as unknown as {
    components: { schemas: Record<string, { properties: Record<string, object> }> }
    paths: Record<string, Record<string, { parameters: { name: string; schema: object }[] }>>
  }
  const values = { type: 'string', enum: ['slug'] }
  const by = (method: string, path: string) =>
    paths[path]?.[method]?.parameters.find(({ name }) => name === 'by')?.schema ?? {}
  t.like(by('put', '/v1/data/courses'), values)
  t.like(by('post', '/v1/data/courses/imports'), values)
  t.like(components.schemas.BatchUpsertOfDataCourseRow?.properties.by, values)
  t.false('enum' in by('put', '/v1/data/tags'))
})

test('OPTIONS of a fixed path leaves out the methods of a path with a parameter', async t => {
  const { headers } = await fetch(`${kernel.url}/v1/data/courses/batch`, { method: 'OPTIONS' })
  t.is(headers.get('allow'), 'POST, OPTIONS')
  const row = await fetch(`${kernel.url}/v1/data/courses/x`, { method: 'OPTIONS' })
  t.is(row.headers.get('allow'), 'GET, PATCH, DELETE, HEAD, OPTIONS')
})

test('errors of unknown fields and parameters suggest the likely name', async t => {
  const body = await owner.post<ProblemBody>('/v1/data/courses', { title: 'x', prise: 1, other: 1 })
  t.deepEqual(
    body.body.errors?.map(({ detail }) => detail),
    ['is not a known field (did you mean "price"?)', 'is not a known field'],
  )
  for (const [query, name] of [
    ['filter[titel]=x', 'title'],
    ['filter[category.nam]=x', 'category.name'],
    ['fields=titel', 'title'],
    ['expand=categry', 'category'],
    ['lmit=1', 'limit'],
  ]) {
    const { body } = await owner.get<ProblemBody>(`/v1/data/courses?${query}`)
    t.true(body.detail.endsWith(`(did you mean "${name}"?).`), body.detail)
  }
  const hidden = await member.get<ProblemBody>('/v1/data/courses?filter[note]=x')
  t.false(hidden.body.detail.includes('notes'))
})

test('fields that a caller cannot read or write are unknown', async t => {
  const row = await create(owner, 'courses', { title: title(), notes: 'x' })
  t.false('notes' in (await member.get<Row>(`/v1/data/courses/${row.id}`)).body)
  t.is((await teacher.get<Row>(`/v1/data/courses/${row.id}`)).body.notes, 'x')
  for (const path of [
    'filter[notes]=x',
    'filter[secret]=x',
    'sort=notes',
    'sort=secret',
    'fields=notes',
    'fields=secret',
    'filter[tags.secret]=x',
    'filter[category.nothing]=1',
    'or[0][secret]=x',
    'filter[not][secret]=x',
    'filter[or][0][not][tags.secret]=x',
    'filter[not][not][not][not][title]=x',
    'filter[not]=x',
    'filter[or][title]=x',
    'filter[or][0]=x',
  ])
    t.is((await member.get(`/v1/data/courses?${path}`)).status, 400, path)
  for (const path of ['group=notes', 'group=secret', 'sum=secret', 'min=notes'])
    t.is((await member.get(`/v1/data/courses/aggregate?${path}`)).status, 400, path)
  const auditor = await people.colleague(owner, ['tenant.auditor'])
  const refused = await auditor.patch<ProblemBody>(`/v1/data/courses/${row.id}`, { notes: 'y' })
  t.like(refused, { status: 422, body: { errors: [{ pointer: '/notes', code: 'unknown_field' }] } })
})

test('a list filters, sorts, pages and expands', async t => {
  const tag = await create(owner, 'tags', { name: 'tag' })
  const category = await create(owner, 'categories', { name: title('Filtered') })
  const name = title('Sorted')
  const prices = [3, null, 1, 2, 2, null, 5]
  for (const [at, price] of prices.entries())
    await create(owner, 'courses', {
      title: `${name} ${at}`,
      price,
      category: at % 2 ? category.id : null,
      tags: at === 2 ? [tag.id] : [],
      startsAt: `2026-01-0${at + 1}T00:00:00Z`,
    })
  const mine = `filter[title][startsWith]=${encodeURIComponent(name)}`
  const pages = (query: string, limit: number) =>
    kernel.all<Row>(owner, `/v1/data/courses?${mine}&${query}&limit=${limit}`)
  for (const [sort, expected] of [
    ['price', [1, 2, 2, 3, 5, null, null]],
    ['-price', [null, null, 5, 3, 2, 2, 1]],
  ] as const)
    for (const limit of [1, 2, 3, 50])
      t.deepEqual(
        (await pages(`sort=${sort}`, limit)).map(({ price }) => price),
        [...expected],
        `${sort} ${limit}`,
      )
  for (const sort of [
    'startsAt',
    '-startsAt',
    'createdAt',
    '-createdAt',
    'updatedAt',
    'title',
    '-title',
    'published,-price',
    'level,title',
    'length',
    'day',
  ])
    t.is(new Set((await pages(`sort=${sort}`, 2)).map(({ id }) => id)).size, prices.length, sort)
  const titles = async (query: string) =>
    (await list(owner, `courses?${mine}&sort=title&${query}`)).map(row => String(row.title).at(-1)).join('')
  t.is(await titles('filter[price][gte]=2&filter[price][lt]=5'), '034')
  t.is(await titles('filter[price][in]=1,5'), '26')
  t.is(await titles('filter[price][exists]=false'), '15')
  t.is(await titles('filter[price][ne]=2'), '01256')
  t.is(await titles(`filter[category]=${category.id}`), '135')
  t.is(await titles(`filter[category.name]=${encodeURIComponent(String(category.name))}`), '135')
  t.is(await titles(`filter[tags][contains]=${tag.id}`), '2')
  t.is(await titles('filter[tags.name]=tag'), '2')
  t.is(await titles('or[0][price]=3&or[1][price]=5'), '06')
  t.is(await titles('filter[not][price][ne]=2'), '34')
  t.is(await titles('filter[not][price][gte]=3'), '12345')
  t.is(await titles('filter[or][0][price]=3&filter[or][1][not][price][exists]=true'), '015')
  t.is(await titles('filter[not][or][0][price]=3&filter[not][or][1][price]=5&filter[price][exists]=true'), '234')
  t.is(await titles(`or[0][not][category]=${category.id}&or[1][price]=1`), '0246')
  t.is(await titles('filter[startsAt][gt]=2026-01-05T00:00:00Z'), '56')
  const expanded = await list(owner, `courses?${mine}&sort=title&expand=category,tags&fields=title`)
  t.deepEqual(Object.keys(expanded[1] ?? {}).sort(), ['category', 'id', 'tags', 'title'])
  t.like(expanded[1]?.category, { id: category.id, name: category.name, createdAt: category.createdAt })
  t.is(expanded[0]?.category, null)
  t.like(expanded[2]?.tags, [{ id: tag.id, name: 'tag' }])
  const counted = await owner.get<Listed<Row> & { total: number }>(`/v1/data/courses?${mine}&limit=2&include=total`)
  t.is(counted.body.total, prices.length)
  const sums = await owner.get<{ data: unknown[] }>(
    `/v1/data/courses/aggregate?${mine}&sum=price&max=price,startsAt&avg=price&count`,
  )
  t.deepEqual(sums.body.data, [
    {
      group: {},
      count: 7,
      sum: { price: 13 },
      avg: { price: 2.6 },
      max: { price: 5, startsAt: '2026-01-07T00:00:00.000Z' },
    },
  ])
  const groups = await owner.get<{ data: unknown[] }>(`/v1/data/courses/aggregate?${mine}&group=category`)
  t.deepEqual(groups.body.data, [
    { group: { category: null }, count: 4 },
    { group: { category: category.id }, count: 3 },
  ])
})

interface Period {
  start: string
  count: number
  sum?: Record<string, number | null>
}

/** Courses of a category that start at these times, with the prices 1, 2, 3 and so on. */
async function startingAt(times: readonly string[]): Promise<string> {
  const { id } = await create(owner, 'categories', { name: title('Periods') })
  const rows = times.map((startsAt, at) => ({
    title: title(),
    category: id,
    startsAt,
    day: startsAt.slice(0, 10),
    price: at + 1,
  }))
  await create(owner, 'courses', rows)
  return `filter[category]=${id}`
}
const periods = async (client: Client, query: string): Promise<Period[]> =>
  (await client.get<{ data: Period[] }>(`/v1/data/courses/aggregate?${query}`)).body.data

test('rows are counted and added up by day, week and month, with the periods that have none', async t => {
  const mine = await startingAt(['2026-01-01T00:00:00Z', '2026-01-04T23:59:59.999Z', '2026-01-05T00:00:00Z'])
  const time = `${mine}&time=startsAt`
  t.deepEqual(await periods(owner, `${time}&by=day&from=2026-01-03&to=2026-01-06&sum=price`), [
    { start: '2026-01-03', group: {}, count: 0, sum: { price: null } },
    { start: '2026-01-04', group: {}, count: 1, sum: { price: 2 } },
    { start: '2026-01-05', group: {}, count: 1, sum: { price: 3 } },
    { start: '2026-01-06', group: {}, count: 0, sum: { price: null } },
  ])
  t.deepEqual(await periods(owner, `${time}&by=week&from=2025-12-31&to=2026-01-14&sum=price`), [
    { start: '2025-12-29', group: {}, count: 2, sum: { price: 3 } },
    { start: '2026-01-05', group: {}, count: 1, sum: { price: 3 } },
    { start: '2026-01-12', group: {}, count: 0, sum: { price: null } },
  ])
  t.deepEqual(await periods(owner, `${mine}&time=day&by=month&from=2025-12-15&to=2026-01-01`), [
    { start: '2025-12-01', group: {}, count: 0 },
    { start: '2026-01-01', group: {}, count: 3 },
  ])
})

for (const timeZone of ['Europe/Berlin', 'America/New_York', 'Asia/Kolkata', 'Pacific/Apia', 'America/Sao_Paulo'])
  test(`days of ${timeZone} are those that the calendar has there`, async t => {
    // Every 5 hours, over the changes of the clocks in March and November.
    const times = ['2026-03-06', '2026-03-28', '2026-10-31', '2018-11-03'].flatMap(day =>
      Array.from({ length: 12 }, (_, at) => new Date(Date.parse(day) + at * 5 * HOUR).toISOString()),
    )
    const mine = await startingAt(times)
    const expected = new Map<string, number>()
    for (const time of times) {
      const day = dayIn(timeZone, Date.parse(time))
      expected.set(day, (expected.get(day) ?? 0) + 1)
    }
    for (const [from, to] of [
      ['2018-11-01', '2018-11-10'],
      ['2026-03-01', '2026-11-10'],
    ]) {
      const found = await periods(owner, `${mine}&time=startsAt&by=day&from=${from}&to=${to}&timeZone=${timeZone}`)
      const counted = new Map(found.flatMap(({ start, count }) => (count > 0 ? [[start, count] as const] : [])))
      for (const [day, count] of expected)
        if (day >= String(from) && day <= String(to)) t.is(counted.get(day), count, day)
      t.is(
        found.reduce((sum, { count }) => sum + count, 0),
        [...expected].reduce((sum, [day, count]) => (day >= String(from) && day <= String(to) ? sum + count : sum), 0),
      )
    }
  })

test('without a range and a field, the last periods count by the time of creation', async t => {
  const mine = await startingAt(['2020-01-01T00:00:00Z'])
  const today = dayIn('UTC', Date.now())
  for (const [by, count] of [
    ['day', 30],
    ['week', 12],
    ['month', 12],
  ] as const) {
    const found = await periods(owner, `${mine}&by=${by}`)
    t.is(found.length, count)
    t.is(found.at(-1)?.count, 1, by)
    t.true(String(found.at(-1)?.start) <= today)
    t.is(
      found.reduce((sum, each) => sum + each.count, 0),
      1,
    )
  }
})

for (const [query, status, pointer, code] of [
  ['by=day&timeZone=Mars/Olympus', 422, 'query/timeZone', 'unknown_time_zone'],
  ['by=day&timeZone=%2B01:00', 422, 'query/timeZone', 'unknown_time_zone'],
  ['by=hour', 422, 'query/by', 'not_allowed'],
  ['by=day&time=title', 400, 'query/time', 'not_allowed'],
  ['by=day&time=secret', 400, 'query/time', 'unknown_field'],
  ['by=day&time=nothing', 400, 'query/time', 'unknown_field'],
  ['by=day&from=2026-02-30', 422, 'query/from', 'wrong_format'],
  ['by=day&from=2026-01-02&to=2026-01-01', 422, 'query/from', 'too_great'],
  ['by=day&from=2025-01-01&to=2026-12-31', 422, 'query/from', 'too_many'],
  ['by=week&from=1999-01-01&to=2026-12-31', 422, 'query/from', 'too_many'],
  ['by=month&to=9999-12-31', 422, 'query/to', 'out_of_range'],
  ['by=day&group=level', 400, 'query/group', 'not_allowed'],
  ['by=day&limit=5', 400, 'query/limit', 'not_allowed'],
  ['from=2026-01-01', 400, 'query/from', 'not_allowed'],
  ['timeZone=UTC', 400, 'query/timeZone', 'not_allowed'],
] as const)
  test(`counting in periods refuses ${query}`, async t => {
    const { body, ...answer } = await owner.get<ProblemBody>(`/v1/data/courses/aggregate?${query}`)
    t.like({ ...answer, body }, { status, body: { errors: [{ pointer, code }] } }, JSON.stringify(body))
  })

test('periods count the rows that the caller may read', async t => {
  const { id } = await create(owner, 'categories', { name: title('Periods of readers') })
  await create(owner, 'courses', { title: title(), category: id, published: true })
  await create(owner, 'courses', { title: title(), category: id })
  const total = async (client: Client) =>
    (await periods(client, `filter[category]=${id}&by=day`)).reduce((sum, { count }) => sum + count, 0)
  t.deepEqual([await total(member), await total(anonymous)], [2, 1])
  const stranger = await people.person()
  t.is(await total(stranger), 0)
  t.is((await anonymous.get('/v1/data/notes/aggregate?by=day')).status, 401)
})

test('a search ranks rows and marks what was found, as safe HTML', async t => {
  const word = `zebra${++count}`
  await create(owner, 'courses', { title: 'Other', summary: `Tom & Jerry: a ${word} is "an" <i>animal</i>` })
  await create(owner, 'courses', { title: `${word} ${word}` })
  await create(owner, 'courses', { title: 'Nothing' })
  const found = await list(owner, `courses?q=${word}&limit=1`)
  t.is(found[0]?.title, `${word} ${word}`)
  const all = await list(owner, `courses?q=${word}`)
  t.is(all.length, 2)
  const summary = String((all[1]?.highlights as Row | undefined)?.summary)
  t.regex(summary, new RegExp(`<mark>${word}</mark> is &#34;an&#34;`))
  t.false(summary.includes('<i>'))
  const page = await owner.get<Listed<Row>>(`/v1/data/courses?q=${word}&limit=1`)
  t.is((await list(owner, `courses?q=${word}&limit=1&cursor=${page.body.nextCursor}`))[0]?.title, 'Other')
  t.is((await owner.get('/v1/data/tags?q=x')).status, 400)
})

test('rejects values that an enum field does not have, and lists those that it has', async t => {
  for (const [query, hint] of [
    ['filter[level]=beginers', ' (did you mean "beginner"?)'],
    ['filter[level][ne]=x', ''],
    ['filter[level][in]=beginner,x', ''],
    ['filter[level][notIn]=x', ''],
    ['filter[level][gte]=x', ''],
    ['or[0][level]=x', ''],
  ]) {
    const { status, body } = await owner.get<ProblemBody>(`/v1/data/courses?${query}`)
    t.is(status, 422, query)
    t.deepEqual(
      body.errors,
      [
        {
          pointer: `query/${query?.split('=')[0]}`,
          code: 'wrong_type',
          detail: `must be one of beginner, advanced${hint}`,
        },
      ],
      query,
    )
  }
  for (const query of ['filter[level]=beginner', 'filter[level][startsWith]=beg', 'filter[level][exists]=true'])
    t.is((await owner.get(`/v1/data/courses?${query}`)).status, 200, query)
})

test('sorts by fields in repeated parameters, as generated clients send them', async t => {
  const word = `sorted${++count}`
  for (const [summary, price] of [
    [`${word} a`, 1],
    [`${word} b`, 2],
  ] as const)
    await owner.post('/v1/data/courses', { title: 'Same', summary, price })
  const found = await list(owner, `courses?q=${word}&sort=title&sort=-price`)
  t.deepEqual(
    found.map(({ price }) => price),
    [2, 1],
  )
  t.is((await owner.get('/v1/data/courses?sort=title&sort=nothing')).status, 400)
})

test('rejects parameters that are wrong or cost too much', async t => {
  for (const [query, status] of [
    ['filter[nothing]=1', 400],
    ['filter[title][like]=1', 400],
    ['filter[price]=abc', 422],
    ['filter[price][gt]=1.5', 422],
    ['filter[startsAt][gt]=now', 422],
    ['filter[published]=maybe', 422],
    ['filter[price][exists]=perhaps', 422],
    ['filter=1', 400],
    ['filter[]=1', 400],
    ['filter[a][b][c]=1', 400],
    ['or[x][title]=1', 400],
    ['nothing=1', 400],
    ['sort=nothing', 400],
    ['sort=summary', 400],
    ['sort=title,price,level,day', 400],
    ['fields=nothing', 400],
    ['expand=title', 400],
    ['expand=nothing', 400],
    ['expand=category.nothing', 400],
    ['cursor=abc', 400],
    ['limit=0', 422],
    ['limit=1000', 422],
    ['include=everything', 422],
    [`filter[price][in]=${Array.from({ length: 201 }, (_, at) => at).join(',')}`, 422],
    [Array.from({ length: 31 }, (_, at) => `or[${at % 5}][price]=${at}`).join('&'), 422],
    [Array.from({ length: 11 }, (_, at) => `or[${at}][price]=${at}`).join('&'), 400],
    ['filter[title]=a%00b', 422],
  ] as const) {
    const response = await owner.get<ProblemBody>(`/v1/data/courses?${query}`)
    t.true(
      [400, 422].includes(response.status) && (response.status === status || query.startsWith('or[')),
      `${query} ${response.status} ${JSON.stringify(response.body)}`,
    )
  }
  t.is((await owner.get('/v1/data/nothing')).status, 404)
  const { body } = await owner.get<Listed<Row>>('/v1/data/courses?limit=1&sort=title')
  t.is(
    (await owner.get<ProblemBody>(`/v1/data/courses?limit=1&sort=-title&cursor=${body.nextCursor}`)).body.code,
    'invalid_cursor',
  )
  t.is((await owner.get<ProblemBody>(`/v1/data/tags?cursor=${body.nextCursor}`)).body.code, 'invalid_cursor')
  const filtered = `/v1/data/courses?limit=1&filter[title][ne]=x&cursor=${body.nextCursor}`
  t.is((await owner.get<ProblemBody>(filtered)).body.code, 'invalid_cursor')
})

test('streams whole lists as CSV and NDJSON', async t => {
  const name = title('Streamed')
  for (let at = 0; at < 3; at++) {
    const rows = Array.from({ length: 400 }, (_, row) => ({
      title: row === 0 && at === 0 ? `${name} =1+1` : `${name} ${at}-${row}`,
      price: row,
    }))
    t.is((await owner.post('/v1/data/courses', rows)).status, 201)
  }
  const path = `/v1/data/courses?filter[title][startsWith]=${encodeURIComponent(name)}&fields=title,price&sort=createdAt`
  const headers = {
    authorization: `Bearer ${teacher.token}`,
    'x-tenant-id': owner.tenantId,
    accept: 'application/x-ndjson',
  }
  const text = await fetch(new URL(path, kernel.url), { headers })
  t.is(text.headers.get('content-type'), 'application/x-ndjson; charset=utf-8')
  const lines = (await text.text())
    .trim()
    .split('\n')
    .map(line => JSON.parse(line))
  t.is(new Set(lines.map(({ id }) => id)).size, 1200)
  const csv = await owner.get<string>(path, { headers: { accept: 'text/csv' } })
  const table = csv.body.trim().split('\r\n')
  t.is(table.length, 1201)
  t.deepEqual(table[0]?.split(',').sort(), ['id', 'price (EUR)', 'title'])
  t.is((await owner.get(`${path}&filter[price]=x`, { headers: { accept: 'text/csv' } })).status, 422)
})

test('an upsert creates a row once and changes it afterwards', async t => {
  const slug = `upsert-${++count}`
  const first = await owner.put<Row>('/v1/data/courses?by=slug', { title: 'A', slug, price: 1 })
  t.is(first.status, 201)
  const second = await owner.put<Row>('/v1/data/courses?by=slug', { title: 'B', slug })
  t.like(second, { status: 200, body: { id: first.body.id, title: 'B', price: 1, revision: 2 } })
  const results = await Promise.all(
    [1, 2, 3, 4].map(price => owner.put<Row>('/v1/data/courses?by=slug', { title: 'C', slug: `${slug}-race`, price })),
  )
  t.deepEqual(results.map(({ status }) => status).sort(), [200, 200, 200, 201])
  t.is((await owner.put('/v1/data/courses?by=title', { title: 'A', slug })).status, 400)
  t.is((await owner.put('/v1/data/courses?by=slug', { title: 'A' })).status, 422)
  const hidden = await create(owner, 'categories', { name: title('Hidden'), hidden: true })
  t.is((await teacher.put('/v1/data/categories?by=name', { name: hidden.name })).status, 409)
})

test('a batch applies all operations or none', async t => {
  const row = await create(owner, 'courses', { title: title() })
  const gone = await create(owner, 'courses', { title: title() })
  const slug = `batch-${++count}`
  const done = await owner.post<{ data: (Row | null)[] }>('/v1/data/courses/batch', {
    operations: [
      { action: 'create', data: { title: 'New', slug } },
      { action: 'update', id: row.id, data: { price: 9 }, revision: 1 },
      { action: 'upsert', by: 'slug', data: { title: 'Newer', slug } },
      { action: 'delete', id: gone.id },
    ],
  })
  t.is(done.status, 200, JSON.stringify(done.body))
  t.like(done.body.data, [{ slug }, { price: 9, revision: 2 }, { title: 'Newer', revision: 2 }, null])
  for (const [operation, status, pointer] of [
    [{ action: 'create', data: { title: 'x', slug } }, 409, '/operations/1/data/slug'],
    [{ action: 'update', id: row.id, data: { slug } }, 409, '/operations/1/data/slug'],
    [{ action: 'update', id: gone.id, data: { price: 1 } }, 404, '/operations/1'],
    [{ action: 'update', id: row.id, data: { price: 1 }, revision: 1 }, 412, '/operations/1'],
    [{ action: 'create', data: {} }, 422, '/operations/1/data/title'],
    [{ action: 'nothing' }, 422, '/operations/1/action'],
  ] as const) {
    const failed = await owner.post<ProblemBody>('/v1/data/courses/batch', {
      operations: [{ action: 'update', id: row.id, data: { price: 77 } }, operation],
    })
    t.is(failed.status, status, JSON.stringify(failed.body))
    t.is(failed.body.errors?.[0]?.pointer, pointer)
    t.is((await owner.get<Row>(`/v1/data/courses/${row.id}`)).body.price, 9)
  }
  const refused = await member.post('/v1/data/tags/batch', {
    operations: [{ action: 'delete', id: 'tag_00000000000000000000000000' }],
  })
  t.is(refused.status, 403)
})

test('a batch of many operations without an action is invalid', async t => {
  for (const count of [19, 20, 100]) {
    const operations = Array.from({ length: count }, () => ({}))
    const refused = await owner.post<ProblemBody>('/v1/data/courses/batch', { operations })
    t.is(refused.status, 422)
    t.deepEqual(refused.body.errors?.[0], { pointer: '/operations/0/action', code: 'required', detail: 'is required' })
  }
})

test('batches that write the same rows in opposite orders at the same time all succeed', async t => {
  const rows = await Promise.all(Array.from({ length: 8 }, () => create(owner, 'courses', { title: title() })))
  const slugs = Array.from({ length: 4 }, () => `opposite-${++count}`)
  const results = await Promise.all(
    Array.from({ length: 12 }, (_, price) => {
      const operations = [
        ...rows.map(({ id }) => ({ action: 'update', id, data: { price } })),
        ...[...slugs, ...rows.map(({ slug }) => slug)].map(slug => {
          return { action: 'upsert', by: 'slug', data: { title: 'Upserted', price, slug } }
        }),
      ]
      return owner.post('/v1/data/courses/batch', { operations: price % 2 ? operations : operations.reverse() })
    }),
  )
  t.deepEqual(new Set(results.map(({ status }) => status)), new Set([200]))
})

test('batches that create the same unique values in opposite orders at the same time create them once', async t => {
  for (let round = 0; round < 4; round++) {
    const slugs = Array.from({ length: 12 }, () => `taken-once-${++count}`)
    const results = await Promise.all(
      Array.from({ length: 8 }, (_, at) => {
        const operations = slugs.map(slug => ({ action: 'create', data: { title: 'Once', slug } }))
        return owner.post<ProblemBody>('/v1/data/courses/batch', {
          operations: at % 2 ? operations : operations.reverse(),
        })
      }),
    )
    t.deepEqual(results.map(({ status }) => status).sort(), [200, ...Array.from({ length: 7 }, () => 409)])
  }
})

test('a repeated request with an idempotency key creates one row', async t => {
  const body = { title: title('Once') }
  const headers = { 'idempotency-key': `key-${count}` }
  const [first, second] = [
    await owner.post<Row>('/v1/data/courses', body, { headers }),
    await owner.post<Row>('/v1/data/courses', body, { headers }),
  ]
  t.is(first.status, 201)
  t.deepEqual(second.body, first.body)
  t.is((await list(owner, `courses?filter[title]=${encodeURIComponent(body.title)}`)).length, 1)
})

test('a referenced row is not deleted, and rows in the trash are gone', async t => {
  const category = await create(owner, 'categories', { name: title('Used') })
  const course = await create(owner, 'courses', { title: title(), category: category.id })
  t.like(await owner.delete<ProblemBody>(`/v1/data/categories/${category.id}`), {
    status: 409,
    body: { code: 'row_in_use' },
  })
  await owner.delete(`/v1/data/courses/${course.id}`)
  t.is((await owner.delete(`/v1/data/categories/${category.id}`)).status, 204)
  const parent = await create(member, 'notes', { text: 'parent' })
  const child = await create(member, 'notes', { text: 'child', parent: parent.id })
  t.is((await teacher.get(`/v1/data/notes/${parent.id}`)).status, 404)
  t.is((await teacher.patch(`/v1/data/notes/${parent.id}`, { text: 'x' })).status, 404)
  t.is((await teacher.delete(`/v1/data/notes/${parent.id}`)).status, 404)
  t.is((await member.delete(`/v1/data/notes/${parent.id}`)).status, 204)
  for (const { id } of [parent, child]) t.is((await member.get(`/v1/data/notes/${id}`)).status, 404)
  t.is((await member.post('/v1/data/notes', { text: 'x', parent: parent.id })).status, 422)
})

test('changes of one row at the same time are serialized', async t => {
  const row = await create(owner, 'courses', { title: title() })
  const results = await Promise.all(
    [1, 2, 3, 4, 5].map(price =>
      owner.patch(`/v1/data/courses/${row.id}`, { price }, { headers: { 'if-match': '"1"' } }),
    ),
  )
  t.deepEqual(results.map(({ status }) => status).sort(), [200, 412, 412, 412, 412])
})

interface ApiOperation {
  operationId: string
  /** Those that other routes share are references. */
  parameters: { name?: string; description?: string; schema: unknown }[]
  'x-larder-collection'?: unknown
  requestBody?: unknown
}
interface ApiDocument {
  paths: Record<string, Record<string, ApiOperation>>
  components: { schemas: Record<string, { required?: string[]; properties?: Record<string, unknown> }> }
}
test('the API document names the shapes of each collection and describes its fields', async t => {
  const { body } = await owner.get<ApiDocument>('/v1/platform/openapi.json')
  const { schemas } = body.components
  for (const name of [
    'DataCourseRow',
    'ListOfDataCourseRows',
    'NewDataCourseRow',
    'ChangedDataCourseRow',
    'GroupOfDataCourseRows',
    'BatchOfDataCourseRows',
    'DataCategoryRow',
    'DataTagRow',
  ])
    t.truthy(schemas[name], name)
  t.deepEqual(schemas.NewDataCourseRow?.required, ['title'])
  t.false('secret' in (schemas.DataCourseRow?.properties ?? {}))
  t.false(schemas.DataCourseRow?.required?.includes('notes') ?? true)
  t.true(schemas.DataCourseRow?.required?.includes('slug') ?? false)
  t.like(body.paths['/v1/data/courses'], {
    get: { operationId: 'listDataCourses' },
    post: {
      operationId: 'createDataCourse',
      requestBody: {
        content: { 'application/json': { schema: { $ref: '#/components/schemas/NewDataCourseRowOrRows' } } },
      },
    },
    put: { operationId: 'upsertDataCourse' },
  })
  t.like(body.paths['/v1/data/courses']?.get?.['x-larder-collection'], {
    name: 'courses',
    schemas: { row: 'DataCourseRow' },
    fields: {
      title: { type: 'text', sortable: true },
      price: { type: 'money', currency: 'EUR' },
      tags: { type: 'reference', reference: { to: 'tags', many: true } },
      data: undefined,
      outline: { type: 'json', operators: ['exists'], sortable: false },
    },
    expandable: ['category', 'tags'],
    searchable: true,
  })
})

test('the API document types the filters and the order of each list', async t => {
  const { body } = await owner.get<ApiDocument>('/v1/platform/openapi.json')
  const level = { type: 'string', enum: ['beginner', 'advanced'] }
  for (const path of ['/v1/data/courses', '/v1/data/courses/aggregate']) {
    const parameters = new Map(body.paths[path]?.get?.parameters.map(each => [each.name ?? '', each]))
    const schemaOf = (name: string) => parameters.get(name)?.schema
    t.deepEqual(schemaOf('filter[level]'), level)
    t.deepEqual(schemaOf('filter[level][ne]'), level)
    t.deepEqual(schemaOf('filter[level][startsWith]'), { type: 'string' })
    t.deepEqual(schemaOf('filter[level][in]'), { type: 'array', maxItems: 200, items: level })
    t.deepEqual(schemaOf('filter[price][lte]'), { type: 'integer' })
    t.deepEqual(schemaOf('filter[startsAt][gt]'), { type: 'string', format: 'date-time' })
    t.deepEqual(schemaOf('filter[published]'), { type: 'boolean' })
    t.deepEqual(schemaOf('filter[outline][exists]'), { type: 'boolean' })
    t.deepEqual(schemaOf('filter[createdAt][gte]'), { type: 'string', format: 'date-time' })
    t.regex(parameters.get('filter[price][lte]')?.description ?? '', /price is at most/)
    t.regex(parameters.get('filter[category]')?.description ?? '', /filter\[category\.field\]/)
    t.false([...parameters.keys()].some(name => name.includes('secret') || name === 'filter[outline]'))
  }
  const sort = body.paths['/v1/data/courses']?.get?.parameters.find(({ name }) => name === 'sort')
  t.like(sort?.schema, { type: 'array', maxItems: 3 })
  const names = (sort?.schema as { items: { enum: string[] } } | undefined)?.items.enum ?? []
  for (const name of ['title', '-price', 'createdAt', '-updatedAt']) t.true(names.includes(name), name)
  t.false(names.some(name => /summary|secret|outline/.test(name)))
})

test('the API document types two alternatives, an exclusion and references, and lists take each of its parameters', async t => {
  const { body } = await owner.get<ApiDocument>('/v1/platform/openapi.json')
  const level = { type: 'string', enum: ['beginner', 'advanced'] }
  const parameters = body.paths['/v1/data/courses']?.get?.parameters ?? []
  const schemas = new Map(parameters.map(({ name = '', schema }) => [name, schema]))
  t.deepEqual(schemas.get('or[0][level]'), level)
  t.deepEqual(schemas.get('or[1][price][lte]'), { type: 'integer' })
  t.deepEqual(schemas.get('filter[not][level]'), level)
  t.deepEqual(schemas.get('filter[not][level][in]'), { type: 'array', maxItems: 200, items: level })
  t.deepEqual(schemas.get('filter[category.name]'), { type: 'string' })
  t.deepEqual(schemas.get('or[0][category.name]'), { type: 'string' })
  const groups = [...schemas.keys()].filter(name => /^or\[|^filter\[not\]|\./.test(name))
  t.true(groups.length > 30)
  t.false(groups.some(name => name.includes('secret')))
  for (const name of groups) {
    const {
      type,
      enum: values,
      format,
      items,
    } = schemas.get(name) as {
      type: string
      enum?: string[]
      format?: string
      items?: { type: string; enum?: string[]; format?: string }
    }
    const of = type === 'array' ? (items ?? { type: 'string' }) : { type, enum: values, format }
    const value =
      of.enum?.[0] ??
      (of.format === 'date-time'
        ? '2026-01-31T12:00:00Z'
        : of.format === 'date'
          ? '2026-01-31'
          : of.type === 'boolean'
            ? 'true'
            : of.type === 'string'
              ? '1h'
              : '1')
    const { status } = await owner.get(`/v1/data/courses?${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
    t.is(status, 200, name)
  }
})

test('takes values with commas in a list, in quotes or in repeated parameters', async t => {
  const all = ['comma, one', 'comma "two", x', 'comma three', '5" comma']
  for (const title of all) await owner.post('/v1/data/courses', { title })
  const found = async (query: string) =>
    (await list(owner, `courses?filter[title][contains]=comma&sort=title&${query}`)).map(({ title }) => title)
  const given = async (text: string) => found(`filter[title][in]=${encodeURIComponent(text)}`)
  t.deepEqual(await given('"comma, one",comma three'), ['comma three', 'comma, one'])
  t.deepEqual(await given('"comma ""two"", x"'), ['comma "two", x'])
  t.deepEqual(await given('5" comma,comma three'), ['5" comma', 'comma three'])
  t.deepEqual(await found('filter[title][in]=comma, one&filter[title][in]=none'), ['comma, one'])
  t.deepEqual(await found('filter[title][notIn]="comma, one"'), ['5" comma', 'comma "two", x', 'comma three'])
})

test('makes a readable slug from a title in any script', async t => {
  for (const [title, slug] of [
    ['Привет', 'privet'],
    ['Smørrebrød', 'smorrebrod'],
    ['🎈🎈', 'balloon-balloon'],
  ])
    t.is((await owner.post<Row>('/v1/data/courses', { title })).body.slug, slug)
  t.regex(String((await owner.post<Row>('/v1/data/courses', { title: '??' })).body.slug), /^course(-\d+)?$/)
})

test('finds the parts of joined words and the whole', async t => {
  const mark = `joined${++count}`
  const texts = [
    'Alpha/Beta',
    'report_final.pdf',
    'TCP/IP',
    'node.js',
    'https://shop.example.com/path',
    'ada@mail.example',
  ]
  for (const text of texts) await create(owner, 'courses', { title: `${mark} ${text}` })
  const found = async (q: string) =>
    (await list(owner, `courses?q=${encodeURIComponent(`${mark} ${q}`)}`)).map(
      ({ title }) => String(title).split(' ')[1],
    )
  for (const [q, text] of [
    ['beta', 'Alpha/Beta'],
    ['alpha/beta', 'Alpha/Beta'],
    ['report', 'report_final.pdf'],
    ['final', 'report_final.pdf'],
    ['report_final.pdf', 'report_final.pdf'],
    ['TCP', 'TCP/IP'],
    ['tcp/ip', 'TCP/IP'],
    ['node', 'node.js'],
    ['node.js', 'node.js'],
    ['shop', 'https://shop.example.com/path'],
    ['example.com', 'https://shop.example.com/path'],
    ['https://shop.example.com/path', 'https://shop.example.com/path'],
    ['ada', 'ada@mail.example'],
    ['ada@mail.example', 'ada@mail.example'],
  ] as const)
    t.deepEqual(await found(q), [text], q)
  for (const [q, text] of [
    ['pat*', 'https://shop.example.com/path'],
    ['https://shop.exa*', 'https://shop.example.com/path'],
    ['shop exa*', 'https://shop.example.com/path'],
    ['-node.js rep*', 'report_final.pdf'],
    ['final*', 'report_final.pdf'],
  ] as const)
    t.deepEqual(await found(q), [text], q)
  for (const q of ["tcp'*", "'*", '*', '\\*', ':*', '&*', "rep' | 'a*", 'xyz*'])
    t.true(Array.isArray(await found(q)), q)
  t.deepEqual(await found('-node.js -shop -ada -tcp -beta'), ['report_final.pdf'])
  const [row] = await list(owner, `courses?q=${mark}%20beta`)
  t.like(row?.highlights, { title: `<mark>${mark}</mark> Alpha/<mark>Beta</mark>` })
})

for (const [about, text] of [
  ['is empty', ''],
  ['has spaces alone', ' \t\u00a0'],
  ['has invisible characters alone', '\u200b\u2060\u00ad'],
] as const)
  test(`a required text that ${about} is missing, in a new row, a change, an upsert and a batch`, async t => {
    const { body: row } = await owner.post<Row>('/v1/data/courses', { title: title() })
    const answers = [
      await owner.post('/v1/data/courses', { title: text }),
      await owner.patch(`/v1/data/courses/${row.id}`, { title: text }),
      await owner.put('/v1/data/courses?by=slug', { title: text, slug: row.slug }),
      await owner.post('/v1/data/courses/batch', { operations: [{ action: 'create', data: { title: text } }] }),
    ]
    for (const { status, body } of answers) {
      t.is(status, 422)
      t.like((body as { errors: object[] }).errors[0], { code: 'required' })
    }
  })

test('the API document says that a required text shows something', t => {
  const { components } = kernel.kernel.ports.http.openapi() as unknown as {
    components: { schemas: Record<string, { properties: Record<string, object> }> }
  }
  for (const name of ['NewDataCourseRow', 'ChangedDataCourseRow'])
    t.like(components.schemas[name]?.properties.title, { type: 'string', minLength: 1, pattern: '\\S' })
})

test('a row whose required text is empty from before stays readable, and writable in other fields', async t => {
  const { body: row } = await owner.post<Row>('/v1/data/courses', { title: title() })
  const unit = kernel.kernel.ports.database.tenant(owner.tenantId)
  await unit.query("update data_courses set title = '' where id = $1", [row.id])
  t.is((await owner.get<Row>(`/v1/data/courses/${row.id}`)).body.title, '')
  t.is((await owner.patch(`/v1/data/courses/${row.id}`, { price: 100 })).status, 200)
})
