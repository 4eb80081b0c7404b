/** Rows that leave by an export and come back by an import, with everything that a collection says about them. */
import test from 'ava'
import type { Person } from '../../../../testing/index.ts'
import type { Colleague, Listed } from '../../../fixtures/people.ts'
import { expectStatus } from '../../../fixtures/people.ts'
import { studio } from '../../../fixtures/studio.ts'
import { withPeople } from '../../../fixtures/with-people.ts'
import { ended, errorsOf, type Import, send } from './fixtures.ts'

interface Booking {
  readonly id: string
  readonly number: string
  readonly status: string
  readonly title: string
  readonly [field: string]: unknown
}
type Someone = Person | Colleague

const { kernel, people } = withPeople(test, { recipe: studio })

const FORMATS = { CSV: 'text/csv', NDJSON: 'application/x-ndjson' } as const
type Format = keyof typeof FORMATS

/** The rows that bookings refer to, by their names. Each workspace has those of the same names. */
async function createSchool(person: Person, seats = 3): Promise<Record<string, string>> {
  const made: Record<string, string> = {}
  const add = async (collection: string, key: string, values: object) => {
    made[key] = expectStatus(201, await person.post<{ id: string }>(`/v1/data/${collection}`, values)).id
  }
  await add('teachers', 'teacher', { name: 'Noether' })
  await add('courses', 'course', { title: 'Algebra', teacher: made.teacher })
  await add('lessons', 'Rings', { name: 'Rings', course: made.course, seats })
  await add('lessons', 'Fields', { name: 'Fields', course: made.course })
  await add('topics', 'Ideals', { name: 'Ideals' })
  await add('topics', 'Units', { name: 'Units' })
  const { memberships } = expectStatus(
    200,
    await person.get<{ memberships: { id: string; tenantId: string }[] }>('/v1/auth/me'),
  )
  made.member = memberships.find(({ tenantId }) => tenantId === person.tenantId)?.id ?? ''
  made.file = await upload(person)
  return made
}

async function upload({ token, tenantId }: Person): Promise<string> {
  const form = new FormData()
  form.set('file', new File(['%PDF-1.4\n%%EOF\n'], 'ticket.pdf', { type: 'application/pdf' }))
  const headers = { authorization: `Bearer ${token}`, 'x-tenant-id': tenantId }
  const sent = await fetch(new URL('/v1/media', kernel.url), { method: 'POST', headers, body: form })
  await kernel.settled()
  return ((await sent.json()) as { id: string }).id
}

const at = (hour: number) => `2027-01-01T${String(hour).padStart(2, '0')}:00:00Z`
const book = async (person: Someone, values: object): Promise<Booking> =>
  expectStatus(201, await person.post<Booking>('/v1/data/bookings', values))
const bookings = async (person: Someone): Promise<Booking[]> =>
  expectStatus(200, await person.get<Listed<Booking>>('/v1/data/bookings?sort=number&limit=100')).data

/** Bookings in each state, with and without each value. */
async function fillSchool(person: Person, ids: Record<string, string>): Promise<void> {
  await book(person, { title: 'Waiting', status: 'waiting', code: 'own', price: 1999, lesson: ids.Rings, seat: 1 })
  const done = await book(person, { title: 'Done', lesson: ids.Rings, seat: 2, ticket: ids.file })
  for (const status of ['confirmed', 'done'])
    expectStatus(200, await person.patch(`/v1/data/bookings/${done.id}`, { status }))
  await book(person, { title: 'Same seat, later', lesson: ids.Rings, seat: 2, topics: [ids.Ideals, ids.Units] })
  await book(person, { title: 'Morning', room: 'A', startsAt: at(9), endsAt: at(11), price: 0 })
  await book(person, { title: 'Noon, "quoted"', room: 'A', startsAt: at(11), endsAt: at(12), topics: [ids.Units] })
  const gone = await book(person, { title: 'Gone' })
  expectStatus(204, await person.delete(`/v1/data/bookings/${gone.id}`))
  await book(person, { title: 'Last' })
}

async function exported(person: Someone, format: Format): Promise<string> {
  const path = '/v1/data/bookings/exports'
  const { id } = expectStatus(202, await person.post<{ id: string }>(`${path}?format=${format.toLowerCase()}`))
  await kernel.settled()
  const headers = { authorization: `Bearer ${person.token}`, 'x-tenant-id': person.tenantId }
  return (await fetch(new URL(`${path}/${id}/file`, kernel.url), { headers })).text()
}

async function imported(person: Someone, file: string, format: Format, query = ''): Promise<Import> {
  const { token, tenantId } = person
  const sent = await send({ url: kernel.url, token, tenantId }, `bookings/imports${query}`, file, {
    'content-type': FORMATS[format],
  })
  return ended(person, 'bookings', expectStatus(202, sent).id)
}
const errorCodes = async (person: Someone, { id }: Import) =>
  (await errorsOf(person, 'bookings', id)).map(({ row, column, code }) => [row, column, code])

/** A file of another workspace with the IDs of this one. */
const withIds = (file: string, from: Record<string, string>, to: Record<string, string>): string =>
  Object.entries(from).reduce((text, [name, id]) => text.replaceAll(id, to[name] ?? ''), file)

/** What an export and an import keep: all but what the row has of its place. */
const contents = (rows: readonly Booking[], from: Record<string, string>, to: Record<string, string>) =>
  rows.map(({ id, createdAt, updatedAt, createdBy, revision, ...values }) =>
    JSON.parse(withIds(JSON.stringify(values), from, to)),
  )

async function schools() {
  const [from, to] = [await people.person(), await people.person()]
  const [ofFrom, ofTo] = [await createSchool(from), await createSchool(to)]
  await fillSchool(from, ofFrom)
  return { from, to, ofFrom, ofTo }
}

for (const format of ['CSV', 'NDJSON'] as const) {
  test(`an empty collection gets the rows of a ${format} file with their numbers and states`, async t => {
    const { from, to, ofFrom, ofTo } = await schools()
    const file = withIds(await exported(from, format), ofFrom, ofTo)
    const made = await imported(to, file, format)
    t.is(made.state, 'succeeded', JSON.stringify(await errorCodes(to, made)))
    t.deepEqual(contents(await bookings(to), {}, {}), contents(await bookings(from), ofFrom, ofTo))
    // The number of the row in the trash isn't in the file.
    t.is((await book(to, { title: 'Next' })).number, 'B-0008')
  })

  test(`a ${format} file that is imported again by its numbers changes nothing`, async t => {
    const { from } = await schools()
    const before = await bookings(from)
    const file = await exported(from, format)
    for (let attempt = 0; attempt < 2; attempt++) {
      const again = await imported(from, file, format, '?by=number')
      t.is(again.state, 'succeeded', JSON.stringify(await errorCodes(from, again)))
    }
    t.deepEqual(await bookings(from), before)
  })

  test(`a collection with rows refuses the numbers of a ${format} file`, async t => {
    const { from, to, ofFrom, ofTo } = await schools()
    await book(to, { title: 'First' })
    const late = await imported(to, withIds(await exported(from, format), ofFrom, ofTo), format)
    t.is(late.state, 'failed')
    const numbers = (await errorCodes(to, late)).filter(([, column]) => column === 'number')
    t.deepEqual(
      numbers,
      [1, 2, 3, 4, 5, 6].map(row => [row, 'number', 'not_allowed']),
    )
    t.is((await bookings(to)).length, 1)
  })
}

test('rows of a file without numbers get new ones, and their transitions apply in a collection with rows', async t => {
  const { to } = await schools()
  await book(to, { title: 'First' })
  const wrong = await imported(to, 'title,status\nA,open\nB,done\n', 'CSV')
  t.deepEqual(await errorCodes(to, wrong), [[2, 'status', 'state']])
  t.is((await imported(to, 'title,status\nA,open\nB,waiting\n', 'CSV')).state, 'succeeded')
  t.deepEqual(
    (await bookings(to)).map(({ number, status }) => [number, status]),
    [
      ['B-0001', 'open'],
      ['B-0002', 'open'],
      ['B-0003', 'waiting'],
    ],
  )
})

test('an import into an empty collection passes over no state of another role', async t => {
  const owner = await people.person()
  const member = await people.colleague(owner, ['tenant.member'])
  const refused = await imported(member, 'title,status\nA,waiting\nB,confirmed\n', 'CSV')
  t.deepEqual(await errorCodes(member, refused), [[2, 'status', 'state']])
  const forbidden = await imported(member, 'title,status\nA,done\n', 'CSV')
  t.deepEqual(await errorCodes(member, forbidden), [[1, 'status', 'forbidden']])
  t.is((await imported(owner, 'title,status\nA,done\n', 'CSV')).state, 'succeeded')
})

test('a state that is none is an error of its row, also in an empty collection', async t => {
  const owner = await people.person()
  const made = await imported(owner, 'title,status\nA,lost\n', 'CSV')
  t.deepEqual(await errorCodes(owner, made), [[1, 'status', 'invalid']])
})

test('periods that overlap within a file are errors of the later rows', async t => {
  const owner = await people.person()
  const rows = [
    ['A', 9, 11],
    ['A', 10, 12],
    ['B', 10, 12],
    ['A', 11, 12],
  ] as const
  const file = `title,room,startsAt,endsAt\n${rows.map(([room, from, to]) => `${room},${room},${at(from)},${at(to)}`).join('\n')}\n`
  const made = await imported(owner, file, 'CSV')
  t.is(made.state, 'failed')
  t.deepEqual(await errorCodes(owner, made), [
    [2, 'startsAt', 'overlaps'],
    [2, 'endsAt', 'overlaps'],
  ])
  const some = await imported(owner, file, 'CSV', '?onError=skip')
  t.like(some, { state: 'succeeded', rows: { created: 3, failed: 1 } })
})

test('rows beyond the places of the row that they refer to are errors', async t => {
  const owner = await people.person()
  await createSchool(owner, 2)
  const file = 'title,lesson,status\nA,Rings,open\nB,Rings,done\nC,Rings,waiting\nD,Rings,open\nE,Fields,open\n'
  const made = await imported(owner, file, 'CSV')
  t.is(made.state, 'failed')
  t.deepEqual(await errorCodes(owner, made), [[4, 'lesson', 'full']])
  const some = await imported(owner, file, 'CSV', '?onError=skip')
  t.like(some, { state: 'succeeded', rows: { created: 4, failed: 1 } })
})
