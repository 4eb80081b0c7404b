import test from 'ava'
import { withPeople } from '../../../fixtures/with-people.ts'
import { create, expectStatus, streamsRecipe } from '../fixtures.ts'
import { candidate, dial, join, offer, type WelcomeData } from './client.ts'

const { kernel, clock, ada } = withPeople(test, { recipe: streamsRecipe(), clock: true }, { ada: 'owner' })

test.serial('hello with a join token returns the complete welcome', async t => {
  const made = await create(ada, { title: 'Final' })
  const client = await dial(kernel.url)
  client.send({
    type: 'hello',
    id: 'h1',
    data: { token: made.join_token, client: { name: 'test', version: '1' } },
  })
  const answer = await client.next('welcome')
  t.is(answer.id, 'h1')
  const data = answer.data as WelcomeData
  const { session, resume_token, peer_id, limits, ...rest } = data
  t.regex(peer_id, /^peer_/)
  t.regex(resume_token, /^rt_peer_/)
  t.deepEqual(rest, {
    protocol: 1,
    role: 'viewer',
    peers: [],
    ice_servers: [],
    ice_expires_at: null,
    ping_interval_ms: 20_000,
    resume_window_ms: 30_000,
    resumed: false,
    last_seq: 0,
  })
  t.deepEqual(limits, {
    frame_bytes: 131_072,
    messages_per_second: 50,
    burst: 200,
    buffer_bytes: 1_048_576,
    peers: 100,
    kept_messages: 256,
    kept_bytes: 262_144,
  })
  t.like(session, { id: made.id, status: 'created', mode: 'stream', title: 'Final', live_status: 'idle', sources: [] })
  for (const secret of ['metadata', 'customer', 'purpose', 'workspace_id', 'webhook_url']) t.false(secret in session)
})

test.serial('the signaling_url of the join response accepts connections', async t => {
  const { join_token } = await create(ada)
  const record = expectStatus(200, await kernel.post('/v1/join', { join_token }))
  t.is(record.signaling_url, 'ws://localhost:8080/v1/streams/realtime')
  t.is(record.rtc_url, record.signaling_url)
  const { pathname } = new URL(String(record.signaling_url))
  const client = await dial(kernel.url, `?join_token=${join_token}`, { path: pathname })
  t.is((await client.next('welcome')).data.role, 'viewer')
})

test.serial('a query token joins without hello, and a following hello may change the role', async t => {
  const { join_token } = await create(ada)
  const viewer = await dial(kernel.url, `?join_token=${join_token}`)
  t.is((await viewer.next('welcome')).data.role, 'viewer')
  const second = await dial(kernel.url, `?join_token=${join_token}`)
  await second.next('welcome')
  t.is((await second.hello({ role: 'publisher' })).role, 'publisher')
  const third = await dial(kernel.url, `?join_token=${join_token}&role=publisher`)
  t.is((await third.next('error')).data.code, 'publisher_taken')
})

test.serial('rejects invalid credentials with one error and 4401', async t => {
  for (const data of [{}, { token: 'jt_nonsense' }, { token: 'st_nonsense' }, { token: '' }]) {
    const client = await dial(kernel.url)
    client.send({ type: 'hello', id: 'x', data })
    t.is((await client.next('error')).id, 'x')
    t.is((await client.closed).code, 4401)
    t.deepEqual(client.waiting, [])
  }
  const query = await dial(kernel.url, '?join_token=jt_nonsense')
  t.is((await query.closed).code, 4401)
  const rude = await dial(kernel.url)
  rude.send({ type: 'description', data: offer() })
  t.is((await rude.closed).code, 4401)
  const silent = await dial(kernel.url)
  clock.forward(5000)
  t.is((await silent.closed).code, 4401)
})

test.serial('a stream token determines the role regardless of hello', async t => {
  const { id } = await create(ada)
  for (const role of ['viewer', 'publisher']) {
    const { token } = expectStatus(201, await ada.post(`/v1/streams/${id}/tokens`, { role }))
    t.is((await join(kernel.url, { token, role: role === 'viewer' ? 'publisher' : 'viewer' })).me.role, role)
  }
  const once = expectStatus(201, await ada.post(`/v1/streams/${id}/tokens`, { role: 'viewer', max_uses: 1 }))
  await join(kernel.url, { token: once.token })
  const again = await dial(kernel.url)
  again.send({ type: 'hello', data: { token: once.token } })
  t.is((await again.next('error')).data.code, 'token_used_up')
  t.is((await again.closed).code, 4401)
})

test.serial('peers learn about each other and their politeness', async t => {
  const { join_token: token } = await create(ada)
  const viewer = await join(kernel.url, { token })
  const publisher = await join(kernel.url, { token, role: 'publisher' })
  t.deepEqual(publisher.me.peers, [{ peer_id: viewer.me.peer_id, role: 'viewer', polite: true }])
  t.deepEqual((await viewer.next('peer_joined')).data, {
    peer_id: publisher.me.peer_id,
    role: 'publisher',
    polite: false,
  })
  const second = await join(kernel.url, { token })
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
  const stream = expectStatus(200, await ada.get(`/v1/streams/${viewer.me.session.id}`))
  t.is(stream.viewer_count, 1)
})

test.serial('allows one publisher at a time', async t => {
  const { join_token: token } = await create(ada)
  const racers = await Promise.all(Array.from({ length: 5 }, () => dial(kernel.url)))
  for (const racer of racers) racer.send({ type: 'hello', data: { token, role: 'publisher' } })
  const outcomes = await Promise.all(racers.map(racer => racer.next('welcome', 'error')))
  t.deepEqual(outcomes.map(({ type }) => type).sort(), ['error', 'error', 'error', 'error', 'welcome'])
  const refused = outcomes.find(({ type }) => type === 'error')
  t.like(refused?.data, { code: 'publisher_taken', retryable: true })
})

test.serial('relays frames with the verified sender and acknowledges them by id', async t => {
  const { join_token: token } = await create(ada)
  const publisher = await join(kernel.url, { token, role: 'publisher' })
  const one = await join(kernel.url, { token })
  const two = await join(kernel.url, { token })
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

test.serial('returns no_publisher to a viewer without a publisher', async t => {
  const { join_token: token } = await create(ada)
  const viewer = await join(kernel.url, { token })
  viewer.send({ type: 'description', id: 'x', data: offer() })
  t.like(await viewer.next('error'), { id: 'x', data: { code: 'no_publisher', retryable: true } })
})
