import anyTest, { type TestFn } from 'ava'
import { until } from '../events/kit.ts'
import { jobsContract } from './contract.ts'
import { createStage, onPostgres } from './kit.ts'

const test = anyTest as TestFn
jobsContract(test, async () => onPostgres)

test.serial('a cron line is read in UTC', async t => {
  const stage = await createStage(onPostgres)
  t.teardown(() => stage.end())
  await stage.worker({ name: 'test.often' as never, every: '30 4 * * *', run: async () => {} })
  const [row] = await stage.asOwner<{ next: Date }>('select next_run_at as next from larder_agenda')
  t.regex(row?.next.toISOString() ?? '', /T04:30:00.000Z$/)
})

test.serial('a worker outlives the end of all its connections', async t => {
  const stage = await createStage(onPostgres)
  t.teardown(() => stage.end())
  let often = 0
  const seen: number[] = []
  await stage.worker(
    { name: 'test.often' as never, every: '1s', run: async () => void often++ },
    { name: 'test.once' as never, run: async ({ n }: { n: number }) => void seen.push(n) },
  )
  await until(() => often >= 1)
  await stage.asOwner(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where usename = 'larder_app' and datname = current_database()`,
  )
  const before = often
  await until(() =>
    stage.queue.enqueue('test.once', { n: 1 }).then(
      () => true,
      () => false,
    ),
  )
  await until(() => seen.length === 1 && often > before)
  t.pass()
})

test.serial('a job runs however many other names there are beside it', async t => {
  const stage = await createStage(onPostgres)
  t.teardown(() => stage.end())
  const seen: number[] = []
  const others = Array.from({ length: 8 }, (_, i) => ({ name: `test.other_${i}` as never, run: async () => {} }))
  await stage.worker(...others, {
    name: 'test.once' as never,
    run: async ({ n }: { n: number }) => void seen.push(n),
  })
  await stage.queue.enqueue('test.once', { n: 1 })
  await until(() => seen.length === 1)
  t.deepEqual(seen, [1])
})
