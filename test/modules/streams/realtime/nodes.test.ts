import anyTest, { type TestFn } from 'ava'
import pg from 'pg'
import type { Person, TestKernel } from '../../../../kernel/testing.ts'
import { create, startStreams } from '../stage.ts'
import { candidate, dial, join } from './client.ts'

interface Context {
  one: TestKernel
  two: TestKernel
  ada: Person
}
const test = anyTest as TestFn<Context>

test.beforeEach(async t => {
  const one = await startStreams()
  const two = await startStreams(undefined, { database: one.databaseUrl, role: 'web' })
  t.context = { one, two, ada: await one.register('ada@example.test') }
})
test.afterEach.always(async t => {
  await t.context.two?.stop()
  await t.context.one?.stop()
})

test('peers on two processes see, hear and leave each other', async t => {
  const { one, two, ada } = t.context
  const { id, join_token: token } = await create(ada)
  const publisher = await join(one.url, { token, role: 'publisher' })
  const far = await join(two.url, { token })
  const near = await join(one.url, { token })
  t.deepEqual(far.me.peers, [{ peer_id: publisher.me.peer_id, role: 'publisher', polite: false }])
  t.is((await publisher.next('peer_joined')).data.peer_id, far.me.peer_id)
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
  t.is((await publisher.next('peer_joined')).data.peer_id, near.me.peer_id)
  t.is((await publisher.next('peer_left')).data.peer_id, far.me.peer_id)
  const late = await join(two.url, { token })
  await ada.post(`/v1/sessions/${id}/end`)
  for (const client of [publisher, near, late]) t.is((await client.closed).code, 4410)
})

test('a place moves to another process with everything that it missed', async t => {
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

test('a drain loses nothing: places wait in the database, and frames for them with the others', async t => {
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

test('one process alone that is restarted brings its places back', async t => {
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
  const first = await dial(three.url)
  t.true((await first.hello({ resume_token: publisher.me.resume_token, last_seq: publisher.seen() })).resumed)
  first.send({ type: 'candidate', data: candidate(2) })
  const second = await dial(three.url)
  t.true((await second.hello({ resume_token: viewer.me.resume_token })).resumed)
  for (const n of [1, 2]) t.deepEqual((await second.next('candidate')).data, candidate(n))
})

test('of a process that died nothing is resumed: 4409, and its publisher is taken over', async t => {
  const { one, two, ada } = t.context
  const { join_token: token } = await create(ada)
  const publisher = await join(one.url, { token, role: 'publisher' })
  const viewer = await join(two.url, { token })
  const client = new pg.Client(one.databaseUrl)
  await client.connect()
  t.teardown(() => client.end())
  // As if the process that holds them had been killed: nobody answers for it any more.
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

test('the sweep gives up what dead processes held, and tells the others', async t => {
  const { one, two, ada } = t.context
  const { join_token: token } = await create(ada)
  const publisher = await join(one.url, { token, role: 'publisher' })
  const viewer = await join(two.url, { token })
  await publisher.next('peer_joined')
  const client = new pg.Client(one.databaseUrl)
  await client.connect()
  t.teardown(() => client.end())
  await client.query(
    `insert into streams_nodes (node_id, seen_at, suspected) values ('node_dead', now() - interval '1 minute', true)`,
  )
  await client.query(`update streams_peers set node_id = 'node_dead' where peer_id = $1`, [viewer.me.peer_id])
  t.is((await publisher.next('peer_left')).data.peer_id, viewer.me.peer_id)
})
