import anyTest, { type TestFn } from 'ava'
import pg from 'pg'
import type { Person, TestKernel } from '../../../../testing/index.ts'
import { create, startStreams } from '../fixtures.ts'
import { candidate, dial, join } from './client.ts'

interface Context {
  one: TestKernel
  two: TestKernel
  ada: Person
}
const test = anyTest as TestFn<Context>
const numberOf = (data: Record<string, unknown>): number =>
  Number((data.candidate as { candidate: string }).candidate.split(':')[1])

test.before(async t => {
  const one = await startStreams()
  t.context = { one, two: one, ada: await one.register('ada@example.test') }
})
test.beforeEach(async t => {
  t.context.two = await startStreams(undefined, { database: t.context.one.databaseUrl, role: 'web' })
})
test.afterEach.always(t => t.context.two?.stop())
test.after.always(t => t.context.one?.stop())

test.serial('peers on two processes join, exchange frames and leave', async t => {
  const { one, two, ada } = t.context
  const { id, join_token: token } = await create(ada)
  const publisher = await join(one.url, { token, role: 'publisher' })
  const far = await join(two.url, { token })
  const near = await join(one.url, { token })
  t.deepEqual(far.me.peers, [{ peer_id: publisher.me.peer_id, role: 'publisher', polite: false }])
  // Frames of different processes arrive in any order.
  const joined = [await publisher.next('peer_joined'), await publisher.next('peer_joined')]
  t.deepEqual(joined.map(({ data }) => data.peer_id).sort(), [far.me.peer_id, near.me.peer_id].sort())
  t.is((await far.next('peer_joined')).data.peer_id, near.me.peer_id)
  far.send({ type: 'candidate', data: candidate(1) })
  t.is((await publisher.next('candidate')).from, far.me.peer_id)
  publisher.send({ type: 'candidate', data: candidate(2) })
  for (const viewer of [far, near]) t.is((await viewer.next('candidate')).from, publisher.me.peer_id)
  publisher.send({
    type: 'description',
    to: far.me.peer_id,
    data: { connection_id: 'c', description: { type: 'offer', sdp: 'x'.repeat(20_000) } },
  })
  t.is((await far.next('description')).from, publisher.me.peer_id)
  const second = await dial(two.url)
  second.send({ type: 'hello', data: { token, role: 'publisher' } })
  t.is((await second.next('error')).data.code, 'publisher_taken')
  far.send({ type: 'leave', data: {} })
  t.is((await publisher.next('peer_left')).data.peer_id, far.me.peer_id)
  const late = await join(two.url, { token })
  await ada.post(`/v1/sessions/${id}/end`)
  for (const client of [publisher, near, late]) t.is((await client.closed).code, 4410)
})

test.serial('a peer session moves to another process with its missed frames', async t => {
  const { one, two, ada } = t.context
  const { join_token: token } = await create(ada)
  const publisher = await join(one.url, { token, role: 'publisher' })
  const viewer = await join(one.url, { token })
  const last_seq = viewer.seen()
  viewer.cut()
  for (let i = 1; i <= 100; i++) publisher.send({ type: 'candidate', to: viewer.me.peer_id, data: candidate(i) })
  publisher.send({ type: 'candidate', id: 'last', to: viewer.me.peer_id, data: candidate(101) })
  await publisher.next('ack')
  const back = await dial(two.url)
  const me = await back.hello({ resume_token: viewer.me.resume_token, last_seq })
  t.like(me, { resumed: true, peer_id: viewer.me.peer_id })
  t.deepEqual(
    me.peers.map(({ peer_id }) => peer_id),
    [publisher.me.peer_id],
  )
  for (let i = 1; i <= 101; i++) t.deepEqual((await back.next('candidate')).data, candidate(i))
  publisher.send({ type: 'candidate', to: viewer.me.peer_id, data: candidate(102) })
  t.deepEqual((await back.next('candidate')).data, candidate(102))
  back.send({ type: 'candidate', data: candidate(103) })
  t.is((await publisher.next('candidate')).from, viewer.me.peer_id)
  t.false(publisher.waiting.some(({ type }) => type === 'peer_left'))
})

test.serial('delivers each frame once while a peer session moves repeatedly', async t => {
  const { one, two, ada } = t.context
  const { join_token: token } = await create(ada)
  const publisher = await join(one.url, { token, role: 'publisher' })
  const [near, far] = [await join(one.url, { token }), await join(two.url, { token })]
  const { resume_token, peer_id } = (await join(one.url, { token })).me
  let sent = 0
  let last_seq = 0
  const speak = setInterval(() => {
    publisher.send({ type: 'candidate', data: candidate(++sent) })
    publisher.send({ type: 'candidate', to: peer_id, data: candidate(++sent) })
  }, 50)
  t.teardown(() => clearInterval(speak))
  const heard: unknown[] = []
  let client = await dial(two.url)
  for (let move = 1; move <= 6; move++) {
    await client.hello({ resume_token, last_seq })
    await new Promise(resolve => setTimeout(resolve, 150))
    if (move === 6) clearInterval(speak)
    else client.cut()
    if (move === 6) publisher.send({ type: 'candidate', data: candidate(++sent) })
    while (client.waiting.some(({ type }) => type === 'candidate') || (move === 6 && heard.at(-1) !== sent)) {
      const { data } = await client.next('candidate')
      heard.push(numberOf(data))
    }
    // Without a frame between two moves, the previous frames are still buffered.
    last_seq = Math.max(last_seq, client.seen())
    if (move < 6) client = await dial(move % 2 === 0 ? two.url : one.url)
  }
  t.deepEqual(
    heard,
    Array.from({ length: sent }, (_, at) => at + 1),
  )
  for (const viewer of [near, far])
    for (let n = 1; n <= sent; n += 2) t.is(numberOf((await viewer.next('candidate')).data), n)
})

test.serial('a drain loses no frames: sessions are parked and other processes hold frames back', async t => {
  const { one, two, ada } = t.context
  const { join_token: token } = await create(ada)
  const publisher = await join(one.url, { token, role: 'publisher' })
  const viewer = await join(two.url, { token })
  await publisher.next('peer_joined')
  publisher.send({ type: 'candidate', data: candidate(0) })
  await viewer.next('candidate')
  const last_seq = viewer.seen()
  const stopping = two.stop()
  t.like((await viewer.next('closing')).data, { action: 'resume', reason: 'draining' })
  t.is((await viewer.closed).code, 4000)
  let sent = 0
  const timer = setInterval(() => publisher.send({ type: 'candidate', data: candidate(++sent) }), 25)
  await stopping
  await new Promise(resolve => setTimeout(resolve, 200))
  clearInterval(timer)
  const back = await dial(one.url)
  t.true((await back.hello({ resume_token: viewer.me.resume_token, last_seq })).resumed)
  for (let i = 1; i <= sent; i++) t.deepEqual((await back.next('candidate')).data, candidate(i))
  t.false(publisher.waiting.some(({ type }) => type === 'peer_left'))
})

test.serial('a restarted single process restores its peer sessions', async t => {
  const { one, two, ada } = t.context
  const { join_token: token } = await create(ada)
  const publisher = await join(two.url, { token, role: 'publisher' })
  const viewer = await join(two.url, { token })
  viewer.cut()
  publisher.send({ type: 'candidate', data: candidate(1), id: 'x' })
  await publisher.next('ack')
  await two.stop()
  const three = await startStreams(undefined, { database: one.databaseUrl, role: 'web' })
  t.context.two = three
  const owner = new pg.Client(one.databaseUrl)
  owner.on('error', () => {})
  await owner.connect()
  t.teardown(() => owner.end())
  const parked = async () => (await owner.query('select 1 from streams_peers where node_id is null')).rowCount
  t.is(await parked(), 2)
  const early = await join(three.url, { token })
  t.is(early.me.peers.length, 2)
  t.is(await parked(), 0)
  early.send({ type: 'candidate', data: candidate(7) })
  const first = await dial(three.url)
  t.true((await first.hello({ resume_token: publisher.me.resume_token, last_seq: publisher.seen() })).resumed)
  t.deepEqual((await first.next('candidate')).data, candidate(7))
  first.send({ type: 'candidate', data: candidate(2) })
  const second = await dial(three.url)
  t.true((await second.hello({ resume_token: viewer.me.resume_token })).resumed)
  for (const n of [1, 2]) t.deepEqual((await second.next('candidate')).data, candidate(n))
})

test.serial('peers of a dead process get 4409 on resume, and its publisher can be replaced', async t => {
  const { one, two, ada } = t.context
  const { join_token: token } = await create(ada)
  const publisher = await join(one.url, { token, role: 'publisher' })
  const viewer = await join(two.url, { token })
  const client = new pg.Client(one.databaseUrl)
  client.on('error', () => {})
  await client.connect()
  t.teardown(() => client.end())
  // Simulates a killed process that no longer responds.
  await client.query(`update streams_peers set node_id = 'node_dead' where peer_id = $1`, [publisher.me.peer_id])
  const third = await startStreams(undefined, { database: one.databaseUrl, role: 'web' })
  t.teardown(() => third.stop())
  const back = await dial(third.url)
  back.send({ type: 'hello', data: { resume_token: publisher.me.resume_token } })
  t.is((await back.closed).code, 4409)
  t.is((await viewer.next('peer_left')).data.peer_id, publisher.me.peer_id)
  const anew = await join(third.url, { token, role: 'publisher' })
  t.is((await viewer.next('peer_joined')).data.peer_id, anew.me.peer_id)
  await client.query(`update streams_peers set node_id = 'node_dead' where peer_id = $1`, [anew.me.peer_id])
  const again = await join(one.url, { token, role: 'publisher' })
  t.is(again.me.role, 'publisher')
})

test.serial('the sweep removes peers of dead processes and notifies the others', async t => {
  const { one, two, ada } = t.context
  const { join_token: token } = await create(ada)
  const publisher = await join(one.url, { token, role: 'publisher' })
  const viewer = await join(two.url, { token })
  await publisher.next('peer_joined')
  const client = new pg.Client(one.databaseUrl)
  client.on('error', () => {})
  await client.connect()
  t.teardown(() => client.end())
  await client.query(
    `insert into streams_nodes (node_id, seen_at, suspected) values ('node_dead', now() - interval '1 minute', true)`,
  )
  await client.query(`update streams_peers set node_id = 'node_dead' where peer_id = $1`, [viewer.me.peer_id])
  t.is((await publisher.next('peer_left')).data.peer_id, viewer.me.peer_id)
})
