import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import test from 'ava'
import { withPeople } from '../../../fixtures/with-people.ts'
import { create, streamsRecipe } from '../fixtures.ts'
import { candidate, dial, join, offer } from './client.ts'

const { kernel, clock, ada } = withPeople(test, { recipe: streamsRecipe(), clock: true }, { ada: 'owner' })

test.serial('closes on invalid frames with 4400 and on frames over 128 KiB with 4413', async t => {
  const { join_token: token } = await create(ada)
  const publisher = await join(kernel.url, { token, role: 'publisher' })
  const viewer = await join(kernel.url, { token })
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
    const client = await join(kernel.url, { token })
    client.send(garbage)
    t.is((await client.next('error')).data.code, 'bad_frame')
    t.is((await client.closed).code, 4400, garbage)
  }
  const binary = await join(kernel.url, { token })
  binary.ws.send(randomBytes(100))
  t.is((await binary.closed).code, 4400)
  for (const size of [128 * 1024 + 1, 1024 * 1024]) {
    const large = await join(kernel.url, { token })
    large.send({ type: 'description', data: offer('c', 'x'.repeat(size)) })
    t.is((await large.closed).code, 4413)
  }
  viewer.send({ type: 'candidate', data: candidate(1) })
  t.is((await publisher.next('candidate')).from, viewer.me.peer_id)
})

test.serial('closes on too many messages with 4029 and allows a resume', async t => {
  const { join_token: token } = await create(ada)
  const publisher = await join(kernel.url, { token, role: 'publisher' })
  const viewer = await join(kernel.url, { token })
  for (let i = 0; i < 10_000; i++) viewer.send({ type: 'candidate', data: candidate(i) })
  t.is((await viewer.closed).code, 4029)
  // 200 minus the hello.
  for (let i = 0; i < 199; i++) t.deepEqual((await publisher.next('candidate')).data, candidate(i))
  const back = await dial(kernel.url)
  t.true((await back.hello({ resume_token: viewer.me.resume_token })).resumed)
})

test.serial('closes connections that do not answer pings for 45 s, and no others', async t => {
  const { join_token: token } = await create(ada)
  const dead = await dial(kernel.url, '', { pong: false })
  await dead.hello({ token })
  const alive = await join(kernel.url, { token })
  const pinged = once(alive.ws, 'message')
  clock.forward(20_000)
  const due = clock.now()
  const sent = Number((await dead.next('ping')).data.t)
  t.true(due <= sent && sent <= clock.now(), 'a ping has the time of the server')
  await pinged
  // The server has read the pong before it answers this.
  alive.send({ type: 'ping', data: {} })
  await alive.next('pong')
  clock.forward(25_000)
  t.like((await dead.next('closing')).data, { action: 'resume', reason: 'ping_timeout' })
  t.is((await dead.closed).code, 4008)
  t.is(alive.ws.readyState, alive.ws.OPEN)
})

test.serial('a resumed peer receives missed frames once and in order', async t => {
  const { join_token: token } = await create(ada)
  const publisher = await join(kernel.url, { token, role: 'publisher' })
  const viewer = await join(kernel.url, { token })
  publisher.send({ type: 'candidate', data: candidate(0) })
  await viewer.next('candidate')
  const last_seq = viewer.seen()
  viewer.cut()
  for (let i = 1; i <= 50; i++)
    publisher.send({ type: 'candidate', to: viewer.me.peer_id, data: candidate(i), id: `${i}` })
  for (let i = 1; i <= 50; i++) t.is((await publisher.next('ack')).id, String(i))
  const back = await dial(kernel.url)
  const again = await back.hello({ resume_token: viewer.me.resume_token, last_seq })
  t.like(again, { peer_id: viewer.me.peer_id, resumed: true, role: 'viewer' })
  for (let i = 1; i <= 50; i++) t.deepEqual((await back.next('candidate')).data, candidate(i))
  t.deepEqual(back.waiting, [])
  t.false(publisher.waiting.some(({ type }) => type === 'peer_left'))
  back.send({ type: 'candidate', data: candidate(99) })
  t.is((await publisher.next('candidate')).from, viewer.me.peer_id)
})

test.serial('a peer session that is away too long or misses too much gets 4409 and peer_left', async t => {
  const { join_token: token } = await create(ada)
  const publisher = await join(kernel.url, { token, role: 'publisher' })
  const late = await join(kernel.url, { token })
  late.cut()
  for (;;) {
    clock.forward(1000)
    publisher.send({ type: 'candidate', id: `t${clock.now()}`, to: late.me.peer_id, data: candidate(1) })
    const answer = await publisher.next('ack', 'error')
    if (answer.type === 'error') break
    await new Promise(resolve => setTimeout(resolve, 30))
  }
  t.is((await publisher.next('peer_left')).data.peer_id, late.me.peer_id)
  const back = await dial(kernel.url)
  back.send({ type: 'hello', data: { resume_token: late.me.resume_token } })
  t.is((await back.next('error')).data.code, 'resume_expired')
  t.is((await back.closed).code, 4409)

  const full = await join(kernel.url, { token })
  const last_seq = full.seen()
  full.cut()
  for (let i = 0; i < 300; i++) {
    publisher.send({ type: 'candidate', id: `f${i}`, to: full.me.peer_id, data: candidate(i) })
    await publisher.next('ack')
    clock.forward(20)
  }
  const behind = await dial(kernel.url)
  behind.send({ type: 'hello', data: { resume_token: full.me.resume_token, last_seq } })
  t.is((await behind.closed).code, 4409)
  const forged = await dial(kernel.url)
  forged.send({ type: 'hello', data: { resume_token: `rt_${publisher.me.peer_id}.${'x'.repeat(43)}` } })
  t.is((await forged.closed).code, 4409)
})

test.serial('limits a session to 100 peers', async t => {
  const { join_token: token } = await create(ada)
  const peers = await Promise.all(Array.from({ length: 100 }, () => join(kernel.url, { token })))
  const late = await dial(kernel.url)
  late.send({ type: 'hello', data: { token } })
  t.is((await late.next('error')).data.code, 'room_full')
  t.is((await late.closed).code, 4030)
  for (const peer of peers) peer.cut()
})
