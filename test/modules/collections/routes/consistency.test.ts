import test from 'ava'
import type { Client } from '../../../../testing/index.ts'
import type { Listed, ProblemBody } from '../../../fixtures/people.ts'
import { withPeople } from '../../../fixtures/with-people.ts'

interface Row {
  id: string
  revision: number
  [field: string]: unknown
}

const member = () => ({ 'tenant.member': true })
const everything = () => ({ read: member(), create: member(), update: member(), delete: member() })
const recipe = {
  modules: { identity: {}, comms: {}, collections: {} },
  collections: {
    people: { fields: { name: { type: 'text' } }, access: everything() },
    papers: {
      fields: {
        author: { type: 'reference', to: 'people', onDelete: 'clear' },
        reviewer: { type: 'reference', to: 'people', onDelete: 'clear' },
        owner: { type: 'reference', to: 'people', onDelete: 'cascade' },
      },
      access: everything(),
      history: 5,
      trash: '30d',
    },
    orders: {
      fields: {
        price: { type: 'integer' },
        quantity: { type: 'integer' },
        until: { type: 'datetime', required: true },
        total: { type: 'computed', expression: 'price * quantity', of: 'integer' },
      },
      access: {
        read: member(),
        create: { 'tenant.member': { total: { lt: 100 } } },
        update: { 'tenant.member': { total: { lt: 100 } } },
      },
    },
    labels: {
      fields: { name: { type: 'text' }, shown: { type: 'boolean', default: true } },
      access: { read: { 'tenant.member': { shown: true } }, create: member() },
    },
    topics: { fields: { name: { type: 'text' } }, access: everything(), trash: '30d' },
    posts: {
      fields: {
        topics: { type: 'reference', to: 'topics', many: true },
      },
      access: everything(),
    },
    drafts: {
      fields: { label: { type: 'reference', to: 'labels' }, open: { type: 'boolean', default: true } },
      access: { read: { 'tenant.member': { open: true } }, create: member(), update: member() },
    },
  },
}

const until = '9999-12-31T23:59:59.999Z'

const { owner, client } = withPeople(test, { recipe }, { owner: { name: 'Ada' }, client: ['tenant.member'] })

async function create(by: Client, collection: string, body: unknown): Promise<Row> {
  const made = await by.post<Row>(`/v1/data/${collection}`, body)
  if (made.status !== 201) throw new Error(JSON.stringify(made.body))
  return made.body
}

test('a deletion clears all references of a row in one change', async t => {
  const { id } = await create(client, 'people', { name: 'Ada' })
  const paper = await create(client, 'papers', { author: id, reviewer: id })
  t.is((await client.delete(`/v1/data/people/${id}`)).status, 204)
  t.like((await client.get<Row>(`/v1/data/papers/${paper.id}`)).body, { author: null, reviewer: null, revision: 2 })
})

test('a row that a deletion deletes is not cleared as well', async t => {
  const { id } = await create(client, 'people', { name: 'Ada' })
  const paper = await create(client, 'papers', { author: id, owner: id })
  t.like(await client.delete(`/v1/data/people/${id}`), { status: 204 })
  t.is((await client.get(`/v1/data/papers/${paper.id}`)).status, 404)
})

test('rules on computed fields use their new values', async t => {
  const made = await create(client, 'orders', { price: 2, quantity: 3, until })
  t.is(made.total, 6)
  t.like(await client.post<ProblemBody>('/v1/data/orders', { price: 20, quantity: 30, until }), {
    status: 403,
    body: { code: 'row_action_forbidden' },
  })
  t.like(await client.patch<ProblemBody>(`/v1/data/orders/${made.id}`, { quantity: 300 }), {
    status: 403,
    body: { code: 'row_action_forbidden' },
  })
  t.is((await client.get<Row>(`/v1/data/orders/${made.id}`)).body.quantity, 3)
})

test('pages continue after times of any year', async t => {
  for (let at = 0; at < 3; at++) await create(owner, 'orders', { price: 0, quantity: 1, until })
  for (const sort of ['until', '-until']) {
    const expected = (await client.get<Listed<Row>>(`/v1/data/orders?sort=${sort}`)).body.data.map(({ id }) => id)
    const found: string[] = []
    let path = `/v1/data/orders?sort=${sort}&limit=1`
    for (let at = 0; at < expected.length; at++) {
      const { body } = await client.get<Listed<Row> & { nextCursor: string | null }>(path)
      found.push(...body.data.map(({ id }) => id))
      if (body.nextCursor === null) break
      path = `/v1/data/orders?sort=${sort}&limit=1&cursor=${body.nextCursor}`
    }
    t.deepEqual(found, expected)
  }
})

test('the reply to a change that hides the row hides what it refers to', async t => {
  const label = await create(owner, 'labels', { name: 'Secret', shown: false })
  const draft = await create(owner, 'drafts', { label: label.id })
  t.is((await client.get<Row>(`/v1/data/drafts/${draft.id}`)).body.label, null)
  t.like(await client.patch<Row>(`/v1/data/drafts/${draft.id}`, { open: false }), {
    status: 200,
    body: { open: false, label: null },
  })
})

test('a row in a list of references with onDelete: restrict is not moved to the trash', async t => {
  const topic = await create(client, 'topics', { name: 'a' })
  await create(client, 'posts', { topics: [topic.id] })
  t.like(await client.delete<ProblemBody>(`/v1/data/topics/${topic.id}`), { status: 409, body: { code: 'row_in_use' } })
})
