import test from 'ava'
import pg from 'pg'
import { create, startStreams } from '../fixtures.ts'
import { candidate, join } from './client.ts'

test('resynchronizes ends, tokens and peers after a gap on the bus', async t => {
  const kernel = await startStreams()
  t.teardown(() => kernel.stop())
  const ada = await kernel.register('ada@example.test')
  const owner = new pg.Client(kernel.databaseUrl)
  owner.on('error', () => {})
  await owner.connect()
  t.teardown(() => owner.end())
  const [ended, rotated, kept] = [await create(ada), await create(ada), await create(ada)]
  const { token } = (await ada.post(`/v1/streams/${kept.id}/tokens`, { role: 'viewer' })).body
  const byEnded = await join(kernel.url, { token: ended.join_token })
  const byRotated = await join(kernel.url, { token: rotated.join_token })
  const publisher = await join(kernel.url, { token: kept.join_token, role: 'publisher' })
  const viewer = await join(kernel.url, { token })
  await publisher.next('peer_joined')
  // Simulates changes by other processes whose messages are lost.
  await owner.query(`update sessions_sessions set status = 'ended', ended_at = now() where id = $1`, [ended.id])
  await owner.query(`update sessions_sessions set join_token_hash = '\\x00' where id = $1`, [rotated.id])
  await owner.query(
    `insert into streams_peers (tenant_id, peer_id, session_id, role, node_id)
     select tenant_id, 'peer_far', session_id, 'viewer', 'node_far' from streams_peers where peer_id = $1`,
    [viewer.me.peer_id],
  )
  await owner.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and pid <> pg_backend_pid() and application_name = 'larder listen'`,
  )
  t.is((await byEnded.closed).code, 4410)
  t.is((await byRotated.closed).code, 4403)
  t.is((await publisher.next('peer_joined')).data.peer_id, 'peer_far')
  viewer.send({ type: 'candidate', data: candidate(1) })
  t.is((await publisher.next('candidate')).from, viewer.me.peer_id)
})
