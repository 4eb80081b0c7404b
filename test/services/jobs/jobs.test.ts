import anyTest, { type TestFn } from 'ava'

import { HOUR } from '../../../kernel/base/units.ts'
import type { Job } from '../../../kernel/index.ts'
import { metrics } from '../../../services/jobs/metrics.ts'
import { waitFor } from '../../fixtures/wait.ts'
import { jobsContract } from './contract.ts'
import { createJobsFixture, createTestJobs, onPostgres } from './fixtures.ts'

const test = anyTest as TestFn
jobsContract(test, async () => onPostgres)

test.serial('interprets cron expressions in UTC', async t => {
  const fixture = await createJobsFixture(onPostgres)
  t.teardown(() => fixture.end())
  await fixture.worker({ name: 'test.often' as never, every: '30 4 * * *', run: async () => {} })
  const [row] = await fixture.asOwner<{ next: Date }>('select next_run_at as next from larder_agenda')
  t.regex(row?.next.toISOString() ?? '', /T04:30:00.000Z$/)
})

test.serial('a new recurring job runs within a minute, and keeps its time when another worker starts', async t => {
  const fixture = await createJobsFixture(onPostgres)
  t.teardown(() => fixture.end())
  const jobs = [
    { name: 'test.once' as never, every: '1d', run: async () => {} },
    { name: 'test.often' as never, every: '20s', run: async () => {} },
  ]
  const secondsUntilRun = async () => {
    const rows = await fixture.asOwner<{ name: string; next: Date }>(
      'select name, next_run_at as next from larder_agenda',
    )
    return Object.fromEntries(rows.map(({ name, next }) => [name, Math.round((next.getTime() - startedAt) / 1000)]))
  }
  const startedAt = Date.now()
  await fixture.worker(...jobs)
  const first = await secondsUntilRun()
  t.true((first['test.once'] as number) >= 60 && (first['test.once'] as number) < 75, JSON.stringify(first))
  t.true((first['test.often'] as number) >= 20 && (first['test.often'] as number) < 35, JSON.stringify(first))
  await fixture.worker(...jobs)
  t.deepEqual(await secondsUntilRun(), first)
  // As after an update of Larder.
  await fixture.worker({ ...jobs[0], every: '2d' })
  const intervals = await fixture.asOwner('select repeat_interval as every from larder_agenda order by name')
  t.deepEqual(
    intervals.map(({ every }) => Number(every)),
    [20_000, 172_800_000],
  )
})

test.serial('a job without a time runs at once although the clock of its process is an hour ahead', async t => {
  const fixture = await createJobsFixture(onPostgres)
  t.teardown(() => fixture.end())
  const seen: number[] = []
  await fixture.worker({ name: 'test.once' as never, run: async ({ n }: { n: number }) => void seen.push(n) })
  const ahead = createTestJobs(fixture.db, onPostgres, { now: () => Date.now() + HOUR })
  await ahead.queue.enqueue('test.once', { n: 1 })
  await waitFor(() => seen.length === 1)
  t.deepEqual(seen, [1])
})

test.serial('a retry is due by the clock of the database, not by that of the process', async t => {
  const fixture = await createJobsFixture(onPostgres)
  t.teardown(() => fixture.end())
  const ahead = createTestJobs(fixture.db, onPostgres, { now: () => Date.now() + HOUR, isSystem: true })
  const failing = { name: 'test.once', run: () => Promise.reject(new Error('not yet')) } as unknown as Job
  await ahead.start([failing])
  await fixture.queue.enqueue('test.once', { n: 1 })
  await waitFor(async () => (await fixture.rows())[0]?.last_error === 'not yet')
  const [row] = await fixture.asOwner<{ soon: boolean }>(
    `select run_at between now() and now() + interval '1 minute' as soon from larder_jobs where name = 'test.once'`,
  )
  t.true(row?.soon)
  await ahead.stop()
})

test.serial('leases end by the clock of the database, not by that of the process', async t => {
  const fixture = await createJobsFixture(onPostgres)
  t.teardown(() => fixture.end())
  const held = await fixture.queue.enqueue('test.once', { n: 1 })
  const lost = await fixture.queue.enqueue('test.once', { n: 2 })
  await fixture.asOwner(
    `update larder_jobs set state = 'running', attempts = 1, run_at = created_at,
       locked_until = now() + case when id = $1 then interval '1 minute' else interval '-1 second' end`,
    [held],
  )
  const seen: number[] = []
  const leased: unknown[] = []
  const job = {
    name: 'test.once',
    run: async ({ n }: { n: number }) => {
      seen.push(n)
      leased.push(
        ...(await fixture.asOwner(
          `select locked_until between now() and now() + interval '30 seconds' as soon from larder_jobs where id = $1`,
          [lost],
        )),
      )
    },
  }
  const ahead = createTestJobs(fixture.db, onPostgres, { now: () => Date.now() + HOUR, isSystem: true })
  await ahead.start([job as unknown as Job])
  await waitFor(async () => (await fixture.rows()).some(({ state }) => state === 'done'))
  await ahead.stop()
  t.deepEqual(seen, [2])
  t.deepEqual(leased, [{ soon: true }])
})

test.serial('a worker survives the loss of each of its connections, and of all at once', async t => {
  const fixture = await createJobsFixture(onPostgres)
  t.teardown(() => fixture.end())
  let often = 0
  const seen: number[] = []
  await fixture.worker(
    { name: 'test.often' as never, every: '1s', run: async () => void often++ },
    { name: 'test.once' as never, run: async ({ n }: { n: number }) => void seen.push(n) },
  )
  const queued = (n: number) =>
    fixture.queue.enqueue('test.once', { n }).then(
      () => true,
      () => false,
    )
  for (const [n, which] of ['worker', 'larder listen', 'larder scheduler', '%'].entries()) {
    await waitFor(() => often > n)
    const ended = await fixture.asOwner(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where usename like 'larder_app%' and datname = current_database() and application_name like $1`,
      [which],
    )
    t.true(ended.length > 0, `there was a connection '${which}'`)
    const before = often
    await waitFor(() => queued(n))
    await waitFor(() => seen.includes(n) && often > before)
  }
})

test.serial('a job that sends something waits while the installation is held, and others run', async t => {
  const fixture = await createJobsFixture(onPostgres)
  t.teardown(() => fixture.end())
  const hold = (since: string) => fixture.asOwner(`update larder_installation set held_since = ${since}`)
  await hold('now()')
  const seen: string[] = []
  const doing = (name: string) => ({ name: name as never, run: async () => void seen.push(name) })
  await fixture.worker({ ...doing('test.once'), outgoing: true }, doing('test.often'))
  await fixture.queue.enqueue('test.once', { n: 1 })
  await fixture.queue.enqueue('test.often', {})
  await waitFor(() => seen.length === 1)
  t.deepEqual(seen, ['test.often'])
  t.like((await fixture.rows())[0], { state: 'waiting', attempts: 0 })
  await hold('null')
  await waitFor(() => seen.length === 2)
  t.deepEqual(seen, ['test.often', 'test.once'])
})

test.serial('runs a job regardless of the number of other job names', async t => {
  const fixture = await createJobsFixture(onPostgres)
  t.teardown(() => fixture.end())
  const seen: number[] = []
  const others = Array.from({ length: 8 }, (_, i) => ({ name: `test.other_${i}` as never, run: async () => {} }))
  await fixture.worker(...others, {
    name: 'test.once' as never,
    run: async ({ n }: { n: number }) => void seen.push(n),
  })
  await fixture.queue.enqueue('test.once', { n: 1 })
  await waitFor(() => seen.length === 1)
  t.deepEqual(seen, [1])
})

test.serial('a run that could not be enqueued is enqueued seconds later, not at its next time', async t => {
  const fixture = await createJobsFixture(onPostgres)
  t.teardown(() => fixture.end())
  let runs = 0
  await fixture.worker({ name: 'test.often' as never, every: '1d', run: async () => void runs++ })
  await fixture.asOwner(`alter table larder_jobs add constraint refused check (name <> 'test.often')`)
  await fixture.asOwner('update larder_agenda set next_run_at = now()')
  await waitFor(async () => (await fixture.asOwner('select from larder_agenda where fail_count > 0')).length > 0)
  await fixture.asOwner('alter table larder_jobs drop constraint refused')
  await waitFor(() => runs === 1)
  t.pass()
})

test.serial('metrics count jobs by name and state', async t => {
  const fixture = await createJobsFixture(onPostgres)
  t.teardown(() => fixture.end())
  const [source] = metrics({ systemDatabase: fixture.db.systemDatabase, registry: { running: () => [] } as never })
  const read = async () =>
    Object.fromEntries(((await source?.read()) ?? []).map(({ labels, value }) => [labels.state, value]))
  await fixture.queue.enqueue('test.once', { n: 1 })
  t.deepEqual(await read(), { waiting: 1, running: 0, dead: 0 })
  const run = async () => {
    throw new Error('always')
  }
  await fixture.worker({ name: 'test.once' as never, attempts: 1, run })
  await waitFor(async () => (await read()).dead === 1)
  t.pass()
})
