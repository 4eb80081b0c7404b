/**
 * Agenda is the clock: what recurs, it starts, in one process at a time. It keeps nothing that must not be lost:
 * jobs with data are rows of larder_jobs.
 */
import type { Agenda, AgendaBackend } from 'agenda'
import type { Logger } from 'pino'
import type { Job } from '../contract.ts'
import type { OpenDatabase } from '../database/open.ts'
import type { Settings } from '../settings.ts'
import { milliseconds, SECOND } from '../units.ts'
import { TIMEOUT } from './leases.ts'

export interface AgendaClockOptions {
  readonly backend: Settings['jobsBackend']
  readonly db: Pick<OpenDatabase, 'directUrl'>
  readonly settings: Pick<Settings, 'redisUrl' | 'mongodbUrl'>
  readonly log: Logger
}
export interface AgendaClock {
  start(jobs: readonly Job[]): Promise<void>
  stop(): Promise<void>
}

const LOOK_EVERY = 1 * SECOND
/** While the database is away the client complains ten times a second. */
const TELL_EVERY = 10 * SECOND

export function createAgendaClock(options: AgendaClockOptions): AgendaClock {
  const { log } = options
  let agenda: Agenda | undefined
  let release: (() => Promise<void>) | undefined
  const stopping = new AbortController()
  const complain = throttled((error: unknown) => log.warn({ err: error }, 'the clock of recurring jobs cannot look'))

  function define(on: Agenda, job: Job): void {
    const { timeout = TIMEOUT } = job
    // The lock outlives the longest run: Agenda would start a second one beside the first.
    on.define(job.name, () => runOnce(job, timeout), { concurrency: 1, lockLimit: 1, lockLifetime: 2 * timeout })
  }

  async function runOnce(job: Job, timeout: number): Promise<void> {
    const signal = AbortSignal.any([stopping.signal, AbortSignal.timeout(timeout)])
    try {
      await job.run({} as never, { signal, attempt: 1, jobId: job.name, tenantId: null })
    } catch (error) {
      log.warn({ err: error, name: job.name }, 'a recurring job failed: it runs again at its time')
    }
  }

  return {
    async start(jobs) {
      const recurring = jobs.filter(({ every }) => every !== undefined)
      if (recurring.length === 0) return
      // Loaded where it is used: a process that answers requests needs none of it.
      const { Agenda } = await import('agenda')
      const made = await backendOf(options, complain)
      release = made.release
      agenda = new Agenda({ backend: made.backend, processEvery: LOOK_EVERY, defaultConcurrency: 1, logging: false })
      agenda.on('error', complain)
      for (const job of recurring) define(agenda, job)
      await agenda.start()
      for (const { name, every = '' } of recurring) await agenda.every(intervalOf(every), name, {}, { timezone: 'UTC' })
    },
    async stop() {
      stopping.abort(new Error('the process stops'))
      await agenda?.drain(10 * SECOND)
      await agenda?.stop(true)
      await release?.()
    },
  }
}

/** `5s` → milliseconds; a cron line stays one. */
const intervalOf = (every: string): string | number => (/\s/.test(every) ? every : milliseconds(every))

interface MadeBackend {
  readonly backend: AgendaBackend
  /** What the backend was lent and does not close itself. */
  readonly release?: () => Promise<void>
}

async function backendOf(options: AgendaClockOptions, complain: (error: unknown) => void): Promise<MadeBackend> {
  const { backend, db, settings } = options
  if (backend === 'mongodb') {
    const { MongoBackend } = await import('@agendajs/mongo-backend')
    return { backend: new MongoBackend({ address: settings.mongodbUrl as string, collection: 'larder_agenda' }) }
  }
  if (backend === 'redis') {
    const { RedisBackend } = await import('@agendajs/redis-backend')
    return { backend: new RedisBackend({ connectionString: settings.redisUrl as string, keyPrefix: 'larder:agenda:' }) }
  }
  const [{ PostgresBackend }, { default: pg }] = await Promise.all([import('@agendajs/postgres-backend'), import('pg')])
  const pool = new pg.Pool({ connectionString: db.directUrl, max: 2, application_name: 'larder clock' })
  pool.on('error', complain)
  return {
    // Its own schema change would race between processes: the table stands in a migration.
    backend: new PostgresBackend({ pool, tableName: 'larder_agenda', ensureSchema: false, disableNotifications: true }),
    release: () => pool.end(),
  }
}

function throttled(tell: (error: unknown) => void): (error: unknown) => void {
  let told = 0
  return error => {
    if (Date.now() - told < TELL_EVERY) return
    told = Date.now()
    tell(error)
  }
}
