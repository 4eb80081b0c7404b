import test from 'ava'
import type { StreamVisitorToken as VisitorToken } from '../../../fixtures/api-types.ts'
import { join as joinTopics } from '../../../fixtures/topics.ts'
import { withPeople } from '../../../fixtures/with-people.ts'
import { create, expectStatus, type ProblemBody, streamsRecipe } from '../fixtures.ts'
import { dial, join, offer } from './client.ts'

const { kernel, clock, ada } = withPeople(test, { recipe: streamsRecipe(), clock: true }, { ada: 'owner' })
const HOUR = 3_600_000
const path = (id: string) => `/v1/streams/public/${id}/tokens`

test.serial('a visitor watches a public stream with a token that anyone can create', async t => {
  const { id, join_token } = await create(ada, { visibility: 'public' })
  const publisher = await join(kernel.url, { token: join_token, role: 'publisher' })
  const { token } = expectStatus(201, await kernel.post<VisitorToken>(path(id)))
  // A visitor can't broadcast, whatever role they ask for.
  const viewer = await join(kernel.url, { token, role: 'publisher' })
  t.is(viewer.me.role, 'viewer')
  viewer.send({ type: 'renegotiate', data: { connection_id: 'c1' } })
  publisher.send({ type: 'description', to: viewer.me.peer_id, data: offer() })
  t.deepEqual((await viewer.next('description')).data, offer())
  t.false('whip_url' in expectStatus(200, await kernel.get<object>(`/v1/streams/${id}/media?join_token=${token}`)))
})

test.serial('refuses tokens for private, finished and unknown streams', async t => {
  const hidden = await create(ada)
  const over = await create(ada, { visibility: 'public' })
  expectStatus(200, await ada.post(`/v1/sessions/${over.id}/end`))
  for (const id of [hidden.id, over.id, `ses_${'0'.repeat(26)}`, 'x']) {
    const { status, body } = await kernel.post<ProblemBody>(path(id))
    t.is(status, 404)
    t.is(body.code, 'not_found')
  }
})

test.serial('the end of a stream closes the sockets of its visitors', async t => {
  const { id } = await create(ada, { visibility: 'public' })
  const { token } = expectStatus(201, await kernel.post<VisitorToken>(path(id)))
  const viewer = await join(kernel.url, { token })
  expectStatus(200, await ada.post(`/v1/sessions/${id}/end`))
  t.is((await viewer.closed).code, 4410)
  const again = await dial(kernel.url)
  again.send({ type: 'hello', data: { token } })
  t.is((await again.next('error')).data.code, 'session_ended')
})

test.serial('the topic of a private stream is open to clients with a token of it', async t => {
  const [mine, other] = [await create(ada), await create(ada)]
  const { body } = await ada.post(`/v1/streams/${mine.id}/tokens`, { role: 'viewer' })
  const open = async (join_token: string) => {
    const client = await joinTopics(kernel.url)
    return { client, reply: await client.subscribe('streams.public', { stream_id: mine.id, join_token }) }
  }
  for (const token of [other.join_token, 'st_wrong', ada.apiKey]) {
    const { client, reply } = await open(token)
    t.is(reply.data.code, 'not_found')
    client.cut()
  }
  const opened = [await open(mine.join_token), await open(body.token)]
  expectStatus(200, await ada.post(`/v1/sessions/${mine.id}/end`))
  for (const { client, reply } of opened) {
    t.is(reply.type, 'subscribed')
    t.deepEqual((await client.next('message')).data.message, { change: 'status', status: 'ended' })
    client.cut()
  }
})

test.serial("a visitor's token opens no other stream, and can't be forged or used after its time", async t => {
  const [first, second] = [await create(ada, { visibility: 'public' }), await create(ada)]
  const { token } = expectStatus(201, await kernel.post<VisitorToken>(path(first.id)))
  const wrong = [token.replace(first.id, second.id), `${token}x`, token.replace(/\.\d{13}\./, '.9999999999999.'), 'vt_']
  for (const forged of wrong) {
    const client = await dial(kernel.url)
    client.send({ type: 'hello', data: { token: forged } })
    t.is((await client.next('error')).data.code, 'invalid_token')
  }
  clock.forward(12 * HOUR)
  const late = await dial(kernel.url)
  late.send({ type: 'hello', data: { token } })
  t.is((await late.next('error')).data.code, 'invalid_token')
})
