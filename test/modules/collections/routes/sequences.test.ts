/** Numbers of rows: one sequence for each workspace, without gaps. */
import test from 'ava'
import type { Person } from '../../../../testing/index.ts'
import { codeOf } from '../../../fixtures/people.ts'
import { withPeople } from '../../../fixtures/with-people.ts'
import { ended, errorsOf, type Import, send } from '../imports/fixtures.ts'

interface Row {
  readonly id: string
  readonly number: string
  readonly title: string
}
interface Refusal {
  readonly code: string
  readonly errors?: readonly { readonly pointer: string; readonly code: string; readonly detail: string }[]
}

const members = () => ({ 'tenant.member': true })
const access = () => ({ read: members(), create: members(), update: members(), delete: members() })
const recipe = {
  modules: { identity: {}, billing: {}, comms: {}, collections: {}, automations: {} },
  plans: { free: { name: 'Free', price: 0 } },
  automations: {
    'follow-up': {
      on: 'collections.tickets.created',
      when: { 'row.title': 'Chair' },
      steps: [{ 'collections.create': { collection: 'notes', values: { text: '{{ row.number }}' } } }],
    },
  },
  collections: {
    tickets: {
      fields: {
        number: { type: 'text', sequence: 'T-{0000}' },
        title: { type: 'text', unique: true, maxLength: 100 },
        label: { type: 'computed', expression: "number + ' ' + title", of: 'text' },
      },
      access: access(),
      search: ['number', 'title'],
      trash: '30d',
      history: 5,
    },
    notes: { fields: { text: { type: 'text' } }, access: access() },
    codes: { fields: { code: { type: 'text', sequence: '{00}/%x' }, name: { type: 'text' } }, access: access() },
    countries: {
      scope: 'shared',
      fields: {
        code: { type: 'text', sequence: 'C{0}' },
        name: { type: 'text' },
        since: { type: 'date', default: '$today' },
      },
      rows: [{ name: 'Austria' }, { name: 'Chile' }],
      access: { read: members() },
    },
  },
}
const { kernel, people } = withPeople(test, { recipe })

const url = '/v1/data/tickets'
const create = async (person: Person, title: string): Promise<Row> => (await person.post<Row>(url, { title })).body
const numbers = async (person: Person, path = url): Promise<string[]> => {
  const { body } = await person.get<{ data: Row[] }>(`${path}?sort=createdAt,id&limit=100`)
  return body.data.map(row => row.number)
}
async function imported(person: Person, file: string, path = 'tickets/imports'): Promise<Import> {
  const sent = await send({ url: kernel.url, token: person.token, tenantId: person.tenantId }, path, file)
  return ended(person, 'tickets', sent.body.id)
}

test('rows get the next number of their workspace, also in the reply, the event and computed fields', async t => {
  const [ada, bob] = [await people.person(), await people.person()]
  const first = await ada.post<Row & { label: string }>(url, { title: 'A' })
  t.is(first.status, 201)
  t.like(first.body, { number: 'T-0001', label: 'T-0001 A' })
  t.is((await create(ada, 'B')).number, 'T-0002')
  t.is((await create(bob, 'A')).number, 'T-0001')
  const { rows } = await kernel.kernel.ports.systemDatabase
    .acrossTenants('a test reads the events')
    .query<{ payload: { row: Row } }>('select payload from larder_events where subject = $1', [(first.body as Row).id])
  t.is(rows[0]?.payload.row.number, 'T-0001')
})

test('a refused row takes no number', async t => {
  const ada = await people.person()
  await create(ada, 'A')
  t.is(codeOf(await ada.post(url, { title: 'A' })), '409 value_taken')
  t.is((await ada.post(url, [{ title: 'B' }, { title: 'A' }])).status, 409)
  t.is((await create(ada, 'B')).number, 'T-0002')
})

test('of 200 concurrent rows, half of which are refused, the others are numbered without gaps', async t => {
  const ada = await people.person()
  await create(ada, 'taken')
  const sent = await Promise.all(
    Array.from({ length: 200 }, (_, at) => ada.post<Row>(url, { title: at % 2 === 0 ? `row ${at}` : 'taken' })),
  )
  t.is(sent.filter(({ status }) => status === 201).length, 100)
  t.deepEqual(
    sent.flatMap(({ status, body }) => (status === 201 ? [body.number] : [])).sort(),
    Array.from({ length: 100 }, (_, at) => `T-${String(at + 2).padStart(4, '0')}`),
  )
})

test('rows of a list and of a batch are numbered in their order', async t => {
  const ada = await people.person()
  const list = await ada.post<{ data: Row[] }>(
    url,
    Array.from({ length: 100 }, (_, at) => ({ title: `row ${at}` })),
  )
  const expected = Array.from({ length: 100 }, (_, at) => `T-${String(at + 1).padStart(4, '0')}`)
  t.deepEqual(
    list.body.data.map(({ title, number }) => [title, number]),
    expected.map((number, at) => [`row ${at}`, number]),
  )
  const operations = [
    { action: 'create', data: { title: 'X' } },
    { action: 'upsert', by: 'title', data: { title: 'Y' } },
    { action: 'upsert', by: 'title', data: { title: 'row 3' } },
  ]
  const { body } = await ada.post<{ data: Row[] }>(`${url}/batch`, { operations })
  t.deepEqual(
    body.data.map(({ number }) => number),
    ['T-0101', 'T-0102', 'T-0004'],
  )
})

test('numbers are not reused, and a row comes out of the trash with its own', async t => {
  const ada = await people.person()
  const row = await create(ada, 'A')
  await ada.delete(`${url}/${row.id}`)
  t.is((await create(ada, 'B')).number, 'T-0002')
  t.like((await ada.post<Row>(`${url}/${row.id}/restore`)).body, { number: 'T-0001' })
})

test('nobody sets a number, and versions keep it', async t => {
  const ada = await people.person()
  const row = await create(ada, 'A')
  for (const answer of [
    await ada.post<Refusal>(url, { title: 'B', number: 'T-0009' }),
    await ada.patch<Refusal>(`${url}/${row.id}`, { number: 'T-0009' }),
    await ada.put<Refusal>(`${url}?by=title`, { title: 'B', number: 'T-0009' }),
    await ada.put<Refusal>(`${url}?by=number`, { title: 'B', number: 'T-0001' }),
  ]) {
    t.is(answer.status, 422)
    t.like(answer.body.errors?.[0], { pointer: '/number', code: 'unknown_field' })
  }
  await ada.patch(`${url}/${row.id}`, { title: 'C' })
  t.like((await ada.post<Row>(`${url}/${row.id}/history/1/restore`)).body, { title: 'A', number: 'T-0001' })
})

test('lists filter, sort and search by number', async t => {
  const ada = await people.person()
  for (const title of ['A', 'B', 'C']) await create(ada, title)
  const titles = async (query: string) =>
    (await ada.get<{ data: Row[] }>(`${url}?${query}`)).body.data.map(({ title }) => title)
  t.deepEqual(await titles('filter[number]=T-0002'), ['B'])
  t.deepEqual(await titles('filter[number][gte]=T-0002&sort=-number'), ['C', 'B'])
  t.deepEqual(await titles('q=T-0003'), ['C'])
})

test('an import into a collection without rows keeps the numbers of the file, and the next row continues', async t => {
  const [ada, bob] = [await people.person(), await people.person()]
  for (const title of ['A', 'B', 'C']) await create(ada, title)
  const exported = await fetch(`${kernel.url}${url}?sort=number`, {
    headers: { authorization: `Bearer ${ada.token}`, 'x-tenant-id': ada.tenantId, accept: 'text/csv' },
  })
  const file = await exported.text()
  t.is((await imported(bob, file)).state, 'succeeded')
  t.deepEqual((await numbers(bob)).sort(), ['T-0001', 'T-0002', 'T-0003'])
  t.is((await create(bob, 'D')).number, 'T-0004')
})

test('an import reports numbers that it cannot keep, and updates rows without changing theirs', async t => {
  const ada = await people.person()
  const wrong = await imported(ada, 'number,title\nT-7,A\nX-0001,B\nT-0003,C\n')
  t.is(wrong.state, 'failed')
  t.deepEqual(
    (await errorsOf(ada, 'tickets', wrong.id)).map(({ row, column, code }) => [row, column, code]),
    [
      [1, 'number', 'invalid'],
      [2, 'number', 'invalid'],
    ],
  )
  await create(ada, 'A')
  const late = await imported(ada, 'number,title\nT-0009,B\n')
  t.deepEqual(
    (await errorsOf(ada, 'tickets', late.id)).map(({ column, code }) => [column, code]),
    [['number', 'not_allowed']],
  )
  t.is((await imported(ada, 'number,title\nT-0001,New\n', 'tickets/imports?by=number')).state, 'succeeded')
  t.like((await ada.get<{ data: Row[] }>(url)).body.data[0], { number: 'T-0001', title: 'New' })
  t.is((await imported(ada, 'title\nB\n')).state, 'succeeded')
  t.deepEqual(await numbers(ada), ['T-0001', 'T-0002'])
})

test('an automation reads the number of a row', async t => {
  const ada = await people.person()
  await create(ada, 'Chair')
  await kernel.settled()
  t.like((await ada.get<{ data: { text: string }[] }>('/v1/data/notes')).body.data, [{ text: 'T-0001' }])
})

test('a number has more digits when they run out', async t => {
  const ada = await people.person()
  const sent = await ada.post<{ data: { code: string }[] }>(
    '/v1/data/codes',
    Array.from({ length: 101 }, () => ({ name: 'A' })),
  )
  t.deepEqual(
    [sent.body.data[0]?.code, sent.body.data[98]?.code, sent.body.data[99]?.code, sent.body.data[100]?.code],
    ['01/%x', '99/%x', '100/%x', '101/%x'],
  )
})

test('shared rows of a recipe are numbered, and keep their number and their default', async t => {
  const ada = await people.person()
  const { body } = await ada.get<{ data: { code: string; name: string; since: string }[] }>(
    '/v1/data/countries?sort=code',
  )
  t.deepEqual(
    body.data.map(({ code, name }) => [code, name]),
    [
      ['C1', 'Austria'],
      ['C2', 'Chile'],
    ],
  )
  t.is(body.data[0]?.since, new Date().toISOString().slice(0, 10))
})
