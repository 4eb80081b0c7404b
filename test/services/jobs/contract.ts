/** The behavior of jobs, independent of the scheduling back end. */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { TestFn } from 'ava'
import { HOUR, MINUTE } from '../../../kernel/base/units.ts'
import type { JobContext } from '../../../kernel/index.ts'

import { waitFor } from '../../fixtures/wait.ts'
import { createJobsFixture, gate, type JobSettings, type JobsFixture } from './fixtures.ts'

const victim = fileURLToPath(new URL('./victim.js', import.meta.url))

export function jobsContract(test: TestFn, settings: () => Promise<JobSettings>): void {
  let fixture: JobsFixture
  test.beforeEach(async () => {
    fixture = await createJobsFixture(await settings())
  })
  test.afterEach.always(() => fixture.end())

  test.serial('runs a job with its data and the tenant of the enqueuing unit', async t => {
    const seen: [unknown, unknown][] = []
    const run = async (data: unknown, { signal, ...facts }: JobContext) => {
      t.false(signal.aborted)
      seen.push([data, facts])
    }
    await fixture.worker({ name: 'test.once' as never, run })
    const jobId = await fixture.db.database
      .tenant('ten_a')
      .transaction(() => fixture.queue.enqueue('test.once', { n: 1 }))
    await waitFor(async () => (await fixture.rows())[0]?.state === 'done')
    t.deepEqual(seen, [[{ n: 1 }, { jobId, attempt: 1, tenantId: 'ten_a' }]])
  })

  test.serial('discards the job of a unit that is rolled back', async t => {
    const work = fixture.db.database.tenant('ten_a').transaction(async () => {
      await fixture.queue.enqueue('test.once', { n: 1 })
      throw new Error('changed my mind')
    })
    await t.throwsAsync(work, { message: 'changed my mind' })
    t.deepEqual(await fixture.rows(), [])
  })

  test.serial('runs a job at its scheduled time', async t => {
    const seen: number[] = []
    await fixture.worker({ name: 'test.once' as never, run: async ({ n }: { n: number }) => void seen.push(n) })
    await fixture.queue.enqueue('test.once', { n: 1 }, { at: new Date(fixture.clock.now() + HOUR) })
    await fixture.queue.enqueue('test.once', { n: 2 })
    await waitFor(() => seen.length === 1)
    t.deepEqual(seen, [2])
    fixture.clock.forward(HOUR)
    await waitFor(() => seen.length === 2)
    t.deepEqual(seen, [2, 1])
  })

  test.serial(
    'retries a failed job after its backoff, marks it dead after its last attempt, and allows a manual retry',
    async t => {
      let well = false
      const waits: number[] = []
      const run = async (_: unknown, { attempt }: JobContext) => {
        if (!well) throw new Error(`attempt ${attempt}`)
      }
      const backoff = (failed: number) => {
        waits.push(failed)
        return MINUTE
      }
      await fixture.worker({ name: 'test.once' as never, attempts: 3, backoff, run })
      await fixture.queue.enqueue('test.once', { n: 1 }, { tenantId: 'ten_a' })
      for (const failed of [1, 2]) {
        await waitFor(async () => (await fixture.rows())[0]?.last_error === `attempt ${failed}`)
        t.like((await fixture.rows())[0], { state: 'waiting', attempts: failed })
        fixture.clock.forward(MINUTE)
      }
      await waitFor(async () => (await fixture.rows())[0]?.state === 'dead')
      t.deepEqual(waits, [1, 2])
      const { data } = await fixture.inspector.dead({ tenantId: 'ten_a', limit: 10 })
      t.like(data[0], { name: 'test.once', tenantId: 'ten_a', attempts: 3, lastError: 'attempt 3', data: { n: 1 } })
      t.deepEqual((await fixture.inspector.dead({ tenantId: 'ten_b', limit: 10 })).data, [])
      const id = data[0]?.id as string
      t.is(await fixture.inspector.retry(id, 'ten_b'), null)
      well = true
      t.like(await fixture.inspector.retry(id, 'ten_a'), { id, attempts: 0 })
      await waitFor(async () => (await fixture.rows())[0]?.state === 'done')
    },
  )

  test.serial('keeps at most one waiting job per name and key, and cancels it', async t => {
    const later = { at: new Date(fixture.clock.now() + HOUR), key: 'thing_1' }
    const first = await fixture.queue.enqueue('test.once', { n: 1 }, later)
    t.is(await fixture.queue.enqueue('test.once', { n: 2 }, later), first)
    t.not(await fixture.queue.enqueue('test.once', { n: 3 }, { ...later, key: 'thing_2' }), first)
    const together = await Promise.all([4, 5, 6].map(n => fixture.queue.enqueue('test.once', { n }, later)))
    t.deepEqual([...new Set(together)], [first])
    t.is(await fixture.queue.cancel('test.once', 'thing_1'), 1)
    t.is(await fixture.queue.cancel('test.once', 'thing_1'), 0)
    t.is((await fixture.rows()).length, 1)
    t.not(await fixture.queue.enqueue('test.once', { n: 7 }, later), first)
  })

  test.serial('a failed job gives way to a waiting job with the same key', async t => {
    const begun = gate()
    const go = gate()
    const seen: number[] = []
    const run = async ({ n }: { n: number }) => {
      seen.push(n)
      if (n === 2) return
      begun.open()
      await go.passed
      throw new Error('not today')
    }
    await fixture.worker({ name: 'test.once' as never, backoff: () => 0, run })
    await fixture.queue.enqueue('test.once', { n: 1 }, { key: 'thing_1' })
    await begun.passed
    await fixture.queue.enqueue('test.once', { n: 2 }, { key: 'thing_1', at: new Date(fixture.clock.now() + HOUR) })
    go.open()
    await waitFor(async () => (await fixture.rows()).every(({ state }) => state !== 'running'))
    fixture.clock.forward(HOUR)
    await waitFor(async () => (await fixture.rows()).every(({ state }) => state === 'done'))
    t.deepEqual(seen, [1, 2])
  })

  test.serial('aborts a job at its timeout and counts it as failed', async t => {
    let reason: unknown
    const run = (_: unknown, { signal }: JobContext) =>
      new Promise<void>(() => {
        signal.addEventListener('abort', () => {
          reason = signal.reason
        })
      })
    await fixture.worker({ name: 'test.once' as never, timeout: 100, run })
    await fixture.queue.enqueue('test.once', { n: 1 })
    await waitFor(
      async () => (await fixture.rows())[0]?.attempts === 1 && (await fixture.rows())[0]?.state === 'waiting',
    )
    t.regex(String(reason), /longer than 0.1 s/)
    t.regex((await fixture.rows())[0]?.last_error ?? '', /longer than 0.1 s/)
  })

  test.serial(
    'a stopping worker releases its job without counting the attempt, and another worker runs it',
    async t => {
      const begun = gate()
      const run = async (_: unknown, { signal }: JobContext) => {
        begun.open()
        await sleep(HOUR, undefined, { signal })
      }
      const first = await fixture.worker({ name: 'test.once' as never, timeout: HOUR, run })
      await fixture.queue.enqueue('test.once', { n: 1 })
      await begun.passed
      await first.stop()
      t.like((await fixture.rows())[0], { state: 'waiting', attempts: 0, last_error: null })
      await fixture.worker({ name: 'test.once' as never, run: async () => {} })
      await waitFor(async () => (await fixture.rows())[0]?.state === 'done')
    },
  )

  test.serial('another worker runs the job of a killed worker', async t => {
    const child = fork(victim, [fixture.ownerUrl], { stdio: 'inherit' })
    t.teardown(() => end(child))
    await once(child, 'message')
    await fixture.queue.enqueue('test.once', { n: 1 })
    await once(child, 'message')
    await end(child)
    // Its lease passes.
    await fixture.asOwner("update larder_jobs set locked_until = locked_until - interval '20 seconds'")
    const seen: number[] = []
    const run = async (_: unknown, { attempt }: JobContext) => void seen.push(attempt)
    await fixture.worker({ name: 'test.once' as never, run })
    await waitFor(async () => (await fixture.rows())[0]?.state === 'done')
    t.deepEqual(seen, [2])
  })

  test.serial('renews the lease of a long job', async t => {
    const begun = gate()
    const go = gate()
    let runs = 0
    const run = async () => {
      runs++
      begun.open()
      await go.passed
    }
    for (let worker = 0; worker < 2; worker++) await fixture.worker({ name: 'test.once' as never, run })
    await fixture.queue.enqueue('test.once', { n: 1 })
    await begun.passed
    const leased = () => fixture.asOwner<{ until: Date }>('select locked_until as until from larder_jobs')
    const first = (await leased())[0]?.until.getTime() ?? 0
    await waitFor(async () => ((await leased())[0]?.until.getTime() ?? 0) > first)
    go.open()
    await waitFor(async () => (await fixture.rows())[0]?.state === 'done')
    t.is(runs, 1)
  })

  test.serial('respects the concurrency of a job', async t => {
    let now = 0
    let most = 0
    const run = async () => {
      now++
      most = Math.max(most, now)
      await sleep(5)
      now--
    }
    await fixture.worker({ name: 'test.once' as never, concurrency: 2, run })
    for (let n = 0; n < 20; n++) await fixture.queue.enqueue('test.once', { n })
    await waitFor(async () => (await fixture.rows()).every(({ state }) => state === 'done'))
    t.is(most, 2)
  })

  test.serial('runs a recurring job in one worker at a time, and continues after one worker stops', async t => {
    const runs: string[] = []
    let now = 0
    const hold = gate()
    const job = (worker: string) => ({
      name: 'test.often' as never,
      every: '1s',
      run: async () => {
        t.is(++now, 1)
        runs.push(worker)
        await hold.passed
        now--
      },
    })
    const workers = { one: await fixture.worker(job('one')), two: await fixture.worker(job('two')) }
    await waitFor(() => runs.length === 1)
    // Wait for two more scheduled times.
    await sleep(2500)
    t.is(runs.length, 1)
    hold.open()
    const [first] = runs as ['one' | 'two']
    await workers[first].stop()
    const before = runs.length
    await waitFor(() => runs.length >= before + 2)
    t.deepEqual([...new Set(runs.slice(before))], [first === 'one' ? 'two' : 'one'])
  })

  test.serial('runs a failed recurring job at its next time, and keeps its last failed run', async t => {
    let runs = 0
    const run = async () => {
      throw new Error(`run ${++runs}`)
    }
    const worker = await fixture.worker({ name: 'test.often' as never, every: '1s', run })
    await waitFor(() => runs >= 2)
    await worker.stop()
    const rows = await fixture.rows('test.often')
    t.is(rows.length, 1)
    t.like(rows[0], { state: 'failed', last_error: `run ${runs}` })
  })

  test.serial('tells when a recurring job runs next, and how its last run ended', async t => {
    let well = false
    const run = async () => {
      if (!well) throw new Error('not well')
    }
    const schedule = async () => (await fixture.activity.schedules()).find(({ name }) => name === 'test.often')
    const workers = [1, 2].map(() => fixture.worker({ name: 'test.often' as never, every: '1s', run }))
    await Promise.all(workers)
    const first = (await schedule())?.nextRunAt ?? ''
    t.true(first > new Date(Date.now() - MINUTE).toISOString())
    await waitFor(async () => (await schedule())?.lastResult === 'failed')
    const failed = await schedule()
    t.is(failed?.lastError, 'not well')
    t.true((failed?.lastRunAt ?? '') <= (failed?.lastFinishedAt ?? ''))
    well = true
    await waitFor(async () => (await schedule())?.lastResult === 'succeeded')
    const succeeded = await schedule()
    t.is(succeeded?.lastError, null)
    t.true((succeeded?.lastRunAt ?? '') > (failed?.lastRunAt ?? ''))
    t.true((succeeded?.nextRunAt ?? '') > first)
    for (const worker of await Promise.all(workers)) await worker.stop()
    const stopped = await schedule()
    t.like(stopped, { lastResult: 'succeeded' })
    t.true((stopped?.nextRunAt ?? '') >= (succeeded?.nextRunAt ?? ''))
    t.deepEqual(
      (await fixture.rows('test.often'))
        .map(({ state }) => state)
        .filter(state => state !== 'waiting')
        .sort(),
      ['done', 'failed'],
    )
  })

  test.serial('a recurring job that no worker starts keeps the time at which it was due', async t => {
    const schedule = async () => (await fixture.activity.schedules()).find(({ name }) => name === 'test.often')
    const worker = await fixture.worker({ name: 'test.often' as never, every: '1h', run: async () => {} })
    const due = (await schedule())?.nextRunAt
    t.truthy(due)
    await worker.stop()
    t.is((await schedule())?.nextRunAt, due)
    await fixture.worker({ name: 'test.often' as never, every: '1h', run: async () => {} })
    t.is((await schedule())?.nextRunAt, due)
    t.is((await schedule())?.lastResult, null)
  })
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  await ended
}
