import test from 'ava'
import { withPeople } from '../../../fixtures/with-people.ts'
import { create, expectStatus, startStreams, streamsRecipe } from '../fixtures.ts'
import { dial, join } from './client.ts'

const { kernel, clock, ada } = withPeople(
  test,
  { recipe: streamsRecipe({ requireAccept: true }, { messaging: {} }), clock: true },
  { ada: 'owner' },
)

/** A viewer that waits for the acceptance of its session. */
async function waiting(token: string, url = kernel.url) {
  const client = await dial(url)
  client.send({ type: 'hello', id: 'h', data: { token } })
  const frame = await client.next('session_updated')
  if (frame.id !== 'h') throw new Error(`the hello was answered ${JSON.stringify(frame)}`)
  return client
}

test.serial('closes waiting viewers when the session ends or expires', async t => {
  const [ends, expires] = [await create(ada), await create(ada, { ttl_seconds: 10 })]
  const first = await waiting(ends.join_token)
  await ada.post(`/v1/sessions/${ends.id}/end`)
  t.like((await first.next('closing')).data, { action: 'stop', reason: 'ended' })
  t.is((await first.closed).code, 4410)
  const second = await waiting(expires.join_token)
  clock.forward(10_000)
  t.is((await second.next('closing')).data.reason, 'expired')
  t.is((await second.closed).code, 4410)
})

test.serial('closes only the waiting viewers whose token was rotated or revoked', async t => {
  const { id, join_token } = await create(ada)
  const made = expectStatus(201, await ada.post(`/v1/streams/${id}/tokens`, { role: 'viewer' }))
  const byJoin = await waiting(join_token)
  const byStream = await waiting(made.token)
  await ada.post(`/v1/sessions/${id}/token/rotate`)
  t.like((await byJoin.next('closing')).data, { action: 'stop', reason: 'revoked' })
  t.is((await byJoin.closed).code, 4403)
  t.is(byStream.ws.readyState, byStream.ws.OPEN)
  await ada.delete(`/v1/streams/${id}/tokens/${made.id}`)
  t.is((await byStream.closed).code, 4403)
})

test.serial('who waits with the last use of a token waits for the chat, too, and gets both', async t => {
  const { id } = await create(ada)
  const made = await ada.post(`/v1/streams/${id}/tokens`, { role: 'viewer', max_uses: 1 })
  const { token } = expectStatus(201, made)
  const viewer = await waiting(String(token))
  const chat = async () => (await kernel.get(`/v1/streams/${id}/chat?join_token=${token}`)).status
  t.is(await chat(), 409)
  await ada.post(`/v1/sessions/${id}/accept`)
  await viewer.next('welcome')
  t.is(await chat(), 200)
  viewer.send({ type: 'leave', data: {} })
  await viewer.closed
  t.is(await chat(), 404)
})

test.serial('a waiting viewer occupies no peer session, cannot send and may leave', async t => {
  const { id, join_token: token } = await create(ada)
  const publisher = await join(kernel.url, { token, role: 'publisher' })
  const waits = await waiting(token)
  waits.send({ type: 'description', data: { connection_id: 'c', description: { type: 'offer', sdp: 'v=0' } } })
  waits.send({ type: 'ping', data: { t: 1 } })
  await waits.next('pong')
  t.is(expectStatus(200, await ada.get(`/v1/streams/${id}`)).viewer_count, 0)
  t.deepEqual(publisher.waiting, [])
  waits.send({ type: 'leave', data: {} })
  t.is((await waits.closed).code, 1000)
})

test.serial('a drain makes joined peers resume and others reconnect', async t => {
  const product = await startStreams({ requireAccept: true })
  const { join_token: token } = await create(await product.register('ada@example.test'))
  const publisher = await join(product.url, { token, role: 'publisher' })
  const waits = await waiting(token, product.url)
  const silent = await dial(product.url)
  const stopped = product.stop()
  for (const [client, action] of [
    [publisher, 'resume'],
    [waits, 'reconnect'],
    [silent, 'reconnect'],
  ] as const) {
    const { data } = await client.next('closing')
    t.like(data, { action, reason: 'draining' })
    t.is(typeof data.retry_after_ms, 'number')
    t.is((await client.closed).code, 4000)
  }
  await stopped
})

test.serial('viewers who wait have no chat before the session is accepted', async t => {
  const { id } = await create(ada)
  const { token } = expectStatus(201, await ada.post(`/v1/streams/${id}/tokens`, { role: 'viewer' }))
  const chat = () => kernel.get<{ code?: string; detail?: string }>(`/v1/streams/${id}/chat?join_token=${token}`)
  t.like(await chat(), {
    status: 409,
    body: { code: 'invalid_state', detail: "The session hasn't been accepted yet." },
  })
  t.is((await ada.get(`/v1/streams/${id}/chat`)).status, 200)
  expectStatus(200, await ada.post(`/v1/sessions/${id}/accept`))
  t.is((await chat()).status, 200)
})
