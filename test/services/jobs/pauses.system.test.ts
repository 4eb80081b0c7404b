import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import test, { type ExecutionContext } from 'ava'
import type { JobContext } from '../../../kernel/index.ts'
import { waitFor } from '../../fixtures/wait.ts'
import type { ClockReport } from './clock.ts'
import { createJobsFixture, type JobsFixture, onPostgres } from './fixtures.ts'

const CLOCK = fileURLToPath(new URL('./clock.js', import.meta.url))
const PAUSED = fileURLToPath(new URL('./paused.js', import.meta.url))
const NAMES = Array.from({ length: 6 }, (_, i) => `test.often_${i}`)

interface Clock {
  readonly child: ChildProcess
  readonly warnings: readonly string[]
  readonly fixture: JobsFixture
  /** Waits until each job has run again. */
  everyJobRuns(): Promise<void>
}

async function startClock(t: ExecutionContext): Promise<Clock> {
  const fixture = await createJobsFixture(onPostgres)
  const child = fork(CLOCK, [fixture.ownerUrl, ...NAMES], { stdio: 'inherit' })
  t.teardown(async () => {
    child.kill('SIGKILL')
    await once(child, 'exit')
    await fixture.end()
  })
  let ran = new Set<string>()
  const warnings: string[] = []
  child.on('message', (report: ClockReport) => {
    if ('ran' in report) ran.add(report.ran)
    if ('warning' in report) warnings.push(report.warning)
  })
  await once(child, 'message')
  return {
    child,
    warnings,
    fixture,
    async everyJobRuns() {
      ran = new Set()
      await waitFor(
        () => NAMES.filter(name => !ran.has(name)),
        missing => missing.length === 0,
        20,
      )
    },
  }
}

// These tests wait for most of their time, so they wait together.
test('every recurring job runs after each of ten pauses of the process', async t => {
  const { child, warnings, everyJobRuns } = await startClock(t)
  await everyJobRuns()
  for (let pause = 0; pause < 10; pause++) {
    child.kill('SIGSTOP')
    await sleep(6000)
    child.kill('SIGCONT')
    await everyJobRuns()
  }
  const repaired = warnings.filter(line => line.includes('did not run at their time'))
  t.deepEqual(repaired, [])
})

test.serial('a busy worker reports no canceled runs', async t => {
  const { child, warnings, fixture, everyJobRuns } = await startClock(t)
  await everyJobRuns()
  // Agenda looks after its runs 2 s after their start: the statement that ends a run takes longer.
  await fixture.asOwner(
    `create function slow() returns trigger language plpgsql as 'begin perform pg_sleep(2.5); return new; end'`,
  )
  await fixture.asOwner(
    `create trigger slow before update on larder_agenda for each row
     when (old.locked_at is not null and new.locked_at is null) execute function slow()`,
  )
  for (let block = 0; block < 3; block++) {
    child.send(2500)
    await everyJobRuns()
  }
  t.deepEqual(
    warnings.filter(line => /cancell?ed|lockedAt/.test(line)),
    [],
  )
})

test.serial('recurring jobs run again after the clock went back while they were scheduled or locked', async t => {
  const fixture = await createJobsFixture(onPostgres)
  t.teardown(() => fixture.end())
  const ran: string[] = []
  const often = { name: 'test.often' as never, every: '1s', run: async () => void ran.push('often') }
  const hourly = { name: 'test.hourly' as never, every: '1h', run: async () => void ran.push('hourly') }
  await fixture.worker(often, hourly)
  await waitFor(() => ran.includes('often'))
  await fixture.asOwner(`update larder_agenda set next_run_at = now() + interval '1 hour' where name = 'test.often'`)
  await fixture.asOwner(
    `update larder_agenda set next_run_at = now(), locked_at = now() + interval '1 hour' where name = 'test.hourly'`,
  )
  ran.length = 0
  await waitFor(() => ran.includes('often') && ran.includes('hourly'))
  t.true(fixture.warnings.some(line => /"jobs":\["test.hourly"\].*did not run at their time/.test(line)))
})

for (const seconds of [12, 30])
  test(`a job takes effect once if its process is paused for ${seconds} s between begin and commit`, async t => {
    const fixture = await createJobsFixture(onPostgres)
    await fixture.asOwner('create table effects (attempt integer not null)')
    await fixture.asOwner('grant select, insert on effects to public')
    const child = fork(PAUSED, [fixture.ownerUrl], { stdio: 'inherit' })
    const reports: unknown[] = []
    child.on('message', report => reports.push(report))
    t.teardown(async () => {
      child.kill('SIGKILL')
      await once(child, 'exit')
      await fixture.end()
    })
    await waitFor(() => reports.includes('ready'))
    await fixture.queue.enqueue('test.once', { n: 1 })
    await waitFor(() => reports.includes('open'))
    child.kill('SIGSTOP')
    const run = async (_: unknown, { attempt }: JobContext) => {
      const unit = fixture.db.database.tenant('ten_a')
      await unit.query('insert into effects values ($1)', [attempt])
    }
    await fixture.worker({ name: 'test.once' as never, run })
    await sleep(seconds * 1000)
    child.kill('SIGCONT')
    await waitFor(() => reports.includes('ended'))
    await waitFor(async () => (await fixture.rows())[0]?.state === 'done')
    t.is((await fixture.asOwner('select * from effects')).length, 1)
  })
