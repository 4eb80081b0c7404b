import anyTest, { type TestFn } from 'ava'
import { createBus } from '../../services/bus/bus.ts'
import { waitFor } from '../fixtures/wait.ts'
import { startIdentity } from '../modules/identity/fixtures.ts'
import { busContract, createBusPair } from '../services/bus/contract.ts'
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
  send: envelope => redis.client.publish('larder:bus:ten_a', JSON.stringify(envelope)),
}))

test.serial('delivers messages again after a restart of Redis', async t => {
  const { here, there } = await createBusPair(t, { fixture, settings: settings() })
  const seen: unknown[] = []
  there.subscribe('news', message => seen.push(message))
  await redis.stop()
  here.publish('news', 'meanwhile')
  await redis.start()
  // If the publisher reconnects before the subscriber, the first message is lost and reported as a gap.
  await waitFor(() => {
    here.publish('news', 'now')
    return seen.includes('now')
  })
  t.pass()
})

test.serial('installations that share one Redis are isolated', async t => {
  const { there } = await createBusPair(t, { fixture, settings: settings() })
  const otherPublisher = await createBus({
    settings: settings(),
    db: fixture.db,
    systemDatabase: fixture.db.systemDatabase,
    installation: 'ten_b',
    log,
  })
  t.teardown(() => otherPublisher.close())
  const seen: unknown[] = []
  there.subscribe('news', message => seen.push(message))
  const own: unknown[] = []
  const otherSubscriber = await createBus({
    settings: settings(),
    db: fixture.db,
    systemDatabase: fixture.db.systemDatabase,
    installation: 'ten_b',
    log,
  })
  t.teardown(() => otherSubscriber.close())
  otherSubscriber.subscribe('news', message => own.push(message))
  otherPublisher.publish('news', 'not for you')
  await waitFor(() => own.length === 1)
  t.deepEqual(seen, [])
})

test.serial('the start fails without Redis', async t => {
  const redisUrl = 'redis://127.0.0.1:1'
  const error = await t.throwsAsync(
    createBus({
      settings: { bus: 'redis', redisUrl },
      db: fixture.db,
      systemDatabase: fixture.db.systemDatabase,
      installation: 'a',
      log,
    }),
    {
      code: 'bus_redis_unreachable',
      message: /^The bus cannot connect to Redis at 127\.0\.0\.1:1: .*ECONNREFUSED/,
    },
  )
  t.is((error?.cause as { code?: string } | undefined)?.code, 'ECONNREFUSED')
})

test.serial('two processes exchange revoked access over Redis', async t => {
  const env = { BUS: 'redis', REDIS_URL: redis.url }
  const here = await startIdentity({}, { role: 'web', env })
  t.teardown(() => here.stop())
  const there = await startIdentity({}, { role: 'web', env, database: here.databaseUrl })
  t.teardown(() => there.stop())
  const received: unknown[] = []
  there.kernel.ports.bus.subscribe('sockets.close', message => received.push(message))
  const ada = await here.register('ada@example.test')
  await ada.post('/v1/auth/logout')
  await waitFor(() => received.length > 0)
  t.is((await there.as(ada.token).get('/v1/me')).status, 401)
})
