import anyTest, { type TestFn } from 'ava'
import { pino } from 'pino'
import type { Job } from '../../kernel/index.ts'
import { openBackend } from '../../services/jobs/backends.ts'
import { createRecurringScheduler } from '../../services/jobs/recurring-scheduler.ts'
import { waitFor } from '../fixtures/wait.ts'
import { jobsContract } from '../services/jobs/contract.ts'
import { createJobsFixture, type JobSettings } from '../services/jobs/fixtures.ts'
import { createRedis, type RedisServer } from './redis.ts'

const test = anyTest as TestFn
let redis: RedisServer
test.before(async () => {
  redis = await createRedis()
  await redis.start()
})
test.after.always(() => redis.close())

const onRedis = (): JobSettings => ({ jobsBackend: 'redis', redisUrl: redis.url, mongodbUrl: undefined })
jobsContract(test, async () => {
  await redis.client.flushall()
  return onRedis()
})

test.serial('queued jobs run during an outage of Redis, and recurring jobs resume after it', async t => {
  const fixture = await createJobsFixture(onRedis())
  t.teardown(() => fixture.end())
  let often = 0
  const seen: number[] = []
  const jobs = [
    { name: 'test.often' as never, every: '1s', run: async () => void often++ },
    { name: 'test.once' as never, run: async ({ n }: { n: number }) => void seen.push(n) },
  ]
  await fixture.worker(...jobs)
  await waitFor(() => often >= 1)
  await redis.stop()
  await fixture.queue.enqueue('test.once', { n: 1 })
  await waitFor(() => seen.length === 1)
  await redis.start()
  const before = often
  await waitFor(() => often > before)
  const delayed = fixture.warnings.filter(line => line.includes('recurring jobs are delayed'))
  t.is(delayed.length, 1, delayed.join(''))
})

test.serial('a recurring job that Redis loses before it runs is scheduled again, and is no error', async t => {
  const { db, end } = await createJobsFixture(onRedis())
  t.teardown(() => end())
  const lines: string[] = []
  let runs = 0
  const options = { backend: 'redis' as const, db, settings: onRedis() }
  const { agenda, close } = await openBackend({ ...options, onError: () => {} })
  t.teardown(close)
  await agenda.repository.purgeAllJobs()
  const scheduler = createRecurringScheduler({
    ...options,
    log: pino({}, { write: line => void lines.push(line) }),
    saveNextRuns: async () => {},
    onTime: async () => void runs++,
  })
  t.teardown(() => scheduler.stop())
  await scheduler.start([{ name: 'test.often' as never, every: '1s', run: async () => {} } as Partial<Job> as Job])
  // Agenda locks a job up to a second before its time.
  await waitFor(async () => (await agenda.repository.queryJobs({})).jobs.some(({ lockedAt }) => lockedAt))
  await agenda.repository.purgeAllJobs()
  await waitFor(() => runs > 1)
  t.deepEqual(lines, [])
})

test.serial('a worker starts without Redis, and recurring jobs start once it is available', async t => {
  await redis.stop()
  const fixture = await createJobsFixture(onRedis())
  t.teardown(() => fixture.end())
  let often = 0
  await fixture.worker({ name: 'test.often' as never, every: '1s', run: async () => void often++ })
  await redis.start()
  await waitFor(() => often >= 1)
  t.pass()
})
