/**
 * Schedules recurring jobs with Agenda: at the scheduled time, one process inserts a row into larder_jobs. Agenda stores
 * nothing that must not be lost. If its back end is unavailable, queued jobs still run.
 */

import type { Agenda, AgendaBackend } from 'agenda'
import { type Job, MINUTE, milliseconds, SECOND } from 'larder/kernel'
import type { Logger } from 'pino'
import { type Backend, type BackendOptions, openBackend } from './backends.ts'
import { lockDueJobs } from './due-jobs.ts'

export interface RecurringSchedulerOptions extends Omit<BackendOptions, 'onError'> {
  readonly log: Logger
  /** Called at the scheduled time of a recurring job. */
  readonly onTime: (name: string) => Promise<void>
}
export interface RecurringScheduler {
  /** Resolves after the first attempt to connect to the back end; further attempts continue in the background. */
  start(jobs: readonly Job[]): Promise<void>
  stop(): Promise<void>
}

/** Agenda locks jobs that become due before its next poll. If the process dies, they stay locked for LOCK_LIFETIME_MS. */
const POLL_INTERVAL_MS = 1 * SECOND
const LOCK_LIFETIME_MS = 4 * SECOND
/** While the back end is unavailable, Agenda reports an error at each poll. */
const WARN_INTERVAL_MS = 10 * SECOND
const RETRY_INTERVAL_MS = 2 * SECOND
/** A new job waits this long, or for its interval if that is shorter: the first start has more urgent work. */
const MAX_FIRST_RUN_DELAY_MS = MINUTE
/** A run is a single insert, so a short grace period is enough. */
const STOP_GRACE_MS = 2 * SECOND

interface Running {
  readonly agenda: Agenda
  readonly backend: Backend
  /** Resolves once no run is in progress. */
  readonly idle: () => Promise<void>
  readonly registerTimer: NodeJS.Timeout
}

export function createRecurringScheduler({
  log,
  onTime,
  ...connection
}: RecurringSchedulerOptions): RecurringScheduler {
  const warn = throttled((error: unknown) => log.warn({ err: error }, 'recurring jobs are delayed'))
  /** An error occurred since the jobs were last registered, so the back end may have lost them. */
  let mayBeLost = false
  let running: Running | undefined
  let retry: NodeJS.Timeout | undefined
  let opening = Promise.resolve()
  let stopped = false

  function onError(error: unknown): void {
    mayBeLost = true
    if (!stopped) warn(error)
  }

  async function open(recurring: readonly Job[]): Promise<void> {
    try {
      const backend = await openBackend({ ...connection, onError })
      try {
        running = await run(backend, recurring)
      } catch (error) {
        await backend.close()
        throw error
      }
    } catch (error) {
      onError(error)
      if (stopped) return
      retry = setTimeout(() => {
        opening = open(recurring)
      }, RETRY_INTERVAL_MS)
    }
  }

  async function run(backend: Backend, recurring: readonly Job[]): Promise<Running> {
    // Loaded on demand: web processes do not need it.
    const { Agenda } = await import('agenda')
    const agenda = new Agenda({
      backend: withErrorHandling(backend.agenda, onError),
      processEvery: POLL_INTERVAL_MS,
      logging: false,
    })
    agenda.on('error', onError)
    const idle = trackRunningJobs(agenda)
    const limits = { concurrency: 1, lockLimit: 1, lockLifetime: LOCK_LIFETIME_MS }
    for (const { name } of recurring) agenda.define(name, () => onTime(name), limits)
    await registerJobs(agenda, recurring)
    await agenda.start()
    const registerTimer = setInterval(() => {
      if (mayBeLost) registerJobs(agenda, recurring).catch(onError)
    }, RETRY_INTERVAL_MS)
    return { agenda, backend, idle, registerTimer }
  }

  /** Jobs that are already registered keep their next run. */
  async function registerJobs(agenda: Agenda, recurring: readonly Job[]): Promise<void> {
    mayBeLost = false
    const { jobs } = await agenda.queryJobs()
    const intervals = new Map(jobs.map(({ name, repeatInterval }) => [name, String(repeatInterval)]))
    for (const { name, every = '' } of recurring) {
      const interval = intervalOf(every)
      const isNew = !intervals.has(name)
      if (!isNew && intervals.get(name) === String(interval)) continue
      await agenda.every(interval, name, {}, { timezone: 'UTC', ...(isNew && { startDate: firstRun(interval) }) })
    }
  }

  return {
    async start(jobs) {
      const recurring = jobs.filter(({ every }) => every !== undefined)
      if (recurring.length === 0) return
      opening = open(recurring)
      await opening
    },
    async stop() {
      stopped = true
      clearTimeout(retry)
      await opening
      const { agenda, backend, idle, registerTimer } = running ?? {}
      running = undefined
      clearInterval(registerTimer)
      await agenda?.stop(false).catch(onError)
      await idle?.()
      await backend?.close()
    },
  }
}

/** `5s` → milliseconds; a cron expression stays as it is. */
const intervalOf = (every: string): string | number => (/\s/.test(every) ? every : milliseconds(every))

const firstRun = (interval: string | number): Date =>
  new Date(Date.now() + (typeof interval === 'string' ? 0 : Math.min(interval, MAX_FIRST_RUN_DELAY_MS)))

/**
 * Agenda does not catch two errors, either of which would crash the process: a connection that fails in its constructor,
 * and a lock that it cannot release. Its notification channel is omitted: polling every second is enough.
 */
function withErrorHandling(backend: AgendaBackend, onError: (error: unknown) => void): AgendaBackend {
  const { repository } = backend
  const unlockJob: typeof repository.unlockJob = job => repository.unlockJob(job).catch(onError)
  return {
    name: backend.name,
    repository: Object.assign(Object.create(repository), { unlockJob, getNextJobToRun: lockDueJobs(repository) }),
    ownsConnection: false,
    connect: async () => {},
    disconnect: async () => {},
  }
}

function trackRunningJobs(agenda: Agenda): Running['idle'] {
  let active = 0
  agenda.on('start', () => active++)
  agenda.on('complete', () => active--)
  return async () => {
    for (let waited = 0; active > 0 && waited < STOP_GRACE_MS; waited += 20)
      await new Promise(resolve => setTimeout(resolve, 20))
  }
}

function throttled(report: (error: unknown) => void): (error: unknown) => void {
  let lastReport = 0
  return error => {
    if (Date.now() - lastReport < WARN_INTERVAL_MS) return
    lastReport = Date.now()
    report(error)
  }
}
