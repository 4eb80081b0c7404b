/** The job service: the port that enqueues jobs, and the runner and scheduler of a worker. */
import type { Clock, Database, Job, JobQueue, Settings, SystemDatabase } from '@larder-dev/larder/kernel'
import type { Logger } from 'pino'
import type { Postgres } from './postgres.ts'
import { createQueue } from './queue.ts'
import { createRecurringScheduler } from './recurring-scheduler.ts'
import { createRunner, type Runner } from './runner.ts'

export interface JobsOptions {
  readonly db: Postgres
  readonly database: Database
  readonly systemDatabase: SystemDatabase
  readonly backend: Settings['jobsBackend']
  readonly settings: Pick<Settings, 'redisUrl' | 'mongodbUrl'>
  readonly log: Logger
  readonly clock: Clock
  /** Whether the recipe has a job of this name. */
  readonly isKnown: (name: string) => boolean
  /** Whether customers take turns, as in a product of people. */
  readonly byPerson?: boolean
}
export interface JobService<Jobs> {
  readonly queue: JobQueue<Jobs>
  /** Starts to run these jobs in this process. */
  start(jobs: readonly Job[]): Promise<void>
  stop(): Promise<void>
}

export function createJobs<Jobs>(options: JobsOptions): JobService<Jobs> {
  const { db, database, systemDatabase, backend, settings, log, clock, isKnown, byPerson = false } = options
  const onError = (error: unknown) => log.debug({ err: error }, 'workers could not be woken and will poll')
  const queue = createQueue<Jobs>({
    database,
    systemDatabase,
    clock,
    isKnown,
    byPerson,
    wakeWorkers: db.createNotifier('larder_jobs', onError),
  })
  const { enqueueRecurring: onTime, saveNextRuns } = queue
  const agenda = createRecurringScheduler({ backend, db, settings, log, onTime, saveNextRuns })
  let runner: Runner | undefined
  return {
    queue: queue.port,
    async start(jobs) {
      runner = createRunner({ db, systemDatabase, jobs, log, clock, byPerson })
      await runner.start()
      await agenda.start(jobs)
    },
    async stop() {
      await agenda.stop()
      await runner?.stop()
    },
  }
}
