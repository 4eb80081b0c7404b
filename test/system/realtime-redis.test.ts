/** Topics over the Redis bus. */
import test from 'ava'
import { createTestClock } from '../fixtures/clock.ts'
import { join } from '../fixtures/topics.ts'
import { waitFor } from '../fixtures/wait.ts'
import { startTopics } from '../services/topics/fixtures.ts'
import { createRedis, type RedisServer } from './redis.ts'

let redis: RedisServer
test.before(async () => {
  redis = await createRedis()
  await redis.start()
})
test.after.always(() => redis.close())

test('delivers, resumes in another process, and reports an outage of Redis as a gap', async t => {
  const clock = createTestClock()
  const env = { BUS: 'redis', REDIS_URL: redis.url }
  const one = await startTopics({ clock, env })
  t.teardown(() => one.stop())
  const two = await startTopics({ clock, env, role: 'web', database: one.databaseUrl })
  t.teardown(() => two.stop())
  clock.forward(10_000)
  const ada = await one.register('ada@example.test')
  const publish = (title: string) =>
    one.kernel.ports.topics.publish('boards.cards', { tenantId: ada.tenantId, key: 'a' }, { title })

  const first = await join(two.url, ada)
  await first.subscribe('boards.cards')
  publish('one')
  const { position } = await first.titles(1)
  publish('two')
  t.deepEqual((await first.titles(1)).titles, ['two'])
  first.cut()
  const second = await join(one.url, ada)
  t.true((await second.subscribe('boards.cards', { board: 'a' }, { after: position })).data.resumed)
  t.deepEqual((await second.titles(1)).titles, ['two'])
  second.cut()

  const third = await join(two.url, ada)
  await third.subscribe('boards.cards')
  await redis.stop()
  await redis.start()
  await third.next('gap')
  await waitFor(() => {
    publish('after')
    return third.waiting.some(({ type }) => type === 'message')
  })
  third.cut()
})
