/** Runs the jobs that are due in this process: leased in batches, each with its timeout, retried, dead at the end. */
import { type Clock, createLanes, type Job, SECOND, type Step, withContext } from 'larder/kernel'
import type { Logger } from 'pino'
import type { OpenDatabase } from '../postgres/open.ts'
import { done, expired, failed, giveBack, type LeasedJob, lease, lost, RENEW_EVERY, renew, TIMEOUT } from './leases.ts'

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
  /** Takes nothing new, lets what runs end, then aborts it; what does not heed that comes back by its lease. */
  stop(): Promise<void>
}

interface Run {
  readonly row: LeasedJob
  readonly abort: AbortController
  readonly ended: Promise<void>
}

const CHANNEL = 'larder_jobs'
const POLL = 1 * SECOND
const CONCURRENCY = 10
/** What runs at a stop may end by itself, and then has this long to heed the abort. */
const GRACE = 3 * SECOND
const STOPPING = new Error('the process stops')

export function createRunner({ db, jobs, log, clock, width = 32 }: RunnerOptions): Runner {
  const byName = new Map<string, Job>(jobs.map(job => [job.name, job]))
  const running = new Map<string, Run>()
  const query = <Row>([text, values]: Step) =>
    db.database.system('jobs are run for every tenant').query<Row>(text, values)
  let unlisten: (() => Promise<void>) | undefined
  let renewals: NodeJS.Timeout | undefined

  /** Places of each name. Together they are more than are free: whoever has waited longest gets those. */
  function room(): { job: Job; places: number }[] {
    const busy = (name: string) => [...running.values()].filter(({ row }) => row.name === name).length
    return [...byName.values()]
      .map(job => ({ job, places: (job.concurrency ?? CONCURRENCY) - busy(job.name) }))
      .filter(({ places }) => places > 0)
  }

  /** True where something came: there is probably more. */
  async function claim(): Promise<boolean> {
    const open = room()
    const free = width - running.size
    if (open.length === 0 || free <= 0) return false
    const { rows } = await query<LeasedJob>(lease(open, free, clock.now()))
    for (const row of rows) begin(row)
    return rows.length > 0
  }

  function begin(row: LeasedJob): void {
    const abort = new AbortController()
    const ended = run(row, byName.get(row.name) as Job, abort).finally(() => {
      running.delete(row.id)
      lanes.wake()
    })
    running.set(row.id, { row, abort, ended })
  }

  async function run(row: LeasedJob, job: Job, abort: AbortController): Promise<void> {
    try {
      await inTime(job, row, abort)
      await mark(row, done(row, clock.now()))
    } catch (error) {
      if (error === STOPPING) return mark(row, giveBack(row))
      log.warn({ err: error, job: row.id, name: row.name, attempt: row.attempts }, 'a job failed')
      await mark(row, failed(row, job, error, clock.now()))
    }
  }

  async function mark(row: LeasedJob, step: Step): Promise<void> {
    try {
      // The second time: one of the same key has begun to wait in between, and now the statement sees it.
      await query(step).catch(() => query(step))
    } catch (error) {
      log.warn({ err: error, job: row.id, name: row.name }, 'a job could not be marked: it comes back by its lease')
    }
  }

  /** Keeps what runs, and takes up what others lost. */
  async function tend(): Promise<void> {
    if (running.size > 0) {
      const held = [...running.values()]
      const { rows } = await query<{ id: string }>(renew(held.map(({ row }) => row)))
      const kept = new Set(rows.map(({ id }) => id))
      for (const { row, abort } of held)
        if (!kept.has(row.id)) abort.abort(new Error('its lease ran out while the database was away'))
    }
    const { rows } = await query<LeasedJob>(expired([...byName.keys()]))
    for (const row of rows) await mark(row, lost(row, byName.get(row.name) as Job, clock.now()))
    if (rows.length > 0) lanes.wake()
  }

  const lanes = createLanes({ width: 1, poll: POLL, log, work: claim })
  return {
    async start() {
      unlisten = await db.listen(CHANNEL, lanes.wake, lanes.wake)
      lanes.start()
      const onError = (error: unknown) => log.debug({ err: error }, 'leases could not be renewed')
      renewals = setInterval(() => tend().catch(onError), RENEW_EVERY)
    },
    async stop() {
      await lanes.stop()
      await within(GRACE, [...running.values()])
      for (const { abort } of running.values()) abort.abort(STOPPING)
      await within(GRACE, [...running.values()])
      clearInterval(renewals)
      await unlisten?.()
    },
  }
}

async function within(milliseconds: number, runs: readonly Run[]): Promise<void> {
  const late = new AbortController()
  const patience = new Promise<void>(resolve => {
    const timer = setTimeout(resolve, milliseconds)
    late.signal.addEventListener('abort', () => clearTimeout(timer))
  })
  await Promise.race([Promise.all(runs.map(({ ended }) => ended)), patience])
  late.abort()
}

async function inTime(job: Job, row: LeasedJob, abort: AbortController): Promise<void> {
  const { timeout = TIMEOUT } = job
  const timer = setTimeout(() => abort.abort(new Error(`it took longer than ${timeout / SECOND} s`)), timeout)
  const aborted = new Promise<never>((_, reject) => {
    abort.signal.addEventListener('abort', () => reject(abort.signal.reason), { once: true })
  })
  const { correlationId, causationId } = row.context
  const facts = { signal: abort.signal, attempt: row.attempts, jobId: row.id, tenantId: row.tenant_id }
  const run = () => job.run(row.data as never, facts)
  try {
    const context = { actor: { kind: 'system', id: row.id }, correlationId, causationId } as const
    await Promise.race([withContext(context, run), aborted])
  } finally {
    clearTimeout(timer)
  }
}
