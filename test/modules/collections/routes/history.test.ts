import test from 'ava'
import type { Client } from '../../../../testing/index.ts'
import { type Colleague, codeOf, type Listed, type ProblemBody } from '../../../fixtures/people.ts'
import { withPeople } from '../../../fixtures/with-people.ts'

interface Row {
  id: string
  revision: number
  [field: string]: unknown
}
interface Version {
  revision: number
  changedAt: string
  changedBy: string | null
  changes: Record<string, { before: unknown; after: unknown }>
  row: Row
}

const anyone = () => ({ 'tenant.member': true })
const recipe = {
  modules: { identity: {}, comms: {}, collections: {} },
  roles: {
    'tenant.reviewer': { name: 'Reviewer', permissions: ['identity.member.read'] },
    'tenant.reader': { name: 'Reader', permissions: ['identity.member.read'] },
  },
  collections: {
    topics: {
      fields: { name: { type: 'text' }, hidden: { type: 'boolean', default: false } },
      access: { read: { 'tenant.member': { hidden: false } }, create: anyone(), delete: anyone() },
    },
    posts: {
      fields: {
        title: { type: 'text', required: true },
        price: { type: 'integer' },
        double: { type: 'computed', expression: 'price * 2', of: 'integer' },
        code: { type: 'text', writeOnce: true },
        published: { type: 'boolean', default: true },
        remarks: { type: 'text', read: ['tenant.reviewer'], write: ['tenant.reviewer'] },
        secret: { type: 'text', private: true },
        topic: { type: 'reference', to: 'topics', onDelete: 'clear' },
        topics: { type: 'reference', to: 'topics', many: true },
      },
      access: {
        read: { 'tenant.member': true, 'tenant.reader': { published: true }, anyone: { published: true } },
        create: anyone(),
        update: { 'tenant.member': { createdBy: '$user' } },
        delete: anyone(),
      },
      history: 3,
      trash: '1d',
    },
    plain: {
      fields: { name: { type: 'text' } },
      access: { read: anyone(), create: anyone(), update: anyone() },
    },
  },
}

let member: Colleague
let other: Colleague

const { kernel, people, owner } = withPeople(test, { recipe }, { owner: 'owner' }, async () => {
  member = await people.colleague(owner, ['tenant.member'])
  other = await people.colleague(owner, ['tenant.member'])
})

async function create(client: Client, collection: string, body: unknown): Promise<Row> {
  const made = await client.post<Row>(`/v1/data/${collection}`, body)
  if (made.status !== 201) throw new Error(JSON.stringify(made.body))
  return made.body
}
async function change(client: Client, id: string, body: unknown): Promise<void> {
  const changed = await client.patch(`/v1/data/posts/${id}`, body)
  if (changed.status !== 200) throw new Error(JSON.stringify(changed.body))
}
const history = async (client: Client, id: string, query = '') =>
  (await client.get<Listed<Version>>(`/v1/data/posts/${id}/history${query}`)).body
const restore = (client: Client, id: string, revision: number | string, headers: Record<string, string> = {}) =>
  client.post<Row>(`/v1/data/posts/${id}/history/${revision}/restore`, undefined, { headers })
const revisions = ({ data }: Listed<Version>) => data.map(({ revision }) => revision)

test('lists the versions that changes replaced, and keeps the newest ones', async t => {
  const { id } = await create(member, 'posts', { title: 'one', price: 1, secret: 's' })
  t.deepEqual(await history(member, id), { data: [], nextCursor: null })
  await change(member, id, { title: 'two' })
  await change(owner, id, { price: 2, remarks: 'r', secret: 'changed' })
  const { data } = await history(member, id)
  t.deepEqual(
    data.map(({ revision, changedBy, changes }) => ({ revision, changedBy, changes })),
    [
      {
        revision: 2,
        changedBy: owner.userId,
        changes: { price: { before: 1, after: 2 }, double: { before: 2, after: 4 } },
      },
      { revision: 1, changedBy: member.userId, changes: { title: { before: 'one', after: 'two' } } },
    ],
  )
  t.like(data[1]?.row, { id, title: 'one', revision: 1, createdBy: member.userId, topics: [] })
  for (const { row, changedAt } of data) {
    t.false('secret' in row || 'remarks' in row)
    t.true(Date.parse(changedAt) <= Date.now())
  }
  t.like((await history(owner, id)).data[0]?.changes, { remarks: { before: null, after: 'r' } })
  for (const price of [3, 4, 5]) await change(member, id, { price })
  t.deepEqual(revisions(await history(member, id)), [5, 4, 3])
  const first = await history(member, id, '?limit=2')
  t.deepEqual(revisions(first), [5, 4])
  const second = await history(member, id, `?limit=2&cursor=${first.nextCursor}`)
  t.deepEqual(revisions(second), [3])
  t.is(second.nextCursor, null)
  t.deepEqual(second.data[0]?.changes.price, { before: 2, after: 3 })
})

test('rejects wrong parameters and cursors of other lists', async t => {
  const { id } = await create(member, 'posts', { title: 'x' })
  const listed = await member.get<Listed<Row>>('/v1/data/posts?limit=1')
  t.is(codeOf(await member.get(`/v1/data/posts/${id}/history?cursor=x`)), '400 invalid_cursor')
  t.is(codeOf(await member.get(`/v1/data/posts/${id}/history?cursor=${listed.body.nextCursor}`)), '400 invalid_cursor')
  t.is((await member.get(`/v1/data/posts/${id}/history?limit=0`)).status, 422)
  for (const revision of ['x', 0, -1, 1, 1.5, '99999999999'])
    t.is(codeOf(await restore(member, id, revision)), '404 not_found', `${revision}`)
})

test('restores a version as a new revision', async t => {
  const { id } = await create(member, 'posts', { title: 'one', price: 1, code: 'c' })
  await change(member, id, { title: 'two', price: 2 })
  await change(owner, id, { remarks: 'kept', secret: 'kept' })
  t.is(codeOf(await restore(member, id, 1, { 'if-match': '"2"' })), '412 precondition_failed')
  const restored = await restore(member, id, 1, { 'if-match': '"3"' })
  t.is(restored.status, 200)
  t.like(restored.body, { title: 'one', price: 1, double: 2, revision: 4, code: 'c' })
  const read = await member.get<Row>(`/v1/data/posts/${id}`)
  t.deepEqual(read.body, restored.body)
  t.is(read.headers.get('etag'), restored.headers.get('etag'))
  t.is((await owner.get<Row>(`/v1/data/posts/${id}`)).body.remarks, 'kept')
  t.deepEqual(revisions(await history(member, id)), [3, 2, 1])
  // Nothing is left to change.
  t.is((await restore(member, id, 1)).body.revision, 4)
})

test('requests that restore a version at the same time change the row once', async t => {
  const { id } = await create(member, 'posts', { title: 'one' })
  await change(member, id, { title: 'two' })
  const results = await Promise.all([1, 2, 3, 4].map(() => restore(member, id, 1)))
  t.deepEqual(
    results.map(({ status, body }) => [status, body.revision]),
    [1, 2, 3, 4].map(() => [200, 3]),
  )
})

test('the rules of reading and changing apply', async t => {
  const { id } = await create(member, 'posts', { title: 'draft', published: false })
  await change(member, id, { title: 'final', published: true })
  t.is(codeOf(await restore(other, id, 1)), '403 row_action_forbidden')
  const reader = await people.colleague(owner, ['tenant.reader'])
  t.is((await reader.get(`/v1/data/posts/${id}`)).status, 200)
  // The version was not published.
  t.deepEqual((await history(reader, id)).data, [])
  await change(member, id, { title: 'newer' })
  t.deepEqual(revisions(await history(reader, id)), [2])
  t.like(await restore(reader, id, 2), { status: 403, body: { requiredPermission: 'collections.posts.update' } })
  const anonymous = kernel.with({ 'x-tenant-id': owner.tenantId })
  t.is((await anonymous.get(`/v1/data/posts/${id}`)).status, 200)
  t.is((await anonymous.get(`/v1/data/posts/${id}/history`)).status, 401)
  const reviewer = await people.colleague(owner, ['tenant.reviewer'])
  t.is((await reviewer.get(`/v1/data/posts/${id}/history`)).status, 403)
  const stranger = await people.person()
  t.is(codeOf(await stranger.get(`/v1/data/posts/${id}/history`)), '404 not_found')
  t.is(codeOf(await restore(stranger, id, 1)), '404 not_found')
  t.is(codeOf(await owner.get('/v1/data/posts/post_unknown/history')), '404 not_found')
  await owner.delete(`/v1/data/posts/${id}`)
  t.is(codeOf(await owner.get(`/v1/data/posts/${id}/history`)), '404 not_found')
  t.is(codeOf(await restore(owner, id, 1)), '404 not_found')
})

test('references to rows that are gone or unreadable are left out and become empty', async t => {
  const gone = await create(member, 'topics', { name: 'gone' })
  const hidden = await create(owner, 'topics', { name: 'hidden', hidden: true })
  const seen = await create(member, 'topics', { name: 'seen' })
  const topics = [gone.id, hidden.id, seen.id]
  const { id } = await create(owner, 'posts', { title: 'x', topic: gone.id, topics })
  await change(owner, id, { topics: [] })
  await change(owner, id, { title: 'y' })
  t.is((await member.delete(`/v1/data/topics/${gone.id}`)).status, 204)
  const [, first] = (await history(member, id)).data.slice(-2)
  t.like(first?.row, { topic: null, topics: [seen.id] })
  t.deepEqual(first?.changes.topics, { before: [seen.id], after: [] })
  const restored = await restore(owner, id, first?.revision ?? 0)
  t.is(restored.status, 200)
  t.like(restored.body, { title: 'x', topic: null, topics: [hidden.id, seen.id] })
})

test('collections without a history have no routes for it', async t => {
  const { id } = await create(owner, 'plain', { name: 'x' })
  t.is((await owner.get(`/v1/data/plain/${id}/history`)).status, 404)
  t.is((await owner.post<ProblemBody>(`/v1/data/plain/${id}/history/1/restore`)).status, 404)
})
