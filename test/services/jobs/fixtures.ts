/** A database with a job queue, and workers. */

import pg from 'pg'
import { pino } from 'pino'
import { readSettings } from '../../../bin/composition.ts'
import type { Inspector, JobQueue } from '../../../kernel/contract/ports.ts'
import type { Clock, Job, Settings } from '../../../kernel/index.ts'
import { createJobActivity } from '../../../services/jobs/activity.ts'
import { createJobInspector } from '../../../services/jobs/inspect.ts'
import { createJobs, type JobService } from '../../../services/jobs/jobs.ts'
import type { JobActivity } from '../../../services/jobs/ports.ts'
import type { OpenDatabase } from '../../../services/postgres/open.ts'
import { createTestDatabase } from '../../../services/postgres/testing.ts'
import { log, openTestDatabase } from '../outbox/fixtures.ts'

export type JobSettings = Pick<Settings, 'jobsBackend' | 'redisUrl' | 'mongodbUrl'>
export interface TestJobs {
  'test.once': { n: number }
  'test.often': Record<string, never>
}
export interface JobsFixture {
  readonly db: OpenDatabase
  readonly ownerUrl: string
  readonly clock: { now(): number; forward(milliseconds: number): void }
  readonly queue: JobQueue<TestJobs>
  readonly inspector: Inspector['jobs']
  readonly activity: JobActivity
  asOwner<Row = Record<string, unknown>>(sql: string, values?: unknown[]): Promise<Row[]>
  /** `end` stops the worker. */
  worker(...jobs: Partial<Job>[]): Promise<JobService<TestJobs>>
  /** Remaining jobs with this name. */
  rows(name?: string): Promise<{ state: string; attempts: number; last_error: string | null }[]>
  /** Lines of the log of all workers. */
  readonly warnings: readonly string[]
  end(): Promise<void>
}

const migrations = [{ module: 'kernel', folder: new URL('../../../services/postgres/migrations/', import.meta.url) }]
export const onPostgres: JobSettings = { ...readSettings({}), jobsBackend: 'postgres' }

/** @param byPerson whether customers take turns, as in a product of people. */
export async function createJobsFixture(settings: JobSettings, byPerson = false): Promise<JobsFixture> {
  const { ownerUrl, drop } = await createTestDatabase({ migrations, log })
  const db = await openTestDatabase(ownerUrl)
  const owner = new pg.Pool({ connectionString: ownerUrl, max: 2 })
  owner.on('error', () => {})
  const workers: { jobs: JobService<TestJobs>; db: OpenDatabase }[] = []
  let ahead = 0
  const clock: JobsFixture['clock'] = {
    now: () => Date.now() + ahead,
    forward(milliseconds) {
      ahead += milliseconds
    },
  }
  const warnings: string[] = []
  const workerLog = pino({ level: 'warn' }, { write: line => void warnings.push(line) })
  const open = (on: OpenDatabase) => createTestJobs(on, settings, clock, workerLog, byPerson)
  return {
    db,
    ownerUrl,
    clock,
    queue: open(db).queue,
    inspector: createJobInspector({
      systemDatabase: db.systemDatabase,
      clock,
      wakeWorkers: () => db.notify('larder_jobs', ''),
    }),
    activity: createJobActivity(db),
    asOwner: async (sql, values) => (await owner.query(sql, values)).rows,
    async worker(...jobs) {
      const own = await openTestDatabase(ownerUrl, 'worker')
      const made = open(own)
      workers.push({ jobs: made, db: own })
      await made.start(jobs as Job[])
      return made
    },
    rows: async (name = 'test.once') =>
      (await owner.query('select state, attempts, last_error from larder_jobs where name = $1 order by id', [name]))
        .rows,
    warnings,
    async end() {
      for (const worker of workers) {
        await worker.jobs.stop()
        await worker.db.close()
      }
      await db.close()
      await owner.end()
      await drop()
    },
  }
}

export const createTestJobs = (
  db: OpenDatabase,
  settings: JobSettings,
  clock: Clock,
  workerLog = log,
  byPerson = false,
): JobService<TestJobs> =>
  createJobs<TestJobs>({
    db,
    database: db.database,
    systemDatabase: db.systemDatabase,
    backend: settings.jobsBackend,
    settings,
    log: workerLog,
    clock,
    isKnown: () => true,
    byPerson,
  })

/** A promise and the function that resolves it. */
export function gate(): { passed: Promise<void>; open: () => void } {
  let open = () => {}
  const passed = new Promise<void>(resolve => {
    open = resolve
  })
  return { passed, open }
}
