/** The chat beside a stream: who reads, writes and removes messages, and what reaches whom. */
import test from 'ava'
import type { Client } from '../../../../testing/index.ts'
import { join } from '../../../fixtures/topics.ts'
import { withPeople } from '../../../fixtures/with-people.ts'
import { type CreatedBody, create, expectStatus, type ListBody, type ProblemBody, streamsRecipe } from '../fixtures.ts'
import { dial, join as joinStream } from '../realtime/client.ts'

interface ChatMessage {
  readonly id: string
  readonly name: string | null
  readonly guest: boolean
  readonly host: boolean
  readonly body: string
  readonly created_at: string
}
const ROLES = { 'tenant.outsider': { name: 'Outsider', permissions: ['sessions.session.read'] } }
const recipe = streamsRecipe({}, { messaging: {} })
const { kernel, ada, bob, eve } = withPeople(
  test,
  { recipe: { ...recipe, roles: { ...recipe.roles, ...ROLES } } },
  { ada: { name: 'Ada' }, bob: { name: 'Bob' }, eve: { name: 'Eve', roles: ['tenant.outsider'] } },
)

const pathOf = ({ id }: Pick<CreatedBody, 'id'>) => `/v1/streams/${id}/chat`
type Answer = ChatMessage & ProblemBody
const write = (client: Client, stream: Pick<CreatedBody, 'id'>, body: object) =>
  client.post<Answer>(pathOf(stream), body)
async function messagesOf(client: Client, stream: Pick<CreatedBody, 'id'>, query = ''): Promise<ChatMessage[]> {
  const { body, status } = await client.get<ListBody<ChatMessage>>(`${pathOf(stream)}${query}`)
  if (status !== 200) throw new Error(`the chat was answered ${status}`)
  return body.data
}
async function tokenOf(stream: CreatedBody, role: string, more: object = {}): Promise<{ id: string; token: string }> {
  const { id, token } = expectStatus(201, await ada.post(`/v1/streams/${stream.id}/tokens`, { role, ...more }))
  return { id: String(id), token: String(token) }
}

test('a member who manages the stream and a visitor with an account talk beside a public stream', async t => {
  const stream = await create(ada, { visibility: 'public' })
  const first = await write(ada, stream, { body: ' Welcome, everybody ' })
  t.is(first.status, 201)
  const { id, created_at, ...rest } = first.body
  t.regex(id, /^chm_/)
  t.false(Number.isNaN(Date.parse(created_at)))
  t.deepEqual(rest, { name: 'Ada', guest: false, host: true, body: ' Welcome, everybody ' })
  t.like((await write(bob, stream, { body: 'Hello' })).body, { name: 'Bob', guest: false, host: false })
  const all = [
    ['Hello', false],
    [' Welcome, everybody ', true],
  ]
  for (const reader of [ada, bob, kernel])
    t.deepEqual(
      (await messagesOf(reader, stream)).map(({ body, host }) => [body, host]),
      all,
    )
  const page = await kernel.get<ListBody<ChatMessage>>(`${pathOf(stream)}?limit=1`)
  const rest1 = await messagesOf(kernel, stream, `?limit=1&cursor=${page.body.next_cursor}`)
  t.deepEqual([page.body.data[0]?.body, rest1[0]?.body], ['Hello', ' Welcome, everybody '])
})

test('a visitor of a public stream writes with an account only, also with the token that everybody gets', async t => {
  const stream = await create(ada, { visibility: 'public' })
  const { body } = await kernel.post<{ token: string }>(`/v1/streams/public/${stream.id}/tokens`)
  for (const more of [{}, { join_token: body.token }]) {
    const refused = await write(kernel, stream, { body: 'Hello', name: 'Cleo', ...more })
    t.like(refused, { status: 401, body: { code: 'unauthenticated' } })
  }
  t.deepEqual(await messagesOf(kernel, stream), [])
})

test('only those who may watch a private stream read and write beside it', async t => {
  const stream = await create(ada)
  const other = await create(ada)
  t.is((await write(ada, stream, { body: 'Secret' })).status, 201)
  for (const [client, query] of [
    [kernel, ''],
    [bob, ''],
    [eve, ''],
    [bob, `?join_token=${other.join_token}`],
    [kernel, '?join_token=jt_nonsense'],
  ] as const) {
    const read = await client.get<ProblemBody>(`${pathOf(stream)}${query}`)
    t.like(read, { status: 404, body: { code: 'not_found', detail: 'No stream has this ID.' } })
    const join_token = query.split('=')[1]
    const written = await write(client, stream, { body: 'x', ...(join_token && { join_token }) })
    t.is(written.status, 404)
  }
  t.is((await messagesOf(ada, stream)).length, 1)
})

test('a guest with a token of the stream writes under a name', async t => {
  const stream = await create(ada)
  const { token } = await tokenOf(stream, 'viewer')
  const sent = await write(kernel, stream, { body: 'Hi', name: 'Cleo', join_token: token })
  t.like(sent, { status: 201, body: { name: 'Cleo', guest: true, host: false } })
  t.is((await messagesOf(kernel, stream, `?join_token=${token}`)).length, 1)
  const nameless = await write(kernel, stream, { body: 'Hi', join_token: token })
  t.like(nameless, { status: 422, body: { errors: [{ pointer: '/name', code: 'required' }] } })
  // An account has its own name, and doesn't take the one of somebody else.
  const renamed = await write(bob, stream, { body: 'Hi', name: 'Ada', join_token: token })
  t.like(renamed, { status: 422, body: { errors: [{ pointer: '/name', code: 'not_allowed' }] } })
  t.like((await write(bob, stream, { body: 'Hi', join_token: token })).body, { name: 'Bob', guest: false })
})

for (const [pointer, body] of [
  ['/body', {}],
  ['/body', { body: 7 }],
  ['/body', { body: ' ' }],
  ['/body', { body: 'x'.repeat(501) }],
  ['/name', { body: 'x', name: 'x'.repeat(61) }],
  ['/color', { body: 'x', color: 'red' }],
] as const)
  test(`refuses a chat message with ${JSON.stringify(body).slice(0, 40)}`, async t => {
    const { status, body: problem } = await write(ada, await create(ada), body)
    t.is(status, 422)
    t.is(problem.errors?.[0]?.pointer, pointer)
  })

test('nobody writes beside a stream that has ended, and its messages stay', async t => {
  const stream = await create(ada, { visibility: 'public' })
  t.is((await write(bob, stream, { body: 'Hello' })).status, 201)
  expectStatus(200, await ada.post(`/v1/sessions/${stream.id}/end`))
  for (const client of [ada, bob]) {
    const refused = await write(client, stream, { body: 'Still here?' })
    t.like(refused, { status: 409, body: { code: 'invalid_state' } })
  }
  t.is((await messagesOf(kernel, stream)).length, 1)
})

test('those who manage or broadcast the stream remove messages, and others get 403', async t => {
  const stream = await create(ada, { visibility: 'public' })
  const ids = await Promise.all(['one', 'two', 'three'].map(async body => (await write(bob, stream, { body })).body.id))
  const remove = (client: Client, id: string | undefined, query = '') =>
    client.delete<ProblemBody>(`${pathOf(stream)}/${id}${query}`)
  const viewer = await tokenOf(stream, 'viewer')
  for (const [client, query] of [
    [bob, ''],
    [eve, ''],
    [kernel, `?join_token=${viewer.token}`],
  ] as const)
    t.like(await remove(client, ids[0], query), {
      status: 403,
      body: { code: 'forbidden', requiredPermission: 'streams.stream.update' },
    })
  t.is((await remove(ada, ids[0])).status, 204)
  t.is((await remove(ada, ids[0])).status, 404)
  const publisher = await tokenOf(stream, 'publisher')
  t.is((await remove(kernel, ids[1], `?join_token=${publisher.token}`)).status, 204)
  const other = await create(ada, { visibility: 'public' })
  t.is((await ada.delete(`${pathOf(other)}/${ids[2]}`)).status, 404)
  t.deepEqual(
    (await messagesOf(kernel, stream)).map(({ body }) => body),
    ['three'],
  )
})

test('a join token, which viewers have too, removes no messages', async t => {
  const stream = await create(ada)
  const { body: message } = await write(ada, stream, { body: 'Welcome' })
  const path = `${pathOf(stream)}/${message.id}?join_token=${stream.join_token}`
  for (const client of [kernel, bob]) {
    const refused = { status: 403, body: { code: 'forbidden', requiredPermission: 'streams.stream.update' } }
    t.like(await client.delete<ProblemBody>(path), refused)
  }
  t.is((await messagesOf(kernel, stream, `?join_token=${stream.join_token}`)).length, 1)
  // A member with the permission keeps it, whatever else they send.
  t.is((await ada.delete(path)).status, 204)
})

/** The answers to those who read, write, remove and subscribe with the token. */
async function opens(stream: CreatedBody, token: string): Promise<unknown[]> {
  const query = `?join_token=${token}`
  const read = await kernel.get(`${pathOf(stream)}${query}`)
  const written = await write(kernel, stream, { body: 'Hi', name: 'Cleo', join_token: token })
  const removed = await kernel.delete(`${pathOf(stream)}/chm_00000000000000000000000000${query}`)
  const topic = await join(kernel.url)
  const { type } = await topic.subscribe('streams.chat', { stream_id: stream.id, join_token: token })
  topic.cut()
  return [read.status, written.status, removed.status, type]
}

for (const [role, removes] of [
  ['viewer', 403],
  ['publisher', 404],
] as const)
  test(`a ${role} token without uses left opens the chat only while who used it is connected`, async t => {
    const stream = await create(ada)
    const { token } = await tokenOf(stream, role, { max_uses: 1 })
    const open = [200, 201, removes, 'subscribed']
    t.deepEqual(await opens(stream, token), open)
    const peer = await joinStream(kernel.url, { token })
    t.deepEqual(await opens(stream, token), open)
    // The connection is interrupted for a moment.
    peer.cut()
    const back = await dial(kernel.url)
    await back.hello({ resume_token: peer.me.resume_token })
    t.deepEqual(await opens(stream, token), open)
    back.send({ type: 'leave', data: {} })
    await back.closed
    t.deepEqual(await opens(stream, token), [404, 404, 404, 'error'])
  })

test('beside a public stream, who has a token without uses left reads as every visitor does', async t => {
  const stream = await create(ada, { visibility: 'public' })
  const { token } = await tokenOf(stream, 'publisher', { max_uses: 1 })
  const peer = await joinStream(kernel.url, { token })
  peer.send({ type: 'leave', data: {} })
  await peer.closed
  t.deepEqual(await opens(stream, token), [200, 401, 403, 'subscribed'])
})

test('a token with uses left opens the chat beside those who used it', async t => {
  const stream = await create(ada)
  const { token } = await tokenOf(stream, 'viewer', { max_uses: 2 })
  const peer = await joinStream(kernel.url, { token })
  peer.send({ type: 'leave', data: {} })
  await peer.closed
  t.deepEqual(await opens(stream, token), [200, 201, 403, 'subscribed'])
})

test('messages reach those who watch at once, and nobody after their token was revoked', async t => {
  const stream = await create(ada)
  const { id: tokenId, token } = await tokenOf(stream, 'viewer')
  const stranger = await join(kernel.url)
  t.is((await stranger.subscribe('streams.chat', { stream_id: stream.id })).data.code, 'not_found')
  const [guest, member] = [await join(kernel.url), await join(kernel.url, ada)]
  t.is((await guest.subscribe('streams.chat', { stream_id: stream.id, join_token: token })).type, 'subscribed')
  t.is((await member.subscribe('streams.chat', { stream_id: stream.id })).type, 'subscribed')
  const { body: message } = await write(ada, stream, { body: 'Hello' })
  for (const client of [guest, member])
    t.deepEqual((await client.next('message')).data.message, { change: 'created', message })
  t.is((await ada.delete(`/v1/streams/${stream.id}/tokens/${tokenId}`)).status, 204)
  t.like((await guest.next('unsubscribed')).data, { reason: 'not_found' })
  t.is((await ada.delete(`${pathOf(stream)}/${message.id}`)).status, 204)
  t.deepEqual((await member.next('message')).data.message, { change: 'removed', id: message.id })
  for (const client of [stranger, guest, member]) client.cut()
})

test('a repeated message with an Idempotency-Key is stored once, and two at once are both', async t => {
  const stream = await create(ada, { visibility: 'public' })
  const retried = bob.with({ 'idempotency-key': 'chat-1' })
  const [first, second] = [
    await write(retried, stream, { body: 'once' }),
    await write(retried, stream, { body: 'once' }),
  ]
  t.is(first.body.id, second.body.id)
  await Promise.all([ada, bob].map(client => write(client, stream, { body: 'both' })))
  t.deepEqual(
    (await messagesOf(kernel, stream)).map(({ body }) => body),
    ['both', 'both', 'once'],
  )
})
