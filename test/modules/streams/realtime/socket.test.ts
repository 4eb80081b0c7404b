import { randomBytes } from 'node:crypto'
import anyTest, { type TestFn } from 'ava'
import type { Person, TestKernel } from '../../../../kernel/testing.ts'
import { create, handClock, mustBe, type StreamBody, startStreams } from '../stage.ts'
import { candidate, dial, join, offer } from './client.ts'

interface Context {
  kernel: TestKernel
  ada: Person
  clock: ReturnType<typeof handClock>
  url: string
}
const test = anyTest as TestFn<Context>

test.beforeEach(async t => {
  const clock = handClock()
  const kernel = await startStreams(undefined, { clock })
  t.context = { kernel, clock, url: kernel.url, ada: await kernel.register('ada@example.test') }
})
test.afterEach.always(t => t.context.kernel?.stop())

test('hello with a join token is answered with everything that a peer needs', async t => {
  const { ada, url } = t.context
  const made = await create(ada, { title: 'Final' })
  const client = await dial(url)
  const data = await client.hello({ token: made.join_token, client: { name: 'test', version: '1' } }, 'h1')
  const { session, resume_token, peer_id, limits, ...rest } = data
  t.regex(peer_id, /^peer_/)
  t.regex(resume_token, /^rt_peer_/)
  t.deepEqual(rest, {
    ...{ protocol: 1, role: 'viewer', peers: [], ice_servers: [], ice_expires_at: null },
    ...{ ping_interval_ms: 20_000, resume_window_ms: 30_000, resumed: false, last_seq: 0 },
  })
  t.like(limits, { frame_bytes: 131_072, messages_per_second: 50, burst: 200, peers: 100 })
  t.like(session, { id: made.id, status: 'created', mode: 'stream', title: 'Final', live_status: 'idle', sources: [] })
  for (const secret of ['metadata', 'customer', 'purpose', 'workspace_id', 'webhook_url']) t.false(secret in session)
})

test('a token in the query is a hello by itself, and one that follows may still choose the role', async t => {
  const { ada, url } = t.context
  const { join_token } = await create(ada)
  const viewer = await dial(url, `?join_token=${join_token}`)
  t.is((await viewer.next('welcome')).data.role, 'viewer')
  const second = await dial(url, `?join_token=${join_token}`)
  await second.next('welcome')
  t.is((await second.hello({ role: 'publisher' })).role, 'publisher')
  const third = await dial(url, `?join_token=${join_token}&role=publisher`)
  t.is((await third.next('error')).data.code, 'publisher_taken')
})

test('what is no credential is refused with one error and 4401', async t => {
  const { url, clock } = t.context
  for (const data of [{}, { token: 'jt_nonsense' }, { token: 'st_nonsense' }, { token: '' }]) {
    const client = await dial(url)
    client.send({ type: 'hello', id: 'x', data })
    t.is((await client.next('error')).id, 'x')
    t.is((await client.closed).code, 4401)
    t.deepEqual(client.waiting, [])
  }
  const query = await dial(url, '?join_token=jt_nonsense')
  t.is((await query.closed).code, 4401)
  const rude = await dial(url)
  rude.send({ type: 'description', data: offer() })
  t.is((await rude.closed).code, 4401)
  const silent = await dial(url)
  clock.forward(5000)
  t.is((await silent.closed).code, 4401)
})

test('a stream token has its role, whatever hello says', async t => {
  const { ada, url } = t.context
  const { id } = await create(ada)
  for (const role of ['viewer', 'publisher']) {
    const { token } = mustBe(201, await ada.post<{ token: string }>(`/v1/streams/${id}/tokens`, { role }))
    t.is((await join(url, { token, role: role === 'viewer' ? 'publisher' : 'viewer' })).me.role, role)
  }
  const once = mustBe(
    201,
    await ada.post<{ token: string }>(`/v1/streams/${id}/tokens`, { role: 'viewer', max_uses: 1 }),
  )
  await join(url, { token: once.token })
  const again = await dial(url)
  again.send({ type: 'hello', data: { token: once.token } })
  t.is((await again.next('error')).data.code, 'token_used_up')
  t.is((await again.closed).code, 4401)
})

test('peers learn of each other, and of each who is polite', async t => {
  const { ada, url } = t.context
  const { join_token: token } = await create(ada)
  const viewer = await join(url, { token })
  const publisher = await join(url, { token, role: 'publisher' })
  t.deepEqual(publisher.me.peers, [{ peer_id: viewer.me.peer_id, role: 'viewer', polite: true }])
  t.deepEqual((await viewer.next('peer_joined')).data, {
    ...{ peer_id: publisher.me.peer_id, role: 'publisher', polite: false },
  })
  const second = await join(url, { token })
  t.deepEqual(
    second.me.peers.map(peer => [peer.peer_id, peer.polite]),
    [
      [viewer.me.peer_id, viewer.me.peer_id < second.me.peer_id],
      [publisher.me.peer_id, false],
    ],
  )
  const polite = second.me.peer_id < viewer.me.peer_id
  t.like((await viewer.next('peer_joined')).data, { peer_id: second.me.peer_id, polite })
  second.send({ type: 'leave', id: 'bye', data: {} })
  t.is((await second.next('ack')).id, 'bye')
  t.is((await second.closed).code, 1000)
  t.is((await viewer.next('peer_left')).data.peer_id, second.me.peer_id)
  const stream = mustBe(200, await ada.get<StreamBody>(`/v1/streams/${viewer.me.session.id}`))
  t.is(stream.viewer_count, 1)
})

test('one publishes at a time', async t => {
  const { ada, url } = t.context
  const { join_token: token } = await create(ada)
  const racers = await Promise.all(Array.from({ length: 5 }, () => dial(url)))
  for (const racer of racers) racer.send({ type: 'hello', data: { token, role: 'publisher' } })
  const outcomes = await Promise.all(racers.map(racer => racer.next('welcome', 'error')))
  t.deepEqual(outcomes.map(({ type }) => type).sort(), ['error', 'error', 'error', 'error', 'welcome'])
  const refused = outcomes.find(({ type }) => type === 'error')
  t.like(refused?.data, { code: 'publisher_taken', retryable: true })
})

test('frames are relayed with the sender that the server knows, and acknowledged by their id', async t => {
  const { ada, url } = t.context
  const { join_token: token } = await create(ada)
  const publisher = await join(url, { token, role: 'publisher' })
  const one = await join(url, { token })
  const two = await join(url, { token })
  publisher.send({ type: 'description', id: 'a', to: one.me.peer_id, from: two.me.peer_id, data: offer() })
  const heard = await one.next('description')
  t.is(heard.from, publisher.me.peer_id)
  t.deepEqual(heard.data, offer())
  t.deepEqual([(await publisher.next('ack')).id, heard.id], ['a', undefined])
  one.send({ type: 'candidate', data: candidate(1) })
  t.is((await publisher.next('candidate')).from, one.me.peer_id)
  one.send({ type: 'candidate', data: { connection_id: 'c1', candidate: null } })
  t.is((await publisher.next('candidate')).data.candidate, null)
  two.send({ type: 'renegotiate', data: {} })
  t.is((await publisher.next('renegotiate')).from, two.me.peer_id)
  publisher.send({ type: 'candidate', data: candidate(2) })
  for (const viewer of [one, two]) t.deepEqual((await viewer.next('candidate')).data, candidate(2))
  one.send({ type: 'description', id: 'b', to: two.me.peer_id, data: offer() })
  t.like(await one.next('error'), { id: 'b', data: { code: 'not_allowed', retryable: false } })
  publisher.send({ type: 'description', id: 'c', to: 'peer_nobody', data: offer() })
  t.like(await publisher.next('error'), { id: 'c', data: { code: 'unknown_peer' } })
  publisher.send({ type: 'dance', id: 'd', data: {} })
  t.like(await publisher.next('error'), { id: 'd', data: { code: 'unknown_type' } })
  publisher.send({
    type: 'description',
    id: 'e',
    data: { connection_id: 'c1', description: { type: 'offer', sdp: 1 } },
  })
  t.like(await publisher.next('error'), { id: 'e', data: { code: 'bad_data' } })
  publisher.send({ type: 'ping', data: { t: 7 } })
  t.deepEqual((await publisher.next('pong')).data, { t: 7 })
})

test('a viewer without a publisher is told so', async t => {
  const { ada, url } = t.context
  const { join_token: token } = await create(ada)
  const viewer = await join(url, { token })
  viewer.send({ type: 'description', id: 'x', data: offer() })
  t.like(await viewer.next('error'), { id: 'x', data: { code: 'no_publisher', retryable: true } })
})

test('garbage closes with 4400, a frame over 128 KiB with 4413, and others go on', async t => {
  const { ada, url } = t.context
  const { join_token: token } = await create(ada)
  const publisher = await join(url, { token, role: 'publisher' })
  const viewer = await join(url, { token })
  for (const garbage of [
    '{',
    'null',
    '[]',
    '"x"',
    '{}',
    '{"type":1}',
    '{"type":"x","data":[]}',
    '{"type":"x","id":{}}',
  ]) {
    const client = await join(url, { token })
    client.send(garbage)
    t.is((await client.next('error')).data.code, 'bad_frame')
    t.is((await client.closed).code, 4400, garbage)
  }
  const binary = await join(url, { token })
  binary.ws.send(randomBytes(100))
  t.is((await binary.closed).code, 4400)
  for (const size of [128 * 1024 + 1, 1024 * 1024]) {
    const large = await join(url, { token })
    large.send({ type: 'description', data: offer('c', 'x'.repeat(size)) })
    t.is((await large.closed).code, 4413)
  }
  viewer.send({ type: 'candidate', data: candidate(1) })
  t.is((await publisher.next('candidate')).from, viewer.me.peer_id)
})

test('too many messages close with 4029, and the place is kept', async t => {
  const { ada, url } = t.context
  const { join_token: token } = await create(ada)
  const publisher = await join(url, { token, role: 'publisher' })
  const viewer = await join(url, { token })
  for (let i = 0; i < 10_000; i++) viewer.send({ type: 'candidate', data: candidate(i) })
  t.is((await viewer.closed).code, 4029)
  // 200 less the hello.
  for (let i = 0; i < 199; i++) t.deepEqual((await publisher.next('candidate')).data, candidate(i))
  const back = await dial(url)
  t.true((await back.hello({ resume_token: viewer.me.resume_token })).resumed)
})

test('who does not answer pings is cut after 45 s, and who answers is not', async t => {
  const { ada, url, clock } = t.context
  const { join_token: token } = await create(ada)
  const dead = await dial(url, '', { pong: false })
  await dead.hello({ token })
  const alive = await join(url, { token })
  clock.forward(20_000)
  t.is((await dead.next('ping')).data.t, clock.now())
  await new Promise(resolve => setTimeout(resolve, 1200))
  clock.forward(25_000)
  t.like((await dead.next('closing')).data, { action: 'resume', reason: 'ping_timeout' })
  t.is((await dead.closed).code, 4008)
  t.is(alive.ws.readyState, alive.ws.OPEN)
})

test('a dropped peer comes back to its place and hears what it missed, once and in order', async t => {
  const { ada, url } = t.context
  const { join_token: token } = await create(ada)
  const publisher = await join(url, { token, role: 'publisher' })
  const viewer = await join(url, { token })
  publisher.send({ type: 'candidate', data: candidate(0) })
  await viewer.next('candidate')
  const last_seq = viewer.seen()
  viewer.cut()
  for (let i = 1; i <= 50; i++)
    publisher.send({ type: 'candidate', to: viewer.me.peer_id, data: candidate(i), id: `${i}` })
  for (let i = 1; i <= 50; i++) t.is((await publisher.next('ack')).id, String(i))
  const back = await dial(url)
  const again = await back.hello({ resume_token: viewer.me.resume_token, last_seq })
  t.like(again, { peer_id: viewer.me.peer_id, resumed: true, role: 'viewer' })
  for (let i = 1; i <= 50; i++) t.deepEqual((await back.next('candidate')).data, candidate(i))
  t.deepEqual(back.waiting, [])
  t.false(publisher.waiting.some(({ type }) => type === 'peer_left'))
  back.send({ type: 'candidate', data: candidate(99) })
  t.is((await publisher.next('candidate')).from, viewer.me.peer_id)
})

test('a place that is kept too long, or misses too much, is gone: 4409, and then peer_left', async t => {
  const { ada, url, clock } = t.context
  const { join_token: token } = await create(ada)
  const publisher = await join(url, { token, role: 'publisher' })
  const late = await join(url, { token })
  late.cut()
  for (;;) {
    clock.forward(1000)
    publisher.send({ type: 'candidate', id: `t${clock.now()}`, to: late.me.peer_id, data: candidate(1) })
    const answer = await publisher.next('ack', 'error')
    if (answer.type === 'error') break
    await new Promise(resolve => setTimeout(resolve, 30))
  }
  t.is((await publisher.next('peer_left')).data.peer_id, late.me.peer_id)
  const back = await dial(url)
  back.send({ type: 'hello', data: { resume_token: late.me.resume_token } })
  t.is((await back.next('error')).data.code, 'resume_expired')
  t.is((await back.closed).code, 4409)

  const full = await join(url, { token })
  const last_seq = full.seen()
  full.cut()
  for (let i = 0; i < 300; i++) {
    publisher.send({ type: 'candidate', id: `f${i}`, to: full.me.peer_id, data: candidate(i) })
    await publisher.next('ack')
    clock.forward(20)
  }
  const behind = await dial(url)
  behind.send({ type: 'hello', data: { resume_token: full.me.resume_token, last_seq } })
  t.is((await behind.closed).code, 4409)
  const forged = await dial(url)
  forged.send({ type: 'hello', data: { resume_token: `rt_${publisher.me.peer_id}.${'x'.repeat(43)}` } })
  t.is((await forged.closed).code, 4409)
})

test('sessions that end close their sockets with 4410, and nobody joins them any more', async t => {
  const { ada, url, clock, kernel } = t.context
  const { id, join_token: token } = await create(ada)
  const viewer = await join(url, { token })
  await ada.post(`/v1/sessions/${id}/end`)
  t.like((await viewer.next('closing')).data, { action: 'stop', reason: 'ended' })
  t.is((await viewer.closed).code, 4410)
  const late = await dial(url)
  late.send({ type: 'hello', data: { token } })
  t.is((await late.next('error')).data.code, 'session_ended')
  t.is((await late.closed).code, 4410)
  const brief = await create(ada, { ttl_seconds: 10 })
  const waiting = await join(url, { token: brief.join_token })
  clock.forward(10_000)
  t.is((await waiting.closed).code, 4410)
  await kernel.settled()
})

test('a replaced join token closes its sockets with 4403, and those of stream tokens stay', async t => {
  const { ada, url } = t.context
  const { id, join_token } = await create(ada)
  const made = mustBe(
    201,
    await ada.post<{ id: string; token: string }>(`/v1/streams/${id}/tokens`, { role: 'viewer' }),
  )
  const byStream = await join(url, { token: made.token })
  const byJoin = await join(url, { token: join_token })
  await byStream.next('peer_joined')
  await ada.post(`/v1/sessions/${id}/token/rotate`)
  t.is((await byJoin.closed).code, 4403)
  t.is((await byStream.next('peer_left')).data.peer_id, byJoin.me.peer_id)
  t.is(byStream.ws.readyState, byStream.ws.OPEN)
  const back = await dial(url)
  back.send({ type: 'hello', data: { resume_token: byJoin.me.resume_token } })
  t.is((await back.closed).code, 4409)
  await ada.delete(`/v1/streams/${id}/tokens/${made.id}`)
  t.is((await byStream.closed).code, 4403)
})

test('what changes is told to those who are there', async t => {
  const { ada, url, kernel } = t.context
  const { id, join_token: token } = await create(ada)
  const viewer = await join(url, { token })
  await ada.post(`/v1/streams/${id}/sources`, { source_id: 'main', kind: 'screen' })
  t.like((await viewer.next('source_updated')).data, { source_id: 'main', kind: 'screen' })
  await ada.post(`/v1/streams/${id}/layout`, { kind: 'focus', focus_source_id: 'main' })
  t.like((await viewer.next('layout_updated')).data, { kind: 'focus', version: 1 })
  await ada.delete(`/v1/streams/${id}/sources/main`)
  t.deepEqual((await viewer.next('source_updated')).data, { source_id: 'main', removed: true })
  t.like((await viewer.next('layout_updated')).data, { focus_source_id: null, version: 2 })
  await ada.post(`/v1/sessions/${id}/accept`, {})
  t.is((await viewer.next('session_updated')).data.status, 'accepted')
  const edge = '/v1/media/edge/events?secret=the%20secret%20of%20the%20edge'
  await kernel.post(edge, { event: 'ready', path: `live/${id}` })
  t.is((await viewer.next('session_updated')).data.live_status, 'live')
  const late = await join(url, { token })
  t.like(late.me.session, {
    status: 'accepted',
    live_status: 'live',
    sources: [],
    layout: { kind: 'focus', version: 2 },
  })
})

test('where it must be accepted first a viewer waits, connected', async t => {
  const kernel = await startStreams({ requireAccept: true })
  t.teardown(() => kernel.stop())
  const ada = await kernel.register('ada@example.test')
  const { id, join_token: token } = await create(ada)
  const publisher = await join(kernel.url, { token, role: 'publisher' })
  const viewer = await dial(kernel.url)
  viewer.send({ type: 'hello', data: { token } })
  t.is((await viewer.next('session_updated')).data.status, 'created')
  t.deepEqual(publisher.waiting, [])
  await ada.post(`/v1/sessions/${id}/accept`, {})
  t.is((await viewer.next('welcome')).data.role, 'viewer')
  t.is((await publisher.next('peer_joined')).data.role, 'viewer')
})

test('a hundred peers are in a session, and no more', async t => {
  const { ada, url } = t.context
  const { join_token: token } = await create(ada)
  const peers = await Promise.all(Array.from({ length: 100 }, () => join(url, { token })))
  const late = await dial(url)
  late.send({ type: 'hello', data: { token } })
  t.is((await late.next('error')).data.code, 'room_full')
  t.is((await late.closed).code, 4030)
  for (const peer of peers) peer.cut()
})
