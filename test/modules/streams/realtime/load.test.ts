import test from 'ava'
import { waitFor } from '../../../fixtures/wait.ts'
import { withPeople } from '../../../fixtures/with-people.ts'
import { create, expectStatus, streamsRecipe } from '../fixtures.ts'
import { candidate, dial, join, offer } from './client.ts'

const turn = { urls: ['stun:stun.example.test', 'turn:turn.example.test'], secret: 'shared', ttl: '4h' }
const { kernel, clock, ada } = withPeople(
  test,
  { recipe: streamsRecipe(undefined, { sessions: { turn } }), clock: true },
  { ada: 'owner' },
)

interface Ice {
  readonly ice_servers: { urls: string[]; username?: string; credential?: string }[]
  readonly ice_expires_at: string
}

test.serial('TURN credentials belong to the peer, are sent on request and renewed at half their lifetime', async t => {
  const { join_token: token } = await create(ada)
  const client = await join(kernel.url, { token })
  const first = client.me as unknown as Ice
  t.deepEqual(
    first.ice_servers.map(({ urls }) => urls),
    [['stun:stun.example.test'], ['turn:turn.example.test']],
  )
  const [expiry, peer] = String(first.ice_servers[1]?.username).split(':')
  t.is(peer, client.me.peer_id)
  t.is(Number(expiry) * 1000, Date.parse(first.ice_expires_at))
  client.send({ type: 'request_ice', id: 'i', data: {} })
  const again = await client.next('ice_servers')
  t.is(again.id, 'i')
  // The clock of the test runs on, so that the next second may have begun.
  const later = Date.parse((again.data as unknown as Ice).ice_expires_at) - Date.parse(first.ice_expires_at)
  t.true(later >= 0 && later <= 60_000, `${later} ms`)
  // Kept alive; only the clock advances.
  for (let minutes = 0; minutes < 120; minutes += 0.5) {
    clock.forward(30_000)
    client.send({ type: 'ping', data: { t: minutes } })
    await client.next('pong')
  }
  const renewed = (await client.next('ice_servers')).data as unknown as Ice
  t.true(Date.parse(renewed.ice_expires_at) > Date.parse(first.ice_expires_at))
})

test.serial('closes a slow consumer with 4001 without affecting others', async t => {
  const { join_token: token } = await create(ada)
  const publisher = await join(kernel.url, { token, role: 'publisher' })
  const slow = await join(kernel.url, { token })
  const quick = await join(kernel.url, { token })
  slow.ws.pause()
  const sdp = 'x'.repeat(100_000)
  let gone = false
  void slow.closed.then(() => {
    gone = true
  })
  for (let i = 0; i < 150 && !gone; i++) {
    publisher.send({ type: 'description', id: `s${i}`, to: slow.me.peer_id, data: offer('c', sdp) })
    await publisher.next('ack', 'peer_left')
    clock.forward(20)
  }
  slow.ws.resume()
  t.is((await slow.closed).code, 4001)
  quick.send({ type: 'candidate', data: candidate(1) })
  t.is((await publisher.next('candidate')).from, quick.me.peer_id)
})

test.serial('a resumed connection replaces the previous one', async t => {
  const { join_token: token } = await create(ada)
  const publisher = await join(kernel.url, { token, role: 'publisher' })
  const viewer = await join(kernel.url, { token })
  await publisher.next('peer_joined')
  const again = await dial(kernel.url)
  t.is((await again.hello({ resume_token: viewer.me.resume_token })).peer_id, viewer.me.peer_id)
  t.is((await viewer.closed).code, 4409)
  again.send({ type: 'candidate', data: candidate(1) })
  t.is((await publisher.next('candidate')).from, viewer.me.peer_id)
  t.false(publisher.waiting.some(({ type }) => type === 'peer_left'))
})

test.serial('an empty session releases its peers, and a noisy session does not slow others', async t => {
  const noisy = await create(ada)
  const calm = await create(ada)
  const publisher = await join(kernel.url, { token: calm.join_token, role: 'publisher' })
  const viewer = await join(kernel.url, { token: calm.join_token })
  const noise = await Promise.all(Array.from({ length: 20 }, () => join(kernel.url, { token: noisy.join_token })))
  for (const one of noise) for (let i = 0; i < 1000; i++) one.send({ type: 'candidate', data: candidate(i) })
  for (let i = 0; i < 20; i++) {
    viewer.send({ type: 'candidate', id: `${i}`, data: candidate(i) })
    t.deepEqual((await publisher.next('candidate')).data, candidate(i))
  }
  for (const one of noise) t.is((await one.closed).code, 4029)
  viewer.ws.close(1000)
  t.is((await publisher.next('peer_left')).data.peer_id, viewer.me.peer_id)
  // The row of the peer is deleted after the others have been notified.
  const viewers = async () => expectStatus(200, await ada.get(`/v1/streams/${calm.id}`)).viewer_count
  await waitFor(viewers, count => count === 0)
  t.pass()
})

test.serial('misbehaving sockets of one session do not affect other sessions', async t => {
  const rude = await create(ada)
  const calm = await create(ada)
  const publisher = await join(kernel.url, { token: calm.join_token, role: 'publisher' })
  const viewer = await join(kernel.url, { token: calm.join_token })
  const members = () => Promise.all(Array.from({ length: 10 }, () => join(kernel.url, { token: rude.join_token })))
  const [large, garbled, binary, mute] = [await members(), await members(), await members(), await members()]
  const mebibyte = JSON.stringify({ type: 'description', data: offer('c', 'x'.repeat(1024 * 1024)) })
  for (const { ws } of mute) ws.pause()
  for (let at = 0; at < 10; at++) {
    large[at]?.send(mebibyte)
    garbled[at]?.send('}{'.repeat(50_000))
    binary[at]?.ws.send(Buffer.alloc(100_000, at))
    viewer.send({ type: 'candidate', id: `${at}`, data: candidate(at) })
    t.deepEqual((await publisher.next('candidate')).data, candidate(at))
    publisher.send({ type: 'candidate', data: candidate(at) })
    t.deepEqual((await viewer.next('candidate')).data, candidate(at))
  }
  for (const [clients, code] of [
    [large, 4413],
    [garbled, 4400],
    [binary, 4400],
  ] as const)
    for (const client of clients) t.is((await client.closed).code, code)
  for (const { ws } of mute) {
    t.is(ws.readyState, ws.OPEN)
    ws.terminate()
  }
  const seen = expectStatus(200, await ada.get(`/v1/streams/${calm.id}`))
  t.is(seen.viewer_count, 1)
  for (const { waiting } of [publisher, viewer]) t.false(waiting.some(({ type }) => /left|closing|error/.test(type)))
})
