import test from 'ava'
import { newEmail } from '../../../fixtures/people.ts'
import { withPeople } from '../../../fixtures/with-people.ts'
import { courses } from '../academy/collections.ts'
import { academyRecipe } from '../fixtures.ts'

type Row = Record<string, never>

const { kernel, ada } = withPeople(test, { recipe: academyRecipe }, { ada: 'owner' })

async function create(values: object, collection = 'courses') {
  return ada.post<Row>(`/v1/data/${collection}`, values)
}
async function logged(): Promise<string[]> {
  const { rows } = await kernel.kernel.ports.database
    .tenant(ada.tenantId)
    .query<{ line: string }>('select line from academy_log order by id')
  return rows.map(({ line }) => line)
}
const rowsOf = (tenantId = ada.tenantId) => kernel.kernel.ports.collections.rows(courses, { tenantId })

test.serial('sets values before a row is created, whether or not the caller may', async t => {
  const { status, body } = await create({ title: 'Algebra', seats: 2 })
  t.is(status, 201, JSON.stringify(body))
  t.like(body, { code: 'C-7', slug: 'algebra', booked: 0, left: 2, level: 'beginner' })
  t.false('note' in body)
  t.is((await rowsOf().get(body.id as never)).note, 'Algebra (beginner)')
  t.true((await logged()).includes('created Algebra'))
  t.is((await create({ title: 'Own code', code: 'X' })).status, 422)
})

test.serial('reports what `validate` finds, with the index of the row', async t => {
  const { status, body } = await create([{ title: 'Fine' }, { title: 'Forbidden' }] as never)
  t.is(status, 422)
  t.deepEqual(body.errors as unknown, [{ pointer: '/1/title', code: 'invalid', detail: 'must not be Forbidden' }])
  t.false((await logged()).includes('created Fine'))
  const missing = await create({ seats: 1 })
  t.is(missing.status, 422)
})

test.serial('calls hooks of a change with the values before and after it', async t => {
  const { body } = await create({ title: 'Botany', seats: 5 })
  const changed = await ada.patch<Row>(`/v1/data/courses/${body.id}`, { title: 'Biology', seats: 5 })
  t.is(changed.status, 200)
  t.true((await logged()).includes('Botany → Biology: title'))
  t.is((await rowsOf().get(body.id as never)).note, 'Biology (beginner)')
  const lines = (await logged()).length
  t.is((await ada.patch<Row>(`/v1/data/courses/${body.id}`, { title: 'Biology' })).body.revision as unknown, 2)
  t.is((await logged()).length, lines)
})

test.serial('computes values from those that a hook before the update sets', async t => {
  const { body } = await create({ title: 'Simple' })
  await ada.patch<Row>(`/v1/data/courses/${body.id}`, { title: 'Upgraded' })
  t.is((await rowsOf().get(body.id as never)).note, 'Upgraded (advanced)')
})

test.serial('rolls back everything if a hook throws a problem', async t => {
  const course = (await create({ title: 'Small', seats: 1 })).body
  t.is((await create({ course: course.id, student: 'a@example.test' }, 'enrolments')).status, 201)
  const full = await create({ course: course.id, student: 'b@example.test' }, 'enrolments')
  t.is(full.status, 409)
  t.is(full.body.code as unknown, 'course_full')
  t.like(await rowsOf().get(course.id as never), { booked: 1, left: 0, revision: 2 })
  const { body } = await ada.get<{ data: unknown[] }>(`/v1/data/enrolments?filter[course]=${course.id}`)
  t.is(body.data.length, 1)
  const fewer = await ada.patch<Row>(`/v1/data/courses/${course.id}`, { seats: 0 })
  t.deepEqual(fewer.body.errors as unknown, [{ pointer: '/seats', code: 'invalid', detail: 'must be at least 1' }])
})

test.serial('lets exactly as many of 12 concurrent writes succeed as a hook that locks a row allows', async t => {
  const course = (await create({ title: 'Popular', seats: 3 })).body
  const enrol = (_: unknown, at: number) => create({ course: course.id, student: `s${at}@example.test` }, 'enrolments')
  const replies = await Promise.all(Array.from({ length: 12 }, enrol))
  t.deepEqual(replies.map(({ status }) => status).sort(), [
    ...Array.from({ length: 3 }, () => 201),
    ...Array.from({ length: 9 }, () => 409),
  ])
  t.like(await rowsOf().get(course.id as never), { booked: 3, left: 0 })
})

for (const title of ['Throws', 'Fails in SQL', 'Unknown field', 'Computed field'])
  test.serial(`answers hook_failed and writes nothing if a hook fails: ${title}`, async t => {
    const { status, body } = await create({ title })
    t.is(status, 500)
    t.is(body.code as unknown, 'hook_failed')
    t.regex(String(body.detail), /collection Courses/)
    t.notRegex(JSON.stringify(body), /secret/)
    t.false((await logged()).includes(`created ${title}`))
    t.is((await rowsOf().list({ filter: { title } })).data.length, 0)
  })

test.serial('ends a hook that hangs, and rejects its later statements', async t => {
  const { status, body } = await create({ title: 'Hangs' })
  t.is(status, 503)
  t.is(body.code as unknown, 'hook_timed_out')
  await new Promise(resolve => setTimeout(resolve, 200))
  t.deepEqual(
    (await logged()).filter(line => line === 'too late' || line === 'created Hangs'),
    [],
  )
  t.is((await create({ title: 'After the hang' })).status, 201)
})

test.serial('ends hooks that call each other in a circle', async t => {
  const { status, body } = await create({ title: 'Circle' })
  t.is(status, 500)
  t.is(body.code as unknown, 'hook_failed')
  t.is((await rowsOf().list({ q: 'circle' })).data.length, 0)
})

test.serial('calls the hooks of rows that are deleted with another row', async t => {
  const course = (await create({ title: 'Ends' })).body
  await create({ course: course.id, student: 'c@example.test' }, 'enrolments')
  const kept = (await create({ title: 'Kept' })).body
  t.is((await ada.delete<Row>(`/v1/data/courses/${kept.id}`)).body.code as unknown, 'course_full')
  t.is((await ada.get(`/v1/data/courses/${kept.id}`)).status, 200)
  t.is((await ada.delete(`/v1/data/courses/${course.id}`)).status, 204)
  const lines = await logged()
  t.true(lines.includes('deleted Ends') && lines.includes('deleted c@example.test'))
  t.is((await ada.post(`/v1/data/courses/${course.id}/restore`)).status, 200)
  t.true((await logged()).includes('restored Ends'))
})

test.serial('calls hooks of a collection of the recipe, also when a deletion clears a reference', async t => {
  const { body } = await create({ name: 'maths' }, 'topics')
  t.is(body.name as unknown, 'MATHS')
})

test.serial('calls hooks for each operation of a batch, and rolls back all of them', async t => {
  const operations = [
    { action: 'create', data: { title: 'In a batch' } },
    { action: 'create', data: { title: 'Forbidden' } },
  ]
  const { status, body } = await ada.post<Row>('/v1/data/courses/batch', { operations })
  t.is(status, 422)
  t.like((body.errors as unknown as object[])[0], { pointer: '/operations/1/data/title' })
  t.false((await logged()).includes('created In a batch'))
})

test.serial('lets a route of the module write rows, as the caller or with all rights', async t => {
  const { id } = (await create({ title: 'Promoted' })).body
  const refused = await ada.post<Row>(`/v1/academy/courses/${id}/promote`, { asCaller: true })
  t.is(refused.body.code as unknown, 'field_forbidden')
  const { status, body } = await ada.post<Row>(`/v1/academy/courses/${id}/promote`, { asCaller: false })
  t.is(status, 200, JSON.stringify(body))
  t.deepEqual(body, { level: 'advanced', booked: 1 } as never)
  await kernel.settled()
  t.true((await logged()).includes('level of Promoted'))
})

test.serial('applies the seeds of a module', async t => {
  const { operator } = kernel.kernel.ports
  t.like((await rowsOf(operator.tenantId).list()).data[0], { title: 'First steps', code: 'SEED', seats: 3 })
})

test.serial('a route of the module requires a permission of a collection', async t => {
  t.deepEqual((await ada.get<unknown>('/v1/academy/may-create')).body, { may: true })
  t.is((await kernel.get('/v1/academy/may-create')).status, 401)
})

test.serial('documents the problems of hooks', async t => {
  const { body } = await ada.get<{ paths: Record<string, { post: object }> }>('/v1/platform/openapi.json')
  t.regex(JSON.stringify(body.paths['/v1/data/enrolments']?.post), /CourseFull.*HookFailed.*HookTimedOut/)
})

test.serial('the port lists, creates, changes, upserts and deletes rows', async t => {
  const rows = rowsOf()
  const [one, two] = await rows.createMany([{ title: 'One' }, { title: 'Two', level: 'advanced' }])
  t.is(one?.note, 'One (beginner)')
  const { data, nextCursor } = await rows.list({
    filter: { title: { in: ['One', 'Two'] } },
    sort: ['-title'],
    limit: 1,
  })
  t.deepEqual(
    data.map(({ title }) => title),
    ['Two'],
  )
  const next = await rows.list({
    filter: { title: { in: ['One', 'Two'] } },
    sort: ['-title'],
    limit: 1,
    cursor: nextCursor ?? '',
  })
  t.deepEqual(
    next.data.map(({ title }) => title),
    ['One'],
  )
  t.is((await rows.list({ filter: { note: 'Two (advanced)' } })).data.length, 1)
  await rows.create({ title: 'One, Two' })
  const found = await rows.list({ filter: { title: { in: ['One, Two'] } } })
  t.deepEqual(
    found.data.map(({ title }) => title),
    ['One, Two'],
  )
  t.deepEqual((await rows.list({ filter: { title: { in: [] } } })).data, [])
  t.is((await rows.list({ filter: { title: 'One', slug: { notIn: [] } } })).data.length, 1)
  const upserted = await rows.upsert('slug', { title: 'One again', slug: 'one' })
  t.like(upserted, { created: false, row: { id: one?.id, title: 'One again' } })
  await t.throwsAsync(rows.update(two?.id ?? '', { title: 'x' }, { revision: 9 }), { message: /has changed/ })
  await t.throwsAsync(rows.update(two?.id ?? '', { colour: 'red' } as never), { message: /invalid/ })
  await rows.delete(two?.id ?? '')
  await t.throwsAsync(rows.get(two?.id ?? ''), { message: /No row/ })
  const other = await kernel.register(newEmail('eve'))
  await t.throwsAsync(rowsOf(other.tenantId).get(one?.id ?? ''), { message: /No row/ })
  t.throws(() => kernel.kernel.ports.collections.rows('course', { tenantId: ada.tenantId }), {
    message: /Did you mean "courses"/,
  })
})

test.serial('a hook sets states that follow only', async t => {
  const { body } = await create({ name: 'maths' }, 'topics')
  const change = (values: object) => ada.patch<Row>(`/v1/data/topics/${body.id}`, values)
  t.is((await change({ stage: 'kept' })).status, 200)
  const { status, body: refused } = await change({ name: 'New again' })
  t.is(status, 409)
  t.like(refused, { code: 'transition_refused', allowed: { stage: [] } })
  t.is((await create({ name: 'kept at once' }, 'topics')).status, 422)
})
