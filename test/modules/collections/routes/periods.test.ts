/** Periods that must not overlap, at every entrance that writes rows. */
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
  readonly rows?: readonly string[]
  readonly errors?: readonly { readonly pointer: string; readonly code: string; readonly detail: string }[]
}
type Someone = Person | Colleague

const members = () => ({ 'tenant.member': true })
const recipe = {
  modules: { identity: {}, billing: {}, comms: {}, collections: {}, automations: {} },
  plans: { free: { name: 'Free', price: 0 } },
  roles: { 'tenant.assistant': { name: 'Assistant', permissions: ['identity.member.read'] } },
  automations: {
    'book-again': {
      on: 'collections.wishes.created',
      steps: [
        {
          'collections.create': {
            collection: 'visits',
            values: { technician: '$row.technician', startsAt: '$row.startsAt', endsAt: '$row.endsAt' },
          },
        },
      ],
    },
  },
  collections: {
    visits: {
      fields: {
        number: { type: 'integer', unique: true },
        title: { type: 'text' },
        technician: { type: 'text' },
        startsAt: { type: 'datetime' },
        endsAt: { type: 'datetime' },
      },
      noOverlap: { by: ['technician'], from: 'startsAt', to: 'endsAt' },
      access: {
        read: { 'tenant.member': true, 'tenant.assistant': { createdBy: '$user' } },
        create: { ...members(), 'tenant.assistant': true },
        update: members(),
        delete: members(),
      },
      trash: '30d',
    },
    leaves: {
      fields: { note: { type: 'text' }, first: { type: 'date' }, last: { type: 'date' } },
      noOverlap: { from: 'first', to: 'last' },
      access: { read: members(), create: members() },
    },
    wishes: {
      fields: { technician: { type: 'text' }, startsAt: { type: 'datetime' }, endsAt: { type: 'datetime' } },
      access: { read: members(), create: members() },
    },
  },
}

const { kernel, people } = withPeople(test, { recipe })

const url = '/v1/data/visits'
const at = (hour: number) => new Date(Date.UTC(2026, 0, 5, hour)).toISOString()
const period = (from: number, to: number, technician: string | null = 'ada') => ({
  technician,
  startsAt: at(from),
  endsAt: at(to),
})
const book = (client: Someone, values: object) => client.post<Row & Refusal>(url, values)
async function booked(client: Someone, values: object): Promise<Row> {
  const made = await book(client, values)
  if (made.status !== 201) throw new Error(JSON.stringify(made.body))
  return made.body
}
const assertTaken = (
  t: { is(a: unknown, b: unknown): boolean; deepEqual(a: unknown, b: unknown): boolean },
  { status, body }: TestResponse<Refusal>,
  pointer: string,
  rows: readonly string[],
) => {
  t.is(status, 409)
  t.is(body.code, 'period_taken')
  t.deepEqual(
    body.errors?.map(error => error.pointer),
    [`${pointer}/startsAt`, `${pointer}/endsAt`],
  )
  t.deepEqual(body.rows, rows)
}

test('refuses a period that overlaps, and names the other row', async t => {
  const ada = await people.person()
  const first = await booked(ada, period(8, 10))
  for (const [from, to] of [
    [9, 11],
    [7, 9],
    [8, 10],
    [7, 11],
    [9, 10],
  ] as const) {
    const taken = await book(ada, period(from, to))
    assertTaken(t, taken, '', [first.id])
    t.regex(taken.body.errors?.[0]?.detail ?? '', new RegExp(first.id))
  }
})

test('a period ends just before its end', async t => {
  const ada = await people.person()
  await booked(ada, period(8, 10))
  await booked(ada, period(10, 12))
  t.is((await book(ada, period(6, 8))).status, 201)
})

test('other calendars, rows without one and rows without a period never overlap', async t => {
  const ada = await people.person()
  await booked(ada, period(8, 10))
  for (const values of [
    period(8, 10, 'bob'),
    period(8, 10, null),
    period(8, 10, null),
    { technician: 'ada', startsAt: at(8) },
    { technician: 'ada', endsAt: at(10) },
    { technician: 'ada' },
  ])
    t.is((await book(ada, values)).status, 201)
  t.is((await book(await people.person(), period(8, 10))).status, 201)
})

test('a period must end after it begins', async t => {
  const ada = await people.person()
  for (const [from, to] of [
    [10, 10],
    [10, 9],
  ] as const) {
    const { status, body } = await book(ada, period(from, to))
    t.like({ status, body }, { status: 422, body: { code: 'validation_failed' } })
    t.deepEqual(
      body.errors?.map(({ pointer }) => pointer),
      ['/endsAt'],
    )
  }
  const { id } = await booked(ada, period(8, 10))
  const moved = await ada.patch<Refusal>(`${url}/${id}`, { startsAt: at(11) })
  t.deepEqual(
    moved.body.errors?.map(({ pointer }) => pointer),
    ['/endsAt'],
  )
})

test('days overlap like times, and without a field of a calendar all rows do', async t => {
  const ada = await people.person()
  const leave = (first: string, last: string) => ada.post<Row & Refusal>('/v1/data/leaves', { first, last })
  const first = await leave('2026-01-05', '2026-01-07')
  t.is((await leave('2026-01-07', '2026-01-08')).status, 201)
  const taken = await leave('2026-01-06', '2026-01-07')
  t.like(taken, { status: 409, body: { code: 'period_taken', rows: [first.body.id] } })
})

test('does not name a row that the caller may not read', async t => {
  const ada = await people.person()
  const assistant = await people.colleague(ada, ['tenant.assistant'])
  const hidden = await booked(ada, period(8, 10))
  const taken = await book(assistant, period(9, 11))
  assertTaken(t, taken, '', [])
  t.false(JSON.stringify(taken.body).includes(hidden.id))
})

test('refuses a change that moves a row onto another one, and accepts one within its own period', async t => {
  const ada = await people.person()
  const first = await booked(ada, period(8, 10))
  const second = await booked(ada, period(10, 12))
  assertTaken(t, await ada.patch(`${url}/${second.id}`, { startsAt: at(9) }), '', [first.id])
  const bob = await booked(ada, period(9, 10, 'bob'))
  assertTaken(t, await ada.patch(`${url}/${bob.id}`, { technician: 'ada' }), '', [first.id])
  t.is((await ada.patch(`${url}/${first.id}`, { startsAt: at(9), title: 'x' })).status, 200)
})

test('refuses a list with two rows that overlap, or with one that overlaps a stored row', async t => {
  const ada = await people.person()
  const first = await booked(ada, period(8, 10))
  const rows = (list: readonly object[]) => ada.post<Refusal>(url, list)
  assertTaken(t, await rows([period(12, 14), period(13, 15)]), '/1', [])
  assertTaken(t, await rows([period(12, 14), period(9, 11)]), '/1', [first.id])
  t.is((await rows([period(12, 14), period(14, 15)])).status, 201)
})

test('refuses a batch with operations that overlap, and writes nothing of it', async t => {
  const ada = await people.person()
  const batch = (operations: readonly object[]) => ada.post<Refusal>(`${url}/batch`, { operations })
  const first = await booked(ada, period(8, 10))
  const two = await batch([
    { action: 'create', data: period(12, 14) },
    { action: 'create', data: period(13, 15) },
  ])
  t.like(two, { status: 409, body: { code: 'period_taken' } })
  t.is(two.body.errors?.[0]?.pointer, '/operations/1/data/startsAt')
  t.is((await ada.get<Listed<Row>>(url)).body.data.length, 1)
  const moved = await batch([
    { action: 'update', id: first.id, data: { startsAt: at(9) } },
    { action: 'upsert', by: 'number', data: { number: 7, ...period(8, 9) } },
    { action: 'upsert', by: 'number', data: { number: 7, ...period(9, 10) } },
  ])
  t.is(moved.body.errors?.[0]?.pointer, '/operations/2/data/startsAt')
})

test('refuses an upsert that creates or changes a row so that it overlaps', async t => {
  const ada = await people.person()
  const first = await booked(ada, period(8, 10))
  const upsert = (values: object) => ada.put<Refusal>(`${url}?by=number`, values)
  assertTaken(t, await upsert({ number: 1, ...period(9, 11) }), '', [first.id])
  t.is((await upsert({ number: 1, ...period(10, 11) })).status, 201)
  assertTaken(t, await upsert({ number: 1, ...period(9, 11) }), '', [first.id])
})

test('rows in the trash do not count, and are not restored onto another row', async t => {
  const ada = await people.person()
  const first = await booked(ada, period(8, 10))
  await ada.delete(`${url}/${first.id}`)
  const second = await booked(ada, period(9, 11))
  assertTaken(t, await ada.post<Refusal>(`${url}/${first.id}/restore`, {}), '', [second.id])
  await ada.delete(`${url}/${second.id}`)
  t.is((await ada.post(`${url}/${first.id}/restore`, {})).status, 200)
})

const csv = (rows: readonly object[]) =>
  [Object.keys(rows[0] ?? {}).join(','), ...rows.map(row => Object.values(row).join(','))].join('\n')
async function imported(person: Person, rows: readonly object[], query = '') {
  const sent = await send(
    { url: kernel.url, token: person.token, tenantId: person.tenantId },
    `visits/imports${query}`,
    csv(rows),
  )
  const done = await ended(person, 'visits', sent.body.id)
  return { ...done, errors: await errorsOf(person, 'visits', sent.body.id) }
}

test('an import reports the rows that overlap with stored rows and with each other', async t => {
  const ada = await people.person()
  await booked(ada, period(8, 10))
  const file = [period(9, 10), period(12, 14), period(13, 15), period(16, 17)]
  for (const query of ['', '?dryRun=true']) {
    const { errors } = await imported(ada, file, query)
    t.deepEqual(
      errors.map(({ row, column, code }) => [row, column, code]),
      [
        [1, 'startsAt', 'overlaps'],
        [1, 'endsAt', 'overlaps'],
        [3, 'startsAt', 'overlaps'],
        [3, 'endsAt', 'overlaps'],
      ],
      query,
    )
  }
  t.is((await ada.get<Listed<Row>>(url)).body.data.length, 1)
  const skipped = await imported(ada, file, '?onError=skip')
  t.like(skipped, { state: 'succeeded', rows: { created: 2, failed: 2 } })
})

test('an import that updates rows reports those that it would move onto others', async t => {
  const ada = await people.person()
  await booked(ada, { number: 1, ...period(8, 10) })
  await booked(ada, { number: 2, ...period(10, 12) })
  const { errors } = await imported(ada, [{ number: 2, ...period(9, 12) }], '?by=number&onError=skip')
  t.deepEqual(errors.map(({ row, code }) => [row, code]).slice(0, 1), [[1, 'overlaps']])
})

test('an import of several batches reports what overlaps across them, before it writes anything', async t => {
  const ada = await people.person()
  const many = Array.from({ length: 700 }, (_, index) => period(index, index + 1))
  const { errors } = await imported(ada, [...many, period(3, 4)])
  t.deepEqual([...new Set(errors.map(({ row }) => row))], [701])
  t.is((await ada.get<Listed<Row>>(url)).body.data.length, 0)
})

test('of many people who book one period at the same time, one gets it', async t => {
  const ada = await people.person()
  const answers = await Promise.all(Array.from({ length: 30 }, (_, index) => book(ada, period(8 + (index % 2), 12))))
  t.is(answers.filter(({ status }) => status === 201).length, 1)
  t.deepEqual([...new Set(answers.filter(({ status }) => status !== 201).map(codeOf))], ['409 period_taken'])
})

test('batches that book the same calendars in opposite orders take turns', async t => {
  const ada = await people.person()
  const names = ['a', 'b', 'c', 'd']
  const answers = await Promise.all(
    Array.from({ length: 12 }, (_, index) => {
      const list = index % 2 === 0 ? names : [...names].reverse()
      const operations = list.map(name => ({ action: 'create', data: period(index, index + 1, name) }))
      return ada.post(`${url}/batch`, { operations })
    }),
  )
  t.deepEqual([...new Set(answers.map(({ status }) => status))], [200])
})

test('an automation cannot make rows overlap', async t => {
  const ada = await people.person()
  await booked(ada, period(8, 10))
  await ada.post('/v1/data/wishes', period(9, 11))
  await kernel.settled()
  t.is((await ada.get<Listed<Row>>(url)).body.data.length, 1)
})
