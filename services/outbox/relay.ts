/**
 * The relay: takes events from the outbox to their handlers. A batch is one transaction, so an effect and the mark that
 * it is done commit together. As long as all goes well that is all there is to it. A batch in which anything fails is
 * undone as a whole and begun again with a savepoint for each attempt, so that one handler's failure undoes nothing else.
 */
import { type Clock, createWorkerLoop, SECOND, type Step, type WorkerLoop } from 'larder/kernel'
import type { Logger } from 'pino'
import { createAttempts, type RelayHandler } from './attempt.ts'
import { type AnyEvent, claimDue, claimEvents, markDispatched, type Outcome, record, toEvent } from './deliveries.ts'
import type { Postgres, SystemTransaction } from './postgres.ts'

export type { RelayHandler } from './attempt.ts'

export interface RelayOptions {
  readonly db: Postgres
  readonly handlers: readonly RelayHandler[]
  readonly log: Logger
  readonly clock: Clock
  /** Batches at a time, each on a connection of its own; 4. */
  readonly concurrency?: number
  /** Attempts in one transaction; 50. More savepoints than 60 would outgrow PostgreSQL's cache of subtransactions. */
  readonly batchSize?: number
  /** Milliseconds that a handler may take; 10 s. What takes longer is a job: PostgreSQL ends what idles for 15 s. */
  readonly handlerTimeoutMs?: number
}
interface Delivered {
  readonly outcomes: readonly Outcome[]
  /** Ids of the events whose every handler had its attempt. */
  readonly dispatched: readonly string[]
}
type DeliveryStrategy = (unit: SystemTransaction, events: readonly AnyEvent[]) => Promise<Delivered>
export interface Relay {
  start(): Promise<void>
  /** Takes nothing new and finishes what is under way. */
  stop(): Promise<void>
}

const CHANNEL = 'larder_events'
const POLL_MS = 1 * SECOND
/** Where one handler fails more will: so many batches have savepoints then. */
const SAVEPOINT_BATCHES = 20

export function createRelay({ db, handlers, log, clock, ...limits }: RelayOptions): Relay {
  const { concurrency = 4, batchSize = 50, handlerTimeoutMs = 10 * SECOND } = limits
  const byEvent = new Map<string, RelayHandler[]>()
  for (const handler of handlers) byEvent.set(handler.event, [...(byEvent.get(handler.event) ?? []), handler])
  const attempts = createAttempts(handlers, handlerTimeoutMs, log)
  let unlisten: (() => Promise<void>) | undefined

  /** Room for the events whose every handler gets its attempt in this transaction. */
  const eventsPerBatch = Math.max(
    1,
    Math.floor(batchSize / Math.max(1, ...[...byEvent.values()].map(list => list.length))),
  )

  /** A batch that a stop meets ends after the event in hand: the rest is for others. */
  let stopping = false

  /** Batches that are still to have savepoints. */
  let savepointBatches = 0

  async function deliverNew(): Promise<number> {
    if (savepointBatches === 0 && attempts.canBatch())
      try {
        return await deliver(deliverConcurrently)
      } catch {
        // Whatever it was shows again, and is told, where each attempt stands for itself.
        savepointBatches = SAVEPOINT_BATCHES
      }
    if (savepointBatches > 0) savepointBatches--
    return deliver(deliverWithSavepoints)
  }

  async function deliver(run: DeliveryStrategy): Promise<number> {
    return db.systemTransaction('the relay delivers the events of every tenant', async unit => {
      const { rows } = await claimEvents(unit, eventsPerBatch)
      const { outcomes, dispatched } = await run(unit, rows.map(toEvent))
      await saveOutcomes(unit, outcomes, dispatched)
      return rows.length
    })
  }

  async function deliverWithSavepoints(unit: SystemTransaction, events: readonly AnyEvent[]): Promise<Delivered> {
    const dispatched: string[] = []
    const outcomes: Outcome[] = []
    for (const event of events) {
      if (stopping) break
      for (const { handler } of byEvent.get(event.type) ?? [])
        outcomes.push(await attempts.runInSavepoint(unit, { event, handler, attempts: 1 }))
      dispatched.push(event.id)
    }
    return { outcomes, dispatched }
  }

  /** Whatever fails undoes the batch, so what may be under way together is. */
  async function deliverConcurrently(unit: SystemTransaction, events: readonly AnyEvent[]): Promise<Delivered> {
    const dispatched: string[] = []
    const outcomes: Promise<Outcome>[] = []
    for (const event of events) {
      if (stopping) break
      for (const { handler, concurrent } of byEvent.get(event.type) ?? []) {
        if (!concurrent) await Promise.all(outcomes)
        const outcome = attempts.runInBatch(unit, { event, handler, attempts: 1 })
        outcomes.push(outcome)
        if (!concurrent) await outcome
      }
      dispatched.push(event.id)
    }
    return { outcomes: await Promise.all(outcomes), dispatched }
  }

  async function retryDue(): Promise<number> {
    return db.systemTransaction('the relay tries again what failed', async unit => {
      const { rows } = await claimDue(unit, clock.now(), batchSize)
      const outcomes: Outcome[] = []
      for (const row of rows) {
        if (stopping) break
        const { handler } = row
        outcomes.push(await attempts.runInSavepoint(unit, { event: toEvent(row), handler, attempts: row.attempts + 1 }))
      }
      await saveOutcomes(unit, outcomes, [])
      return rows.length
    })
  }

  async function saveOutcomes(
    unit: SystemTransaction,
    outcomes: readonly Outcome[],
    dispatched: readonly string[],
  ): Promise<void> {
    const now = clock.now()
    const steps: Step[] = []
    if (outcomes.length > 0) steps.push(record(outcomes, now))
    if (dispatched.length > 0) steps.push(markDispatched(dispatched, now))
    await unit.batch(steps)
  }

  const deliveryLoop: WorkerLoop = createWorkerLoop({
    concurrency,
    pollMs: POLL_MS,
    log,
    work: async () => (await deliverNew()) >= eventsPerBatch,
  })
  const retryLoop: WorkerLoop = createWorkerLoop({
    concurrency: 1,
    pollMs: POLL_MS,
    log,
    work: async () => (await retryDue()) >= batchSize,
  })
  return {
    async start() {
      unlisten = await db.listen(CHANNEL, deliveryLoop.wake, deliveryLoop.wake)
      deliveryLoop.start()
      retryLoop.start()
    },
    async stop() {
      stopping = true
      await Promise.all([deliveryLoop.stop(), retryLoop.stop()])
      await unlisten?.()
    },
  }
}
