/** How many rows can refer to one row, at every entrance that writes rows. */
import test from 'ava'
import type { Person, TestResponse } from '../../../../testing/index.ts'
import { type Colleague, codeOf, type Listed } from '../../../fixtures/people.ts'
import { withPeople } from '../../../fixtures/with-people.ts'
import { ended, errorsOf, send } from '../imports/fixtures.ts'

interface Row {
  readonly id: string
  readonly [field: string]: unknown
}
interface Refusal {
  readonly code: string
  readonly errors?: readonly { readonly pointer: string; readonly code: string; readonly detail: string }[]
}
type Someone = Person | Colleague

const members = () => ({ 'tenant.member': true })
const all = () => ({ read: members(), create: members(), update: members(), delete: members() })
const recipe = {
  modules: { identity: {}, billing: {}, comms: {}, collections: {}, automations: {} },
  plans: { free: { name: 'Free', price: 0 } },
  roles: { 'tenant.assistant': { name: 'Assistant', permissions: ['identity.member.read'] } },
  automations: {
    'enroll-applicant': {
      on: 'collections.applications.created',
      steps: [{ 'collections.create': { collection: 'enrollments', values: { course: '$row.course' } } }],
    },
  },
  collections: {
    courses: {
      fields: {
        title: { type: 'text' },
        seats: { type: 'integer', read: ['tenant.member'] },
        parent: { type: 'reference', to: 'courses' },
      },
      capacity: { of: 'parent', max: 2 },
      access: { ...all(), read: { ...members(), 'tenant.assistant': true } },
      trash: '30d',
    },
    enrollments: {
      fields: {
        number: { type: 'integer', unique: true },
        course: { type: 'reference', to: 'courses', onDelete: 'clear' },
        status: { type: 'enum', values: ['active', 'canceled'], default: 'active' },
      },
      capacity: { of: 'course', max: 'course.seats', where: { status: { ne: 'canceled' } } },
      access: { ...all(), create: { ...members(), 'tenant.assistant': true } },
      trash: '30d',
    },
    signups: {
      fields: { course: { type: 'reference', to: 'meetings', required: true } },
      capacity: { of: 'course', max: 'course.seats' },
      access: { read: members(), create: { ...members(), anyone: true } },
    },
    meetings: {
      fields: { seats: { type: 'integer' }, open: { type: 'boolean' } },
      access: { read: { ...members(), anyone: { open: true } }, create: members() },
    },
    applications: {
      fields: { course: { type: 'reference', to: 'courses' } },
      access: { read: members(), create: members() },
    },
  },
}

const { kernel, people } = withPeople(test, { recipe })

const url = '/v1/data/enrollments'
async function course(client: Someone, seats: number | null, more: object = {}): Promise<string> {
  const made = await client.post<Row>('/v1/data/courses', { seats, ...more })
  if (made.status !== 201) throw new Error(JSON.stringify(made.body))
  return made.body.id
}
const enroll = (client: Someone, id: string | null, more: object = {}) =>
  client.post<Row & Refusal>(url, { course: id, ...more })
async function enrolled(client: Someone, id: string, more: object = {}): Promise<Row> {
  const made = await enroll(client, id, more)
  if (made.status !== 201) throw new Error(JSON.stringify(made.body))
  return made.body
}
const count = async (client: Someone) => (await client.get<Listed<Row>>(`${url}?limit=100`)).body.data.length
const assertFull = (
  t: { is(a: unknown, b: unknown): boolean; deepEqual(a: unknown, b: unknown): boolean },
  { status, body }: TestResponse<Refusal>,
  pointer: string,
  detail: string,
) => {
  t.is(status, 409)
  t.is(body.code, 'capacity_reached')
  t.deepEqual(
    body.errors?.map(error => [error.pointer, error.code, error.detail]),
    [[`${pointer}/course`, 'full', detail]],
  )
}

test('refuses a row without a free place, and says how many there are', async t => {
  const ada = await people.person()
  const id = await course(ada, 2)
  await enrolled(ada, id)
  await enrolled(ada, id)
  assertFull(t, await enroll(ada, id), '', 'is full: all 2 places are taken')
  const other = await course(ada, 1)
  await enrolled(ada, other)
  assertFull(t, await enroll(ada, other), '', 'is full: its only place is taken')
  assertFull(t, await enroll(ada, await course(ada, 0)), '', 'has no places')
  assertFull(t, await enroll(ada, await course(ada, -3)), '', 'has no places')
})

test('a row without a number has any number of places, and a row without a reference takes none', async t => {
  const ada = await people.person()
  const id = await course(ada, null)
  for (let each = 0; each < 3; each++) await enrolled(ada, id)
  for (let each = 0; each < 3; each++) t.is((await enroll(ada, null)).status, 201)
})

test('rows that do not match the condition take no place until they do', async t => {
  const ada = await people.person()
  const id = await course(ada, 1)
  const first = await enrolled(ada, id)
  const second = await enrolled(ada, id, { status: 'canceled' })
  assertFull(t, await ada.patch(`${url}/${second.id}`, { status: 'active' }), '', 'is full: its only place is taken')
  t.is((await ada.patch(`${url}/${first.id}`, { status: 'canceled' })).status, 200)
  t.is((await ada.patch(`${url}/${second.id}`, { status: 'active' })).status, 200)
  t.is((await ada.patch(`${url}/${second.id}`, { number: 5 })).status, 200)
})

test('fewer places than rows refuse new rows only', async t => {
  const ada = await people.person()
  const id = await course(ada, 3)
  const rows = [await enrolled(ada, id), await enrolled(ada, id), await enrolled(ada, id)]
  t.is((await ada.patch(`/v1/data/courses/${id}`, { seats: 2 })).status, 200)
  t.is((await ada.patch(`${url}/${rows[0]?.id}`, { number: 12 })).status, 200)
  await ada.delete(`${url}/${rows[1]?.id}`)
  assertFull(t, await enroll(ada, id), '', 'is full: all 2 places are taken')
  await ada.delete(`${url}/${rows[2]?.id}`)
  t.is((await enroll(ada, id)).status, 201)
})

test('refuses a change of the reference to a full row', async t => {
  const ada = await people.person()
  const [full, free] = [await course(ada, 1), await course(ada, 1)]
  await enrolled(ada, full)
  const { id } = await enrolled(ada, free)
  assertFull(t, await ada.patch(`${url}/${id}`, { course: full }), '', 'is full: its only place is taken')
  t.is((await ada.patch(`${url}/${id}`, { course: null })).status, 200)
  t.is((await enroll(ada, free)).status, 201)
  assertFull(t, await ada.patch(`${url}/${id}`, { course: free }), '', 'is full: its only place is taken')
})

test('does not tell how many places there are to callers who may not read the number', async t => {
  const ada = await people.person()
  const assistant = await people.colleague(ada, ['tenant.assistant'])
  const id = await course(ada, 1)
  await enrolled(ada, id)
  assertFull(t, await enroll(assistant, id), '', 'is full')
})

test('a list takes the free places only together, and points to the first row without one', async t => {
  const ada = await people.person()
  const [id, other] = [await course(ada, 2), await course(ada, 1)]
  await enrolled(ada, id)
  const list = (ids: readonly string[]) =>
    ada.post<Refusal>(
      url,
      ids.map(each => ({ course: each })),
    )
  assertFull(t, await list([id, other, id]), '/2', 'is full: all 2 places are taken')
  t.is(await count(ada), 1)
  t.is((await list([id, other])).status, 201)
})

test('the operations of a batch take places one after the other, and all or none', async t => {
  const ada = await people.person()
  const id = await course(ada, 1)
  const batch = (operations: readonly object[]) => ada.post<Refusal>(`${url}/batch`, { operations })
  const create = { action: 'create', data: { course: id } }
  assertFull(t, await batch([create, create]), '/operations/1/data', 'is full: its only place is taken')
  t.is(await count(ada), 0)
  const first = await enrolled(ada, id, { number: 1 })
  const upsert = { action: 'upsert', by: 'number', data: { number: 2, course: id } }
  assertFull(t, await batch([upsert]), '/operations/0/data', 'is full: its only place is taken')
  t.is((await batch([{ action: 'delete', id: first.id }, upsert])).status, 200)
})

test('refuses an upsert that creates or changes a row so that it takes a place', async t => {
  const ada = await people.person()
  const [full, free] = [await course(ada, 1), await course(ada, 1)]
  await enrolled(ada, full)
  const upsert = (id: string) => ada.put<Refusal>(`${url}?by=number`, { number: 1, course: id })
  assertFull(t, await upsert(full), '', 'is full: its only place is taken')
  t.is((await upsert(free)).status, 201)
  t.is((await upsert(free)).status, 200)
  assertFull(t, await upsert(full), '', 'is full: its only place is taken')
})

test('rows in the trash take no place, and are not restored without a free one', async t => {
  const ada = await people.person()
  const id = await course(ada, 1)
  const first = await enrolled(ada, id)
  await ada.delete(`${url}/${first.id}`)
  const second = await enrolled(ada, id)
  assertFull(t, await ada.post<Refusal>(`${url}/${first.id}/restore`, {}), '', 'is full: its only place is taken')
  await ada.delete(`${url}/${second.id}`)
  t.is((await ada.post(`${url}/${first.id}/restore`, {})).status, 200)
})

test('a row that is missing, in the trash or of another workspace is an invalid reference', async t => {
  const [ada, eve] = [await people.person(), await people.person()]
  const gone = await course(ada, 1)
  await ada.delete(`/v1/data/courses/${gone}`)
  for (const id of [gone, await course(eve, 1), `course_${'0'.repeat(26)}`]) {
    const { status, body } = await enroll(ada, id)
    t.like({ status, body }, { status: 422, body: { code: 'validation_failed' } })
    t.deepEqual(
      body.errors?.map(({ pointer, code }) => [pointer, code]),
      [['/course', 'not_found']],
    )
  }
})

test('rows can refer to rows of their own collection, and to themselves', async t => {
  const ada = await people.person()
  const id = await course(ada, null)
  t.is((await ada.patch(`/v1/data/courses/${id}`, { parent: id })).status, 200)
  const second = await course(ada, null, { parent: id })
  t.is((await ada.patch(`/v1/data/courses/${id}`, { parent: second })).status, 200)
  await course(ada, null, { parent: id })
  const refused = await ada.post<Refusal>('/v1/data/courses', { parent: id })
  t.like(refused, { status: 409, body: { code: 'capacity_reached' } })
})

const csv = (rows: readonly object[]) =>
  [Object.keys(rows[0] ?? {}).join(','), ...rows.map(row => Object.values(row).join(','))].join('\n')
async function imported(person: Person, rows: readonly object[], query = '') {
  const sent = await send(
    { url: kernel.url, token: person.token, tenantId: person.tenantId },
    `enrollments/imports${query}`,
    csv(rows),
  )
  const done = await ended(person, 'enrollments', sent.body.id)
  return { ...done, errors: await errorsOf(person, 'enrollments', sent.body.id) }
}

test('an import reports the rows without a free place, across its batches, before it writes anything', async t => {
  const ada = await people.person()
  const id = await course(ada, 601)
  await enrolled(ada, id)
  const file = Array.from({ length: 602 }, () => ({ course: id }))
  for (const query of ['', '?dryRun=true']) {
    const { errors } = await imported(ada, file, query)
    t.deepEqual(
      errors.map(({ row, column, code }) => [row, column, code]),
      [
        [601, 'course', 'full'],
        [602, 'course', 'full'],
      ],
      query,
    )
  }
  t.is(await count(ada), 1)
  const skipped = await imported(ada, file, '?onError=skip')
  t.like(skipped, { state: 'succeeded', rows: { created: 600, failed: 2 } })
})

test('an import that updates rows reports those that it would move to a full row', async t => {
  const ada = await people.person()
  const [full, free] = [await course(ada, 1), await course(ada, 1)]
  await enrolled(ada, full)
  await enrolled(ada, free, { number: 1 })
  const { errors } = await imported(ada, [{ number: 1, course: full }], '?by=number&onError=skip')
  t.deepEqual(
    errors.map(({ row, column, code }) => [row, column, code]),
    [[1, 'course', 'full']],
  )
})

test('of 50 people who want the last places at the same time, as many get one as there are', async t => {
  const ada = await people.person()
  const id = await course(ada, 4)
  await enrolled(ada, id)
  const canceled = await enrolled(ada, id, { status: 'canceled' })
  const answers = await Promise.all([
    ada.patch(`${url}/${canceled.id}`, { status: 'active' }),
    ...Array.from({ length: 40 }, () => enroll(ada, id)),
    ...Array.from({ length: 9 }, () =>
      ada.post(`${url}/batch`, { operations: [{ action: 'create', data: { course: id } }] }),
    ),
  ])
  t.is(answers.filter(({ status }) => status < 300).length, 3)
  t.deepEqual([...new Set(answers.filter(({ status }) => status >= 300).map(codeOf))], ['409 capacity_reached'])
})

test('lists that take places of the same rows in opposite orders take turns', async t => {
  const ada = await people.person()
  const ids = [await course(ada, 12), await course(ada, 12), await course(ada, 12)]
  const answers = await Promise.all(
    Array.from({ length: 12 }, (_, index) => {
      const list = index % 2 === 0 ? ids : [...ids].reverse()
      const operations = list.map(each => ({ action: 'create', data: { course: each } }))
      return ada.post(`${url}/batch`, { operations })
    }),
  )
  t.deepEqual([...new Set(answers.map(({ status }) => status))], [200])
})

test('a visitor is refused without a free place', async t => {
  const ada = await people.person()
  const { body } = await ada.post<Row>('/v1/data/meetings', { seats: 2, open: true })
  const signUp = () => kernel.post<Refusal>(`/v1/data/signups?workspace=${ada.tenantId}`, { course: body.id })
  for (let each = 0; each < 2; each++) t.is((await signUp()).status, 201)
  assertFull(t, await signUp(), '', 'is full: all 2 places are taken')
})

test('an automation cannot take a place that is not free', async t => {
  const ada = await people.person()
  const id = await course(ada, 1)
  await enrolled(ada, id)
  await ada.post('/v1/data/applications', { course: id })
  await kernel.settled()
  t.is(await count(ada), 1)
})
