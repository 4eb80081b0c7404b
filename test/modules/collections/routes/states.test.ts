/** Enums whose values are the states of a row: which transitions are allowed, by whom, and their events. */
import test from 'ava'
import type { Person } from '../../../../testing/index.ts'
import { type Colleague, codeOf } from '../../../fixtures/people.ts'
import { withPeople } from '../../../fixtures/with-people.ts'
import { ended, errorsOf, type Import, send } from '../imports/fixtures.ts'

interface Row {
  readonly id: string
  readonly revision: number
  readonly [field: string]: unknown
}
interface Refusal {
  readonly code: string
  readonly allowed?: Readonly<Record<string, readonly string[]>>
  readonly errors?: readonly { readonly pointer: string; readonly code: string; readonly detail: string }[]
}
type Someone = Person | Colleague

const members = () => ({ 'tenant.member': true })
const recipe = {
  modules: { identity: {}, billing: {}, comms: {}, collections: {}, automations: {} },
  plans: { free: { name: 'Free', price: 0 } },
  roles: { 'tenant.agent': { name: 'Agent', permissions: ['identity.member.read'] } },
  automations: {
    'solve-chairs': {
      on: 'collections.tickets.status.waiting',
      when: { 'row.title': 'Chair', 'previous.status': 'open' },
      steps: [{ 'collections.update': { row: '$row', set: { status: 'solved' } } }],
    },
    'reopen-tables': {
      on: 'collections.tickets.status.solved',
      when: { 'row.title': 'Table' },
      steps: [{ 'collections.update': { row: '$row', set: { status: 'waiting' } } }],
    },
  },
  collections: {
    tickets: {
      fields: {
        number: { type: 'integer', unique: true },
        title: { type: 'text' },
        status: {
          type: 'enum',
          values: ['open', 'waiting', 'solved', 'spam'],
          default: 'open',
          initial: ['waiting'],
          transitions: { open: ['waiting', 'solved', 'spam'], waiting: ['open', 'solved'], solved: ['open'] },
          roles: { spam: ['tenant.agent'] },
        },
      },
      access: { read: members(), create: members(), update: members(), delete: members() },
      trash: '30d',
      history: 5,
    },
    orders: {
      fields: {
        title: { type: 'text' },
        stage: {
          type: 'enum',
          was: 'state',
          values: ['new', 'paid'],
          default: 'new',
          transitions: { new: ['paid'] },
        },
      },
      access: { read: members(), create: members(), update: members() },
    },
    leads: {
      fields: {
        name: { type: 'text' },
        stage: { type: 'enum', values: ['fresh', 'won'], initial: ['fresh'], transitions: { fresh: ['won'] } },
        grade: {
          type: 'enum',
          values: ['low', 'high'],
          default: 'low',
          transitions: { low: ['high'] },
          read: ['tenant.agent'],
        },
      },
      access: { read: members(), create: members(), update: members() },
    },
  },
}

const { kernel, people } = withPeople(test, { recipe })

const url = '/v1/data/tickets'
const create = async (client: Someone, values: object = {}): Promise<Row> => (await client.post<Row>(url, values)).body
const change = (client: Someone, { id }: Row, values: object) => client.patch<Row & Refusal>(`${url}/${id}`, values)
const read = async (client: Someone, { id }: Row): Promise<Row> => (await client.get<Row>(`${url}/${id}`)).body
async function imported(person: Someone, path: string, file: string): Promise<Import> {
  const sent = await send({ url: kernel.url, token: person.token, tenantId: person.tenantId }, path, file)
  return ended(person, 'tickets', sent.body.id)
}

test('a new row has the default, or a state that is listed as initial', async t => {
  const ada = await people.person()
  t.is((await create(ada)).status, 'open')
  t.is((await create(ada, { status: 'waiting' })).status, 'waiting')
  const refused = await ada.post<Refusal>(url, { status: 'solved' })
  t.is(refused.status, 422)
  t.like(refused.body.errors?.[0], {
    pointer: '/status',
    code: 'state',
    detail: 'must be one of open, waiting in a new row',
  })
  t.is((await ada.post(url, { status: null })).status, 422)
  t.is((await ada.post(url, [{}, { status: 'spam' }])).status, 422)
})

test('follows the transitions, and refuses others with those that are allowed', async t => {
  const ada = await people.person()
  const row = await create(ada)
  t.is((await change(ada, row, { status: 'waiting', title: 'A' })).body.status, 'waiting')
  const { status, body } = await change(ada, row, { status: 'spam', title: 'B' })
  t.is(status, 409)
  t.like(body, { code: 'transition_refused', allowed: { status: ['open', 'solved'] } })
  t.like(body.errors?.[0], { pointer: '/status', code: 'transition', detail: "can't become spam after waiting" })
  t.like(await read(ada, row), { status: 'waiting', title: 'A', revision: 2 })
})

test('a state without transitions is final, and no state is removed', async t => {
  const ada = await people.person()
  const row = await create(ada)
  t.is(codeOf(await change(ada, row, { status: null })), '409 transition_refused')
  await change(ada, row, { status: 'spam' })
  const { body } = await change(ada, row, { status: 'open' })
  t.like(body, { code: 'transition_refused', allowed: { status: [] } })
})

test('a change to the same state is none', async t => {
  const ada = await people.person()
  const row = await create(ada)
  t.like(await change(ada, row, { status: 'open' }), { status: 200, body: { revision: 1 } })
})

test('a row without a state gets one of a new row first', async t => {
  const ada = await people.person()
  const { body: lead } = await ada.post<Row>('/v1/data/leads', { name: 'A' })
  t.is(lead.stage, null)
  const set = (stage: string) => ada.patch<Row & Refusal>(`/v1/data/leads/${lead.id}`, { stage })
  t.like((await set('won')).body, { code: 'transition_refused', allowed: { stage: ['fresh'] } })
  t.is((await set('fresh')).status, 200)
  t.is((await set('won')).status, 200)
})

test('only roles of a state may choose it', async t => {
  const owner = await people.person()
  const member = await people.colleague(owner, ['tenant.member'])
  const agent = await people.colleague(owner, ['tenant.member', 'tenant.agent'])
  const row = await create(member)
  const refused = await change(member, row, { status: 'spam' })
  t.is(refused.status, 403)
  t.like(refused.body, { code: 'field_forbidden' })
  await change(member, row, { status: 'solved' })
  t.like((await change(member, row, { status: 'waiting' })).body, { allowed: { status: ['open'] } })
  await change(member, row, { status: 'open' })
  t.is((await change(agent, row, { status: 'spam' })).status, 200)
  t.like(await change(member, row, { status: 'spam', title: 'Same state' }), { status: 200 })
})

test('those who may not read a state do not learn it from a refusal', async t => {
  const owner = await people.person()
  const member = await people.colleague(owner, ['tenant.member'])
  const { body: lead } = await member.post<Row>('/v1/data/leads', { grade: 'low' })
  await member.patch(`/v1/data/leads/${lead.id}`, { grade: 'high' })
  const { body } = await member.patch<Refusal>(`/v1/data/leads/${lead.id}`, { grade: 'low' })
  t.deepEqual(body.allowed, {})
  t.notRegex(JSON.stringify(body.errors), /high/)
})

test('an upsert and a batch follow the transitions', async t => {
  const ada = await people.person()
  const row = await create(ada, { number: 1, status: 'waiting' })
  t.is((await ada.put<Refusal>(`${url}?by=number`, { number: 1, status: 'spam' })).body.code, 'transition_refused')
  t.is((await ada.put(`${url}?by=number`, { number: 2, status: 'solved' })).status, 422)
  t.is((await ada.put(`${url}?by=number`, { number: 1, status: 'solved' })).status, 200)
  const operations = [
    { action: 'update', id: row.id, data: { status: 'open' } },
    { action: 'update', id: row.id, data: { status: 'spam' } },
    { action: 'update', id: row.id, data: { status: 'open' } },
  ]
  const { status, body } = await ada.post<Refusal>(`${url}/batch`, { operations })
  t.is(status, 409)
  t.like(body, { code: 'transition_refused', allowed: { status: [] } })
  t.is(body.errors?.[0]?.pointer, '/operations/2/data/status')
  t.is((await read(ada, row)).status, 'solved')
})

test('of two changes from the same state, the second follows the first', async t => {
  const ada = await people.person()
  const row = await create(ada)
  const answers = await Promise.all(['spam', 'waiting'].map(status => change(ada, row, { status })))
  const refused = answers.filter(({ status }) => status === 409)
  const { status } = await read(ada, row)
  t.is(refused.length, 1)
  t.is(refused[0]?.body.code, 'transition_refused')
  t.true(answers.some(answer => answer.status === 200 && answer.body.status === status))
})

test('an import reports the rows whose state does not follow', async t => {
  const ada = await people.person()
  const row = await create(ada, { number: 1, status: 'waiting' })
  const file = 'number,status\n1,spam\n2,solved\n3,waiting\n'
  const dry = await imported(ada, 'tickets/imports?by=number', file)
  t.is(dry.state, 'failed')
  t.deepEqual(
    (await errorsOf(ada, 'tickets', dry.id)).map(each => [each.row, each.column, each.code]),
    [
      [1, 'status', 'transition'],
      [2, 'status', 'state'],
    ],
  )
  t.is((await read(ada, row)).status, 'waiting')
  t.is((await imported(ada, 'tickets/imports?by=number', 'number,status\n1,solved\n3,waiting\n')).state, 'succeeded')
  t.is((await read(ada, row)).status, 'solved')
})

test('restoring a version follows the transitions', async t => {
  const ada = await people.person()
  const row = await create(ada)
  await change(ada, row, { title: 'A' })
  await change(ada, row, { status: 'spam' })
  const restored = await ada.post<Refusal>(`${url}/${row.id}/history/2/restore`)
  t.is(restored.status, 409)
  t.is(restored.body.code, 'transition_refused')
})

test('a row comes out of the trash in the state that it had', async t => {
  const ada = await people.person()
  const row = await create(ada)
  await change(ada, row, { status: 'spam' })
  await ada.delete(`${url}/${row.id}`)
  t.like((await ada.post<Row>(`${url}/${row.id}/restore`)).body, { status: 'spam' })
})

test('each transition publishes an event of its state, and a new row does not', async t => {
  const ada = await people.person()
  const row = await create(ada)
  await change(ada, row, { title: 'A' })
  await change(ada, row, { status: 'solved', title: 'B' })
  const { rows: events } = await kernel.kernel.ports.systemDatabase
    .acrossTenants('a test reads the events')
    .query<{ type: string; payload: unknown }>('select type, payload from larder_events where subject = $1', [row.id])
  t.deepEqual(
    events.map(({ type }) => type).sort(),
    ['created', 'status.solved', 'updated', 'updated'].map(kind => `collections.tickets.${kind}`),
  )
  const solved = events.find(({ type }) => type.endsWith('solved'))
  t.like(solved?.payload, {
    row: { status: 'solved', title: 'B' },
    changed: ['status', 'title'],
    previous: { status: 'open', title: 'A' },
  })
})

test('a renamed field publishes the events of both names', async t => {
  const ada = await people.person()
  const { body: order } = await ada.post<Row>('/v1/data/orders', { title: 'A' })
  await ada.patch(`/v1/data/orders/${order.id}`, { state: 'paid' })
  const { rows: events } = await kernel.kernel.ports.systemDatabase
    .acrossTenants('a test reads the events')
    .query<{ type: string; payload: { row: object } }>(
      `select type, payload from larder_events where subject = $1 and type like '%paid' order by type`,
      [order.id],
    )
  t.deepEqual(
    events.map(({ type }) => type),
    ['collections.orders.stage.paid', 'collections.orders.state.paid'],
  )
  for (const { payload } of events) t.like(payload.row, { stage: 'paid', state: 'paid' })
})

test('a state that the recipe no longer has is left by nobody, and other fields change', async t => {
  const ada = await people.person()
  const row = await create(ada)
  await kernel.kernel.ports.systemDatabase
    .acrossTenants('a state of an earlier recipe')
    .query(`update data_tickets set status = 'gone' where id = $1`, [row.id])
  const { status, body } = await change(ada, row, { status: 'open' })
  t.is(status, 409)
  t.like(body, { code: 'transition_refused', allowed: { status: [] } })
  t.like((await change(ada, row, { title: 'A' })).body, { title: 'A', status: 'gone' })
})

test('the API document says which states follow', async t => {
  const ada = await people.person()
  const { body } = await ada.get<{
    paths: Record<string, Record<string, { 'x-larder-collection'?: { fields: Record<string, { states?: unknown }> } }>>
  }>('/v1/platform/openapi.json')
  t.deepEqual(body.paths[url]?.get?.['x-larder-collection']?.fields.status?.states, {
    initial: ['open', 'waiting'],
    transitions: { open: ['waiting', 'solved', 'spam'], waiting: ['open', 'solved'], solved: ['open'] },
    roles: { spam: ['tenant.agent'] },
  })
})

test('an automation starts with a state, and follows the transitions', async t => {
  const ada = await people.person()
  const [chair, table] = [await create(ada, { title: 'Chair' }), await create(ada, { title: 'Table' })]
  await change(ada, chair, { status: 'waiting' })
  await change(ada, table, { status: 'solved' })
  await kernel.settled()
  t.is((await read(ada, chair)).status, 'solved')
  t.is((await read(ada, table)).status, 'solved')
})
