/** Everything about jobs: the port that queues them, and what runs them in a worker. */
import type { Clock, Job, JobQueue, Settings } from 'larder/kernel'
import type { Logger } from 'pino'
import type { OpenDatabase } from '../postgres/open.ts'
import { createAgendaClock } from './clock.ts'
import { createQueue } from './queue.ts'
import { createRunner, type Runner } from './runner.ts'

export interface JobsOptions {
  readonly db: OpenDatabase
  readonly backend: Settings['jobsBackend']
  readonly settings: Pick<Settings, 'redisUrl' | 'mongodbUrl'>
  readonly log: Logger
  readonly clock: Clock
  /** Whether the recipe has a job of this name. */
  readonly known: (name: string) => boolean
}
export interface JobsOf<Jobs> {
  readonly queue: JobQueue<Jobs>
  /** From now on this process runs them. */
  start(jobs: readonly Job[]): Promise<void>
  stop(): Promise<void>
}

export function createJobs<Jobs>({ db, backend, settings, log, clock, known }: JobsOptions): JobsOf<Jobs> {
  const notify = () => db.notify('larder_jobs', '')
  const onError = (error: unknown) => log.debug({ err: error }, 'workers were not woken: they poll')
  const queue = createQueue<Jobs>({ database: db.database, clock, known, notify, onError })
  const agenda = createAgendaClock({ backend, db, settings, log, onTime: queue.recur })
  let runner: Runner | undefined
  return {
    queue: queue.port,
    async start(jobs) {
      runner = createRunner({ db, jobs, log, clock })
      await runner.start()
      await agenda.start(jobs)
    },
    async stop() {
      await agenda.stop()
      await runner?.stop()
    },
  }
}
