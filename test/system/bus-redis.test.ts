import anyTest, { type TestFn } from 'ava'
import { createBus } from '../../services/bus/bus.ts'
import { waitFor } from '../fixtures/wait.ts'
import { startIdentity } from '../modules/identity/fixtures.ts'
import { busContract, pair } from '../services/bus/contract.ts'
import { createOutboxFixture, log, type OutboxFixture } from '../services/outbox/fixtures.ts'
import { createRedis, type RedisServer } from './redis.ts'

const test = anyTest as TestFn
let redis: RedisServer
let fixture: OutboxFixture
test.before(async () => {
  redis = await createRedis()
  await redis.start()
  fixture = await createOutboxFixture()
})
test.after.always(async () => {
  await fixture?.end()
  await redis.close()
})
const settings = () => ({ bus: 'redis' as const, redisUrl: redis.url })

busContract(test, () => ({
  fixture,
  settings: settings(),
  cut: () => redis.client.call('CLIENT', 'KILL', 'TYPE', 'pubsub'),
}))

test.serial('Redis may go and come back: what is said meanwhile arrives', async t => {
  const { here, there } = await pair(t, { fixture, settings: settings() })
  const seen: unknown[] = []
  there.subscribe('news', message => seen.push(message))
  await redis.stop()
  here.publish('news', 'meanwhile')
  await redis.start()
  // Whoever speaks may be back before whoever hears; then a gap is all that is told, and this is heard.
  await waitFor(() => {
    here.publish('news', 'now')
    return seen.includes('now')
  })
  t.pass()
})

test.serial('two installations on one Redis do not hear each other', async t => {
  const { there } = await pair(t, { fixture, settings: settings() })
  const stranger = await createBus({ settings: settings(), db: fixture.db, scope: 'ten_b', log })
  t.teardown(() => stranger.close())
  const seen: unknown[] = []
  there.subscribe('news', message => seen.push(message))
  const own: unknown[] = []
  const neighbour = await createBus({ settings: settings(), db: fixture.db, scope: 'ten_b', log })
  t.teardown(() => neighbour.close())
  neighbour.subscribe('news', message => own.push(message))
  stranger.publish('news', 'not for you')
  await waitFor(() => own.length === 1)
  t.deepEqual(seen, [])
})

test.serial('a start without Redis says so', async t => {
  const redisUrl = 'redis://127.0.0.1:1'
  const error = await t.throwsAsync(
    createBus({ settings: { bus: 'redis', redisUrl }, db: fixture.db, scope: 'a', log }),
    {
      message: 'the bus cannot connect to Redis',
    },
  )
  t.is((error?.cause as { code?: string } | undefined)?.code, 'ECONNREFUSED')
})

test.serial('two processes of one database tell each other over Redis whose rights changed', async t => {
  const env = { BUS: 'redis', REDIS_URL: redis.url }
  const here = await startIdentity({}, { role: 'web', env })
  t.teardown(() => here.stop())
  const there = await startIdentity({}, { role: 'web', env, database: here.databaseUrl })
  t.teardown(() => there.stop())
  const heard: unknown[] = []
  there.kernel.ports.bus.subscribe('callers.changed', message => heard.push(message))
  const ada = await here.register('ada@example.test')
  await ada.post('/v1/auth/logout')
  await waitFor(() => heard.length > 0)
  t.is((await there.as(ada.token).get('/v1/me')).status, 401)
})
