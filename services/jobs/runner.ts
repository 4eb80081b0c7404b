/** Runs due jobs in this process: leases them in batches, applies timeouts, and retries failures. */
import { tracingChannel } from 'node:diagnostics_channel'
import { type Clock, type Job, SECOND, type Step, type SystemDatabase, withContext } from '@larder-dev/larder/kernel'
import type { Logger } from 'pino'
import {
  BY_PERSON,
  BY_TENANT,
  complete,
  DEFAULT_TIMEOUT_MS,
  expire,
  fail,
  type LeasedJob,
  lease,
  leaseInTurn,
  RENEW_INTERVAL_MS,
  release,
  renew,
  selectExpired,
} from './leases.ts'
import type { Postgres } from './postgres.ts'
import { createShares, NO_TENANT, type Room, type TurnRoom } from './shares.ts'

export interface RunnerOptions {
  readonly db: Pick<Postgres, 'listen' | 'createWorkerLoop'>
  readonly systemDatabase: SystemDatabase
  readonly jobs: readonly Job[]
  readonly log: Logger
  readonly clock: Clock
  /** Concurrent jobs in this process; 32 by default. */
  readonly maxConcurrent?: number
  /** Whether customers take turns, as in a product of people. */
  readonly byPerson?: boolean
}
export interface Runner {
  start(): Promise<void>
  /** Leases nothing new, waits for running jobs and then aborts them. The lease of a job that ignores the abort expires. */
  stop(): Promise<void>
}

interface Run {
  readonly row: LeasedJob
  readonly abort: AbortController
  readonly ended: Promise<void>
}

/** docs/observability.md */
const runs = tracingChannel<unknown, { job: TracedJob }>('larder.jobs.run')
interface TracedJob {
  readonly id: string
  readonly name: string
  readonly attempt: number
  readonly tenantId: string | null
  readonly traceparent: string | undefined
}

const CHANNEL = 'larder_jobs'
const POLL_MS = 1 * SECOND
/** How long a stop waits for running jobs, first to end and then to react to the abort. */
const STOP_GRACE_MS = 3 * SECOND
const STOPPING = new Error('the process stops')

export function createRunner(options: RunnerOptions): Runner {
  const { db, systemDatabase, jobs, log, clock, maxConcurrent = 32, byPerson = false } = options
  const turns = byPerson ? BY_PERSON : BY_TENANT
  const byName = new Map<string, Job>(jobs.map(job => [job.name, job]))
  const outgoing = jobs.flatMap(job => (job.outgoing ? [job.name] : []))
  const running = new Map<string, Run>()
  const shares = createShares([...byName.values()], undefined, byPerson)
  const query = <Row>([text, values]: Step) =>
    systemDatabase.acrossTenants('jobs of every tenant run').query<Row>(text, values)
  let unlisten: (() => Promise<void>) | undefined
  let renewals: NodeJS.Timeout | undefined

  /** Returns true if there are probably more jobs. */
  async function claim(): Promise<boolean> {
    const rows = [...running.values()].map(({ row }) => row)
    const { oldest, inTurn } = shares.rooms(rows, maxConcurrent - running.size)
    const tookTurns = await claimInTurn(inTurn)
    return (await claimOldest(oldest)) || tookTurns
  }

  const free = () => maxConcurrent - running.size
  async function claimOldest(rooms: readonly Room[]): Promise<boolean> {
    if (rooms.length === 0 || free() === 0) return false
    const { rows } = await query<LeasedJob>(lease(rooms, free(), clock, turns, outgoing))
    shares.tookOldest(rooms, rows)
    for (const row of rows) startRun(row)
    return rows.length > 0
  }
  async function claimInTurn(rooms: readonly TurnRoom[]): Promise<boolean> {
    if (rooms.length === 0) return false
    const { rows } = await query<LeasedJob>(leaseInTurn(rooms, free(), clock, turns, outgoing))
    for (const row of rows) startRun(row)
    return shares.tookInTurn(rooms, rows)
  }

  function startRun(row: LeasedJob): void {
    const abort = new AbortController()
    const ended = run(row, byName.get(row.name) as Job, abort).finally(() => {
      running.delete(row.id)
      loop.wake()
    })
    running.set(row.id, { row, abort, ended })
  }

  async function run(row: LeasedJob, job: Job, abort: AbortController): Promise<void> {
    try {
      const execute = () => runWithTimeout(job, row, abort)
      await (runs.hasSubscribers ? runs.tracePromise(execute, { job: tracedJob(row) }) : execute())
      await saveOutcome(row, complete(row, clock))
    } catch (error) {
      if (error === STOPPING) return saveOutcome(row, release(row, clock))
      log.warn({ err: error, job: row.id, name: row.name, attempt: row.attempts }, 'a job failed')
      await saveOutcome(row, fail(row, job, error, clock))
    }
  }

  async function saveOutcome(row: LeasedJob, step: Step): Promise<void> {
    try {
      // Retried once: a job with the same key may have been enqueued concurrently; the second try sees it.
      await query(step).catch(() => query(step))
    } catch (error) {
      log.warn(
        { err: error, job: row.id, name: row.name },
        'the outcome of a job could not be saved; it runs again after its lease expires',
      )
    }
  }

  /** Renews the leases of running jobs and releases expired ones of other processes. */
  async function maintainLeases(): Promise<void> {
    if (running.size > 0) {
      const held = [...running.values()]
      const { rows } = await query<{ id: string }>(renew(held.map(({ row }) => row)))
      const renewed = new Set(rows.map(({ id }) => id))
      for (const { row, abort } of held)
        if (!renewed.has(row.id)) abort.abort(new Error('the lease expired while the database was unavailable'))
    }
    const { rows } = await query<LeasedJob>(selectExpired([...byName.keys()]))
    for (const row of rows) await saveOutcome(row, expire(row, byName.get(row.name) as Job, clock))
    if (rows.length > 0) loop.wake()
  }

  const loop = db.createWorkerLoop({ concurrency: 1, pollMs: POLL_MS, log, work: claim })
  return {
    async start() {
      unlisten = await db.listen(CHANNEL, loop.wake, loop.wake)
      loop.start()
      const onError = (error: unknown) => log.debug({ err: error }, 'leases could not be renewed')
      renewals = setInterval(() => maintainLeases().catch(onError), RENEW_INTERVAL_MS)
    },
    async stop() {
      await loop.stop()
      await waitForRuns(STOP_GRACE_MS, [...running.values()])
      for (const { abort } of running.values()) abort.abort(STOPPING)
      await waitForRuns(STOP_GRACE_MS, [...running.values()])
      clearInterval(renewals)
      await unlisten?.()
    },
  }
}

async function waitForRuns(milliseconds: number, runs: readonly Run[]): Promise<void> {
  const settled = new AbortController()
  const timeout = new Promise<void>(resolve => {
    const timer = setTimeout(resolve, milliseconds)
    settled.signal.addEventListener('abort', () => clearTimeout(timer))
  })
  await Promise.race([Promise.all(runs.map(({ ended }) => ended)), timeout])
  settled.abort()
}

const tracedJob = ({ id, name, attempts, tenant_id, context }: LeasedJob): TracedJob => ({
  id,
  name,
  attempt: attempts,
  tenantId: tenant_id,
  traceparent: context.traceparent,
})

/** Undefined for a job of a tenant or of none. */
const personOf = ({ share, tenant_id: tenantId }: LeasedJob): string | undefined =>
  share && share !== (tenantId ?? NO_TENANT) ? share : undefined

async function runWithTimeout(job: Job, row: LeasedJob, abort: AbortController): Promise<void> {
  const { timeout = DEFAULT_TIMEOUT_MS } = job
  const timer = setTimeout(() => abort.abort(new Error(`the job took longer than ${timeout / SECOND} s`)), timeout)
  const aborted = new Promise<never>((_, reject) => {
    abort.signal.addEventListener('abort', () => reject(abort.signal.reason), { once: true })
  })
  const { correlationId, causationId, depth } = row.context
  const jobContext = { signal: abort.signal, attempt: row.attempts, jobId: row.id, tenantId: row.tenant_id }
  const run = () => job.run(row.data as never, jobContext)
  try {
    const actor = { kind: 'system', id: row.id } as const
    const context = { actor, correlationId, causationId, depth, share: personOf(row) }
    await Promise.race([withContext(context, run), aborted])
  } finally {
    clearTimeout(timer)
  }
}
