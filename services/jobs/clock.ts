/**
 * Agenda is the clock of what recurs: at its time, in one process, it puts a row into larder_jobs. It keeps nothing
 * that must not be lost, and it may be away: jobs that are queued run without it.
 */

import type { Agenda, AgendaBackend } from 'agenda'
import { type Job, milliseconds, SECOND } from 'larder/kernel'
import type { Logger } from 'pino'
import { type Backend, type BackendOptions, openBackend } from './backends.ts'

export interface AgendaClockOptions extends Omit<BackendOptions, 'onError'> {
  readonly log: Logger
  /** The time of a recurring job has come. */
  readonly onTime: (name: string) => Promise<void>
}
export interface AgendaClock {
  /** Resolves after the first try to reach the backend; further tries go on by themselves. */
  start(jobs: readonly Job[]): Promise<void>
  stop(): Promise<void>
}

/** Agenda locks what is due until its next look: a process that dies holds it for the lock's life at most. */
const LOOK_EVERY = 1 * SECOND
const LOCK_LIFE = 4 * SECOND
/** While the backend is away Agenda complains at every look. */
const TELL_EVERY = 10 * SECOND
const RETRY_EVERY = 2 * SECOND
/** What is under way at a stop is one insert. */
const GRACE = 2 * SECOND

interface Running {
  readonly agenda: Agenda
  readonly backend: Backend
  /** Resolves once nothing is under way. */
  readonly idle: () => Promise<void>
  readonly doubts: NodeJS.Timeout
}

export function createAgendaClock({ log, onTime, ...connection }: AgendaClockOptions): AgendaClock {
  const complain = throttled((error: unknown) => log.warn({ err: error }, 'the clock of recurring jobs is put off'))
  /** Something failed since the recurring jobs were last written down: the backend may have lost them. */
  let doubtful = false
  let running: Running | undefined
  let retry: NodeJS.Timeout | undefined
  let trying = Promise.resolve()
  let stopped = false

  function onError(error: unknown): void {
    doubtful = true
    if (!stopped) complain(error)
  }

  async function begin(recurring: readonly Job[]): Promise<void> {
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
        trying = begin(recurring)
      }, RETRY_EVERY)
    }
  }

  async function run(backend: Backend, recurring: readonly Job[]): Promise<Running> {
    // Loaded where it is used: a process that answers requests needs none of it.
    const { Agenda } = await import('agenda')
    const agenda = new Agenda({ backend: unfailing(backend.agenda, onError), processEvery: LOOK_EVERY, logging: false })
    agenda.on('error', onError)
    const idle = watch(agenda)
    const limits = { concurrency: 1, lockLimit: 1, lockLifetime: LOCK_LIFE }
    for (const { name } of recurring) agenda.define(name, () => onTime(name), limits)
    await writeDown(agenda, recurring)
    await agenda.start()
    const doubts = setInterval(() => {
      if (doubtful) writeDown(agenda, recurring).catch(onError)
    }, RETRY_EVERY)
    return { agenda, backend, idle, doubts }
  }

  /** What is written down already keeps its time. */
  async function writeDown(agenda: Agenda, recurring: readonly Job[]): Promise<void> {
    doubtful = false
    for (const { name, every = '' } of recurring) await agenda.every(intervalOf(every), name, {}, { timezone: 'UTC' })
  }

  return {
    async start(jobs) {
      const recurring = jobs.filter(({ every }) => every !== undefined)
      if (recurring.length === 0) return
      trying = begin(recurring)
      await trying
    },
    async stop() {
      stopped = true
      clearTimeout(retry)
      await trying
      const { agenda, backend, idle, doubts } = running ?? {}
      running = undefined
      clearInterval(doubts)
      await agenda?.stop(false).catch(onError)
      await idle?.()
      await backend?.close()
    },
  }
}

/** `5s` → milliseconds; a cron line stays one. */
const intervalOf = (every: string): string | number => (/\s/.test(every) ? every : milliseconds(every))

/**
 * Agenda forgets to catch two things, and either would end the process: a connection that fails in its constructor,
 * and a lock that it cannot give back. Its channel is left out: it looks every second anyway.
 */
function unfailing(backend: AgendaBackend, onError: (error: unknown) => void): AgendaBackend {
  const { repository } = backend
  const unlockJob: typeof repository.unlockJob = job => repository.unlockJob(job).catch(onError)
  return {
    name: backend.name,
    repository: Object.assign(Object.create(repository), { unlockJob }),
    ownsConnection: false,
    connect: async () => {},
    disconnect: async () => {},
  }
}

function watch(agenda: Agenda): Running['idle'] {
  let under = 0
  agenda.on('start', () => under++)
  agenda.on('complete', () => under--)
  return async () => {
    for (let waited = 0; under > 0 && waited < GRACE; waited += 20)
      await new Promise(resolve => setTimeout(resolve, 20))
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
