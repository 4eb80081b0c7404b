/** Runs the jobs that are due in this process: leased in batches, each with its timeout, retried, dead at the end. */
import type { Logger } from 'pino'
import { withContext } from '../context.ts'
import type { Job } from '../contract.ts'
import type { OpenDatabase } from '../database/open.ts'
import { createLanes } from '../events/lanes.ts'
import type { Clock } from '../ports.ts'
import { SECOND } from '../units.ts'
import { done, failed, type LeasedJob, lease, NEXT_DUE, TIMEOUT } from './leases.ts'

export interface RunnerOptions {
  readonly db: OpenDatabase
  readonly jobs: readonly Job[]
  readonly log: Logger
  readonly clock: Clock
  /** Jobs at a time in this process; 32. */
  readonly width?: number
}
export interface Runner {
  start(): Promise<void>
  /** Something may be due. */
  wake(): void
  /** Takes nothing new, aborts what runs and waits for it; what does not end in ten seconds comes back by its lease. */
  stop(): Promise<void>
}

const CHANNEL = 'larder_jobs'
const POLL = 1 * SECOND
const GRACE = 10 * SECOND
const CONCURRENCY = 10
/** Timers longer than this are left to the poll. */
const FAR = 60 * SECOND

export function createRunner({ db, jobs, log, clock, width = 32 }: RunnerOptions): Runner {
  const byName = new Map<string, Job>(jobs.map(job => [job.name, job]))
  const running = new Map<string, { name: string; abort: AbortController; ended: Promise<void> }>()
  const queue = () => db.database.system('jobs are run for every tenant')
  let unlisten: (() => Promise<void>) | undefined
  let alarm: NodeJS.Timeout | undefined

  function room(): { job: Job; places: number }[] {
    const free = width - running.size
    const busy = (name: string) => [...running.values()].filter(other => other.name === name).length
    return [...byName.values()]
      .map(job => ({ job, places: Math.min(free, (job.concurrency ?? CONCURRENCY) - busy(job.name)) }))
      .filter(({ places }) => places > 0)
  }

  /** True where the claim was as large as it could be: there is probably more. */
  async function claim(): Promise<boolean> {
    const open = room()
    if (open.length === 0) return false
    const { rows } = await queue().query<LeasedJob>(...(lease(open, clock.now()) as [string, unknown[]]))
    for (const row of rows) begin(row)
    if (rows.length === 0) await setAlarm()
    return rows.length > 0
  }

  async function setAlarm(): Promise<void> {
    const { rows } = await queue().query<{ at: Date | null }>(NEXT_DUE)
    const wait = (rows[0]?.at?.getTime() ?? Number.POSITIVE_INFINITY) - clock.now()
    clearTimeout(alarm)
    if (wait > 0 && wait < FAR) alarm = setTimeout(lanes.wake, wait).unref()
  }

  function begin(row: LeasedJob): void {
    const job = byName.get(row.name) as Job
    const abort = new AbortController()
    const ended = run(job, row, abort).finally(() => {
      running.delete(row.id)
      lanes.wake()
    })
    running.set(row.id, { name: row.name, abort, ended })
  }

  async function run(job: Job, row: LeasedJob, abort: AbortController): Promise<void> {
    let step: ReturnType<typeof done>
    try {
      await inTime(job, row, abort)
      step = done(row, clock.now())
    } catch (error) {
      log.warn({ err: error, job: row.id, name: row.name, attempt: row.attempts }, 'a job failed')
      step = failed(row, job, error, clock.now())
    }
    try {
      await queue().query(...(step as [string, unknown[]]))
    } catch (error) {
      log.warn({ err: error, job: row.id, name: row.name }, 'a job could not be marked: it comes back by its lease')
    }
  }

  async function inTime(job: Job, row: LeasedJob, abort: AbortController): Promise<void> {
    const { timeout = TIMEOUT } = job
    const context = { signal: abort.signal, attempt: row.attempts, jobId: row.id, tenantId: row.tenant_id }
    const timer = setTimeout(() => abort.abort(new Error(`it took longer than ${timeout / SECOND} s`)), timeout)
    const aborted = new Promise<never>((_, reject) => {
      abort.signal.addEventListener('abort', () => reject(abort.signal.reason), { once: true })
    })
    aborted.catch(() => {})
    try {
      const actor = { kind: 'system', id: row.id } as const
      await Promise.race([withContext({ actor }, () => job.run(row.data as never, context)), aborted])
    } finally {
      clearTimeout(timer)
    }
  }

  const lanes = createLanes({ width: 1, poll: POLL, log, work: claim })
  return {
    wake: lanes.wake,
    async start() {
      unlisten = await db.listen(CHANNEL, lanes.wake, lanes.wake)
      lanes.start()
    },
    async stop() {
      await lanes.stop()
      clearTimeout(alarm)
      const patience = new Promise(resolve => setTimeout(resolve, GRACE).unref())
      for (const { abort } of running.values()) abort.abort(new Error('the process stops'))
      await Promise.race([Promise.all([...running.values()].map(({ ended }) => ended)), patience])
      await unlisten?.()
    },
  }
}
