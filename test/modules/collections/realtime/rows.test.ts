import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import anyTest, { type TestFn } from 'ava'
import { type Client, type Person, startTestKernel, type TestKernel } from '../../../../testing/index.ts'
import { createTestClock, type TestClock } from '../../../fixtures/clock.ts'
import { type Colleague, type People, peopleOf } from '../../../fixtures/people.ts'
import { join, type TopicClient } from '../../../fixtures/topics.ts'

interface Row {
  id: string
  [field: string]: unknown
}
interface Context {
  clock: TestClock
  kernel: TestKernel
  people: People
  ada: Person
  student: Colleague
  tutor: Colleague
}
const test = anyTest as TestFn<Context>

const READERS = { 'tenant.member': true, 'tenant.tutor': true }
const recipe = {
  modules: { identity: {}, billing: {}, collections: {} },
  plans: { free: { name: 'Free', price: 0 } },
  roles: {
    'tenant.student': { name: 'Student', permissions: [] },
    'tenant.tutor': { name: 'Tutor', permissions: [] },
    'tenant.guest': { name: 'Guest', permissions: [] },
  },
  collections: {
    countries: {
      scope: 'shared',
      fields: { code: { type: 'text', required: true } },
      access: { read: { 'tenant.member': true, 'tenant.student': true } },
    },
    courses: {
      fields: {
        title: { type: 'text', required: true, unique: true },
        level: { type: 'enum', values: ['beginner', 'advanced'] },
        published: { type: 'boolean', default: false },
        remarks: { type: 'text', read: ['tenant.tutor'] },
        secret: { type: 'text', private: true },
        subject: { type: 'reference', to: 'subjects' },
      },
      access: { read: { ...READERS, 'tenant.student': { published: true }, anyone: { published: true } } },
    },
    subjects: {
      fields: { name: { type: 'text', required: true }, open: { type: 'boolean', default: false } },
      access: { read: { ...READERS, 'tenant.student': { open: true } } },
    },
    lessons: {
      fields: {
        course: { type: 'reference', to: 'courses', required: true, onDelete: 'cascade' },
        title: { type: 'text' },
      },
      access: { read: { ...READERS, 'tenant.student': { 'course.published': true } } },
    },
  },
}

test.before(async t => {
  const clock = createTestClock()
  const kernel = await startTestKernel({ recipe, clock })
  // Positions from the first seconds of a process are older than its log.
  clock.forward(10_000)
  const people = peopleOf(kernel)
  const ada = await people.person('Ada')
  t.context = {
    kernel,
    people,
    ada,
    clock,
    student: await people.colleague(ada, ['tenant.student']),
    tutor: await people.colleague(ada, ['tenant.tutor']),
  }
})
test.after.always(t => t.context.kernel?.stop())

let count = 0
const titled = (more: object = {}) => ({ title: `Course ${++count}`, ...more })

async function create(client: Client, collection: string, body: object): Promise<Row> {
  const made = await client.post<Row>(`/v1/data/${collection}`, body)
  if (made.status !== 201) throw new Error(JSON.stringify(made.body))
  return made.body
}

async function setRole(owner: Client, { userId }: Colleague, role: string): Promise<void> {
  const { body } = await owner.get('/v1/identity/members')
  const member = body.data.find(found => found.userId === userId)
  const set = await owner.patch(`/v1/identity/members/${member?.id}`, { roles: [role] })
  if (set.status !== 200) throw new Error(JSON.stringify(set.body))
}

/** A socket with one subscription. Changes of other tests arrive as well, so `next` waits for one of these rows. */
async function subscribed(
  url: string,
  who: { token?: string; tenantId?: string },
  params: object,
  more: object = {},
): Promise<{ client: TopicClient; next(...ids: string[]): Promise<Record<string, unknown>> }> {
  const client = await join(url, who, more)
  const reply = await client.subscribe('collections.rows', params)
  if (reply.type !== 'subscribed') throw new Error(JSON.stringify(reply))
  return {
    client,
    async next(...ids) {
      for (;;) {
        const { message } = (await client.next('message')).data as { message: Record<string, unknown> }
        if (ids.includes(String(message.id))) return message
      }
    },
  }
}

test('delivers created, updated and deleted rows', async t => {
  const { kernel, ada } = t.context
  const { client, next } = await subscribed(kernel.url, ada, { collection: 'courses' })
  const row = await create(ada, 'courses', titled({ secret: 'never', remarks: 'owners read all fields' }))
  const created = await next(row.id)
  t.deepEqual(created, { type: 'created', collection: 'courses', id: row.id, row })
  t.false(JSON.stringify(created).includes('never'))

  const { body: changed } = await ada.patch<Row>(`/v1/data/courses/${row.id}`, { level: 'advanced', secret: 'other' })
  const update = { type: 'updated', collection: 'courses', id: row.id, row: changed, changed: ['level'] }
  t.deepEqual(await next(row.id), update)

  await ada.delete(`/v1/data/courses/${row.id}`)
  t.deepEqual(await next(row.id), { type: 'deleted', collection: 'courses', id: row.id })
  client.cut()
})

test('delivers rows of lists, upserts and batches', async t => {
  const { kernel, ada } = t.context
  const { client, next } = await subscribed(kernel.url, ada, { collection: 'courses' })
  const { body: list } = await ada.post<{ data: Row[] }>('/v1/data/courses', [titled(), titled()])
  const ids = list.data.map(({ id }) => id)
  t.deepEqual([(await next(...ids)).id, (await next(...ids)).id], ids)
  const upsert = { title: list.data[0]?.title, level: 'beginner' }
  t.is((await ada.put('/v1/data/courses?by=title', upsert)).status, 200)
  t.like(await next(...ids), { type: 'updated', id: ids[0], changed: ['level'] })
  const operations = [
    { action: 'update', id: ids[0], data: { published: true } },
    { action: 'delete', id: ids[1] },
  ]
  t.is((await ada.post('/v1/data/courses/batch', { operations })).status, 200)
  t.like(await next(...ids), { type: 'updated', id: ids[0], changed: ['published'] })
  t.like(await next(...ids), { type: 'deleted', id: ids[1] })
  client.cut()
})

test('a batch that fails sends nothing', async t => {
  const { kernel, ada } = t.context
  const row = await create(ada, 'courses', titled())
  const { client, next } = await subscribed(kernel.url, ada, { collection: 'courses' })
  const operations = [
    { action: 'update', id: row.id, data: { level: 'advanced' } },
    { action: 'create', data: { title: row.title } },
  ]
  t.is((await ada.post('/v1/data/courses/batch', { operations })).status, 409)
  await ada.patch(`/v1/data/courses/${row.id}`, { level: 'beginner' })
  let message = await next(row.id)
  // The creation can arrive after the start of the subscription.
  if (message.type === 'created') message = await next(row.id)
  t.like(message, { type: 'updated', row: { level: 'beginner' } })
  client.cut()
})

test('rows of other tenants never arrive', async t => {
  const { kernel, ada, people } = t.context
  const other = await people.person('Ben')
  const { client, next } = await subscribed(kernel.url, other, { collection: 'courses' })
  const foreign = await create(ada, 'courses', titled())
  const own = await create(other, 'courses', titled())
  t.like(await next(foreign.id, own.id), { id: own.id })
  client.cut()
})

test('each subscriber receives the rows and fields that its roles open', async t => {
  const { kernel, ada, student, tutor } = t.context
  const pupil = await subscribed(kernel.url, student, { collection: 'courses' })
  const teacher = await subscribed(kernel.url, tutor, { collection: 'courses' })
  const row = await create(ada, 'courses', titled({ remarks: 'for tutors' }))
  const visible = await create(ada, 'courses', titled({ published: true, remarks: 'for tutors' }))
  t.like(await teacher.next(row.id, visible.id), { id: row.id, row: { remarks: 'for tutors' } })
  const seen = await pupil.next(row.id, visible.id)
  t.is(seen.id, visible.id)
  t.false(Object.hasOwn(seen.row as object, 'remarks'))

  // The row comes into view, changes in a field that students can't read, and leaves.
  const path = `/v1/data/courses/${row.id}`
  await ada.patch(path, { published: true, remarks: 'ready' })
  t.like(await pupil.next(row.id), { type: 'created', row: { published: true } })
  await ada.patch(path, { remarks: 'hidden', level: 'advanced' })
  t.like(await pupil.next(row.id), { type: 'updated', changed: ['level'] })
  await ada.patch(path, { published: false })
  t.deepEqual(await pupil.next(row.id), { type: 'deleted', collection: 'courses', id: row.id })

  // Changes and the deletion of a hidden row don't arrive.
  await ada.patch(path, { level: 'beginner' })
  await ada.delete(path)
  await ada.delete(`/v1/data/courses/${visible.id}`)
  t.like(await pupil.next(row.id, visible.id), { type: 'deleted', id: visible.id })
  pupil.client.cut()
  teacher.client.cut()
})

test('rules follow references', async t => {
  const { kernel, ada, student } = t.context
  const { client, next } = await subscribed(kernel.url, student, { collection: 'lessons' })
  const draft = await create(ada, 'courses', titled())
  const course = await create(ada, 'courses', titled({ published: true }))
  const hidden = await create(ada, 'lessons', { course: draft.id, title: 'hidden' })
  const lesson = await create(ada, 'lessons', { course: course.id, title: 'shown' })
  t.like(await next(hidden.id, lesson.id), { type: 'created', id: lesson.id, row: { course: course.id } })
  await ada.patch(`/v1/data/lessons/${lesson.id}`, { course: draft.id })
  t.like(await next(hidden.id, lesson.id), { type: 'deleted', id: lesson.id })
  await ada.patch(`/v1/data/lessons/${hidden.id}`, { course: course.id })
  t.like(await next(hidden.id, lesson.id), { type: 'created', id: hidden.id })
  client.cut()
})

test('references to rows that a subscriber cannot read are null, also in filters', async t => {
  const { kernel, ada, student } = t.context
  const closed = await create(ada, 'subjects', { name: 'Closed' })
  const open = await create(ada, 'subjects', { name: 'Open', open: true })
  const all = await subscribed(kernel.url, student, { collection: 'courses' })
  const filtered = await subscribed(kernel.url, student, {
    collection: 'courses',
    filter: { 'subject.name': { in: ['Closed', 'Open'] } },
  })
  const row = await create(ada, 'courses', titled({ published: true, subject: closed.id }))
  t.like(await all.next(row.id), { type: 'created', row: { subject: null } })
  await ada.patch(`/v1/data/courses/${row.id}`, { subject: open.id })
  t.like(await all.next(row.id), { type: 'updated', row: { subject: open.id }, changed: ['subject'] })
  t.like(await filtered.next(row.id), { type: 'created', row: { subject: open.id } })
  all.client.cut()
  filtered.client.cut()
})

test('deletions with a row that is referred to arrive', async t => {
  const { kernel, ada } = t.context
  const { client, next } = await subscribed(kernel.url, ada, { collection: 'lessons' })
  const course = await create(ada, 'courses', titled())
  const lesson = await create(ada, 'lessons', { course: course.id })
  t.like(await next(lesson.id), { type: 'created' })
  t.is((await ada.delete(`/v1/data/courses/${course.id}`)).status, 204)
  t.like(await next(lesson.id), { type: 'deleted' })
  client.cut()
})

test('a filter selects rows before and after a change', async t => {
  const { kernel, ada } = t.context
  const params = { collection: 'courses', filter: { level: 'beginner', title: { startsWith: 'Course' } } }
  const { client, next } = await subscribed(kernel.url, ada, params)
  const other = await create(ada, 'courses', titled({ level: 'advanced' }))
  const row = await create(ada, 'courses', titled({ level: 'beginner' }))
  t.like(await next(other.id, row.id), { type: 'created', id: row.id })
  await ada.patch(`/v1/data/courses/${row.id}`, { level: 'advanced' })
  t.like(await next(other.id, row.id), { type: 'deleted', id: row.id })
  await ada.patch(`/v1/data/courses/${other.id}`, { level: 'beginner' })
  t.like(await next(other.id, row.id), { type: 'created', id: other.id })
  client.cut()
})

test('a filter with or and not selects rows', async t => {
  const { kernel, ada } = t.context
  const filter = { or: [{ level: 'beginner' }, { title: { startsWith: 'Only' } }], not: { published: true } }
  const { client, next } = await subscribed(kernel.url, ada, { collection: 'courses', filter })
  const outside = await create(ada, 'courses', titled({ level: 'beginner', published: true }))
  const other = await create(ada, 'courses', titled({ level: 'advanced' }))
  const row = await create(ada, 'courses', titled({ level: 'beginner' }))
  t.like(await next(outside.id, other.id, row.id), { type: 'created', id: row.id })
  client.cut()
})

test('rejects filters with unknown or unreadable fields, operators and values', async t => {
  const { kernel, student } = t.context
  const client = await join(kernel.url, student)
  const errorOf = async (filter: unknown) => {
    const { type, data } = await client.subscribe('collections.rows', { collection: 'courses', filter })
    t.is(type, 'error', JSON.stringify(filter))
    return data as { code: string; errors?: { pointer: string; code: string }[] }
  }
  for (const name of ['nope', 'remarks', 'secret', 'subject.nope', 'title.name'])
    t.like(await errorOf({ [name]: 'x' }), {
      code: 'validation_failed',
      errors: [{ pointer: `/filter/${name}`, code: 'unknown_field' }],
    })
  t.like(await errorOf({ published: { gt: 1 } }), {
    errors: [{ pointer: '/filter/published/gt', code: 'unknown_operator' }],
  })
  t.like(await errorOf({ published: 5 }), { errors: [{ pointer: '/filter/published/eq', code: 'wrong_type' }] })
  for (const filter of [
    { title: null },
    { title: ['a'] },
    { title: { like: 'a' } },
    'title',
    [],
    { not: { secret: 'x' } },
    { or: [{ not: { remarks: 'x' } }] },
    { or: [] },
    { or: [{}] },
    { or: ['a'] },
    { not: 'a' },
    { not: { not: { not: { not: { title: 'a' } } } } },
    { or: [{ title: { in: 5 } }] },
  ])
    t.is((await errorOf(filter)).code, 'validation_failed')
  client.cut()
})

test('unknown collections, and those without access, are not found', async t => {
  const { kernel, ada, people } = t.context
  const guest = await people.colleague(ada, ['tenant.guest'])
  const client = await join(kernel.url, guest)
  for (const collection of ['nope', 'subjects', '__proto__'])
    t.like(await client.subscribe('collections.rows', { collection }), { type: 'error', data: { code: 'not_found' } })
  client.cut()
})

test('the subscription ends when the member loses the right', async t => {
  const { kernel, ada, people } = t.context
  const member = await people.colleague(ada, ['tenant.tutor'])
  const { client } = await subscribed(kernel.url, member, { collection: 'subjects' })
  await setRole(ada, member, 'tenant.guest')
  t.like(await client.next('unsubscribed'), { data: { subscription: 's', reason: 'not_found' } })
  client.cut()
})

test('the subscription ends when its filter names a field that the member may no longer read', async t => {
  const { kernel, ada, people } = t.context
  const member = await people.colleague(ada, ['tenant.tutor'])
  const { client } = await subscribed(kernel.url, member, { collection: 'courses', filter: { remarks: 'x' } })
  await setRole(ada, member, 'tenant.student')
  t.like(await client.next('unsubscribed'), { data: { subscription: 's', reason: 'validation_failed' } })
  client.cut()
})

test('anonymous clients receive the rows that anyone may read', async t => {
  const { kernel, ada } = t.context
  const who = { tenantId: ada.tenantId }
  const { client, next } = await subscribed(kernel.url, who, { collection: 'courses' }, { anonymous: true })
  const draft = await create(ada, 'courses', titled({ remarks: 'internal' }))
  const row = await create(ada, 'courses', titled({ published: true, remarks: 'internal' }))
  const seen = await next(draft.id, row.id)
  t.like(seen, { type: 'created', id: row.id })
  t.false(JSON.stringify(seen).includes('internal'))
  t.false(JSON.stringify(seen).includes(ada.userId), 'nor who created the row')
  const refused = await client.request('subscribe', {
    subscription: 'other',
    topic: 'collections.rows',
    params: { collection: 'subjects' },
  })
  t.like(refused, { type: 'error', data: { code: 'not_found' } })
  client.cut()
})

test('members of every tenant receive rows of a shared collection', async t => {
  const { kernel, student, people } = t.context
  const operator = await people.operator()
  const { client, next } = await subscribed(kernel.url, student, { collection: 'countries' })
  const country = await create(operator, 'countries', { code: 'de' })
  t.like(await next(country.id), { type: 'created', row: { code: 'de' } })
  client.cut()
})

test('clients resume after a reconnect', async t => {
  const { kernel, ada, clock } = t.context
  const first = await join(kernel.url, ada)
  const { data } = await first.subscribe('collections.rows', { collection: 'courses' })
  first.cut()
  const row = await create(ada, 'courses', titled())
  const second = await join(kernel.url, ada, { lastPing: clock.now() })
  const reply = await second.subscribe('collections.rows', { collection: 'courses' }, { after: String(data.position) })
  t.true(reply.data.resumed)
  const ids: string[] = []
  while (!ids.includes(row.id)) {
    const { message } = (await second.next('message')).data as { message: { id: string } }
    ids.push(message.id)
  }
  second.cut()
})

test.serial('reads the references for many subscriptions together', async t => {
  const { kernel, ada, student, tutor } = t.context
  const subject = await create(ada, 'subjects', { name: 'Shared', open: true })
  const clients = [await join(kernel.url, student), await join(kernel.url, tutor)]
  for (const client of clients)
    for (let n = 0; n < 100; n++) {
      const params = { collection: 'courses', filter: { 'subject.name': { ne: `Other ${n}` } } }
      t.is((await client.subscribe('collections.rows', params, { subscription: `s${n}` })).type, 'subscribed')
    }
  let statements = 0
  const count = (message: unknown) => {
    statements += (message as { statements: readonly unknown[] }).statements.length
  }
  subscribe('tracing:larder.postgres.batch:start', count)
  t.teardown(() => unsubscribe('tracing:larder.postgres.batch:start', count))
  await create(ada, 'courses', titled({ published: true, subject: subject.id }))
  for (const client of clients) for (let n = 0; n < 100; n++) await client.next('message')
  // Each subscription by itself would take 200; a busy machine sends them in a few groups.
  t.true(statements > 0 && statements < 100, String(statements))
  for (const client of clients) client.cut()
})

test.serial('a subscription whose rights end during writes receives nothing after that', async t => {
  const { kernel, ada, people } = t.context
  const colleague = await people.colleague(ada, ['tenant.tutor'])
  const client = await join(kernel.url, colleague)
  await client.subscribe('collections.rows', { collection: 'subjects' })
  const { data } = (await ada.get('/v1/identity/members?limit=200')).body
  const member = data.find(({ userId }) => userId === colleague.userId)
  const writes = Array.from({ length: 20 }, () => create(ada, 'subjects', { name: 'For tutors' }))
  const change = ada.patch(`/v1/identity/members/${member?.id}`, { roles: ['tenant.guest'] })
  await Promise.all([...writes, change])
  t.like(await client.next('unsubscribed'), { data: { reason: 'not_found' } })
  const before = client.waiting.length
  await create(ada, 'subjects', { name: 'Later' })
  client.send({ type: 'ping', data: {} })
  await client.next('pong')
  t.is(client.waiting.length, before)
  client.cut()
})
