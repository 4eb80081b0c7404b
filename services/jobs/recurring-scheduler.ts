/**
 * Schedules recurring jobs with Agenda: at the scheduled time, one process inserts a row into larder_jobs. Agenda stores
 * nothing that must not be lost. If its back end is unavailable, queued jobs still run.
 */
import { once } from 'node:events'
import {
  createCountedWarnings,
  createOutageLog,
  type Job,
  MINUTE,
  milliseconds,
  Problem,
  SECOND,
} from '@larder-dev/larder/kernel/internal'
import type { Agenda, JobParameters } from 'agenda'
import type { Logger } from 'pino'
import { type Backend, type BackendOptions, isDisconnection, openBackend } from './backends.ts'
import { createScheduleRepository } from './schedule-repository.ts'

export interface RecurringSchedulerOptions extends Omit<BackendOptions, 'onError'> {
  readonly log: Logger
  /** Called at the scheduled time of a recurring job. */
  readonly onTime: (name: string) => Promise<void>
  /** Called with the jobs whose next run has another time than at the last call. */
  readonly saveNextRuns: (times: ReadonlyMap<string, Date>) => Promise<void>
}
export interface RecurringScheduler {
  /** Resolves after the first attempt to connect to the back end; further attempts continue in the background. */
  start(jobs: readonly Job[]): Promise<void>
  stop(): Promise<void>
}

/** Agenda locks jobs that become due before its next poll. If the process dies, they stay locked for LOCK_LIFETIME_MS. */
const POLL_INTERVAL_MS = 1 * SECOND
const LOCK_LIFETIME_MS = 4 * SECOND
/** How often the schedule is compared with what ran. */
const CHECK_INTERVAL_MS = 5 * SECOND
/** A job that hasn't run this long after its time is overdue. More than a poll and the lifetime of a lock. */
const OVERDUE_MS = 10 * SECOND
/** Pause before another attempt to connect, or to enqueue a run. */
const RETRY_INTERVAL_MS = 2 * SECOND
const DELAYED = 'recurring jobs are delayed'
/** Delay before a new job's first run, at most its interval, to keep the first start fast. */
const FIRST_RUN_DELAY_MS = MINUTE
/** A run is a single insert, so a short grace period is enough. */
const STOP_GRACE_MS = 2 * SECOND

interface Running {
  readonly agenda: Agenda
  /** Resolves once no run is in progress, or after the grace period. */
  readonly idle: () => Promise<void>
}

export function createRecurringScheduler({
  log,
  onTime,
  saveNextRuns,
  ...connection
}: RecurringSchedulerOptions): RecurringScheduler {
  const delayed = createCountedWarnings({ log, first: DELAYED, more: 'recurring jobs were delayed' })
  // The database announces its own outages.
  const outage = createOutageLog({ log, begins: DELAYED, ends: 'recurring jobs run again' })
  let recurring: readonly Job[] = []
  let backend: Backend | undefined
  let running: Running | undefined
  /** When the jobs that were overdue at the last check should have run. */
  let overdue = new Map<string, number>()
  /** The times of the next runs that this process has saved, by name. */
  const savedTimes = new Map<string, number>()
  /** The attempt to open the back end, or the check, that is in progress. */
  let current = Promise.resolve()
  let timer: NodeJS.Timeout | undefined
  let stopped = false

  function onError(error: unknown): void {
    if (stopped) return
    const isAway = isDisconnection(error)
    if (isAway && connection.backend !== 'postgres') return void outage.begin(error)
    if (isAway) connection.db.attribute(error)
    delayed(Problem.is(error) ? error.code : 'internal', { err: error })
  }

  async function open(): Promise<void> {
    try {
      backend = await openBackend({ ...connection, onError })
      running = await run(backend)
      outage.end()
      schedule(check, CHECK_INTERVAL_MS)
    } catch (error) {
      onError(error)
      await backend?.close().catch(onError)
      backend = undefined
      schedule(open, RETRY_INTERVAL_MS)
    }
  }

  function schedule(work: () => Promise<void>, delay: number): void {
    if (stopped) return
    timer = setTimeout(() => {
      current = work()
    }, delay)
  }

  async function run({ agenda: { name, repository } }: Backend): Promise<Running> {
    // Loaded on demand: web processes do not need it.
    const { Agenda } = await import('agenda')
    const agenda = new Agenda({
      backend: {
        name,
        repository: createScheduleRepository(repository, onError),
        ownsConnection: false,
        connect: async () => {},
        disconnect: async () => {},
      },
      processEvery: POLL_INTERVAL_MS,
      logging: false,
    })
    agenda.on('error', onError)
    agenda.on('fail', onError)
    const idle = trackRuns(agenda, onError)
    const limits = { concurrency: 1, lockLimit: 1, lockLifetime: LOCK_LIFETIME_MS, backoff: () => RETRY_INTERVAL_MS }
    for (const { name } of recurring) agenda.define(name, job => enqueue(job.attrs), limits)
    await register(agenda)
    await agenda.start()
    return { agenda, idle }
  }

  async function enqueue(job: JobParameters): Promise<void> {
    await onTime(job.name)
    // Agenda would repeat a run whose time could not be saved. The next check saves it.
    await saveTimes([job]).catch(onError)
  }

  /** Adds jobs that the back end doesn't know or has lost. Others keep their next run. */
  async function register(agenda: Agenda): Promise<ReadonlyMap<string, JobParameters>> {
    const { jobs } = await agenda.queryJobs()
    const known = new Map<string, JobParameters>(jobs.map(job => [job.name, job]))
    for (const { name, every = '' } of recurring) {
      const interval = intervalOf(every)
      const job = known.get(name)
      const hasTime = isReachable(job?.nextRunAt, interval)
      if (hasTime && String(job?.repeatInterval) === String(interval)) continue
      const options = { timezone: 'UTC', ...(!hasTime && { startDate: firstRun(interval) }) }
      known.set(name, (await agenda.every(interval, name, {}, options)).attrs)
    }
    await saveTimes(recurring.flatMap(({ name }) => known.get(name) ?? []))
    return known
  }

  async function saveTimes(jobs: readonly JobParameters[]): Promise<void> {
    const times = jobs.flatMap(({ name, nextRunAt }): [string, Date][] => (nextRunAt ? [[name, nextRunAt]] : []))
    const changed = times.filter(([name, time]) => savedTimes.get(name) !== time.getTime())
    if (changed.length === 0) return
    await saveNextRuns(new Map(changed))
    for (const [name, time] of changed) savedTimes.set(name, time.getTime())
  }

  /** Compares the schedule with what ran, in any process. A job that is overdue at two checks in a row is stuck. */
  async function check(): Promise<void> {
    try {
      if (!backend || !running) return
      const jobs = await register(running.agenda)
      outage.end()
      const before = overdue
      overdue = new Map(recurring.flatMap(({ name }) => overdueSince(jobs.get(name))))
      const stuck = [...overdue].filter(([name, since]) => before.get(name) === since).map(([name]) => name)
      if (stuck.length > 0) await restart(backend, running, stuck, jobs)
    } catch (error) {
      onError(error)
    } finally {
      schedule(check, CHECK_INTERVAL_MS)
    }
  }

  async function restart(
    on: Backend,
    { agenda }: Running,
    stuck: readonly string[],
    jobs: ReadonlyMap<string, JobParameters>,
  ): Promise<void> {
    log.warn({ jobs: stuck }, 'recurring jobs did not run at their time; the scheduler starts again')
    await agenda.stop(false)
    await on.agenda.repository.unlockJobs(stuck.flatMap(name => jobs.get(name)?._id ?? []))
    running = await run(on)
  }

  return {
    async start(jobs) {
      recurring = jobs.filter(({ every }) => every !== undefined)
      if (recurring.length === 0) return
      current = open()
      await current
    },
    async stop() {
      stopped = true
      clearTimeout(timer)
      await current
      const { agenda, idle } = running ?? {}
      running = undefined
      await agenda?.stop(false).catch(onError)
      await idle?.()
      await backend?.close()
      backend = undefined
    },
  }
}

/** `5s` → milliseconds; a cron expression stays as it is. */
const intervalOf = (every: string): string | number => (/\s/.test(every) ? every : milliseconds(every))

const firstRun = (interval: string | number): Date =>
  new Date(Date.now() + (typeof interval === 'string' ? 0 : Math.min(interval, FIRST_RUN_DELAY_MS)))

/** False if the clock went back after the job was scheduled. */
const isReachable = (nextRunAt: Date | null | undefined, interval: string | number): boolean =>
  nextRunAt != null && (typeof interval === 'string' || nextRunAt.getTime() <= Date.now() + interval + OVERDUE_MS)

/** The name and time of the job, if it is overdue. */
function overdueSince(job: JobParameters | undefined): [name: string, time: number][] {
  const time = job?.nextRunAt?.getTime()
  return job && time !== undefined && time + OVERDUE_MS < Date.now() ? [[job.name, time]] : []
}

function trackRuns(agenda: Agenda, onError: (error: unknown) => void): Running['idle'] {
  let active = 0
  agenda.on('start', () => active++)
  agenda.on('complete', () => active--)
  return async () => {
    const signal = AbortSignal.timeout(STOP_GRACE_MS)
    while (active > 0 && !signal.aborted) await once(agenda, 'complete', { signal }).catch(onError)
  }
}
