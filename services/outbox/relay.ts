/**
 * The relay: delivers events from the outbox to their handlers. A batch is one transaction, so the effects of a handler
 * commit together with the record of the delivery. If anything in a batch fails, the batch is rolled back and repeated
 * with a savepoint per attempt, so that a failing handler does not undo the others.
 */
import { type Clock, SECOND, type Step } from '@larder-dev/larder/kernel'
import type { Logger } from 'pino'
import { createAttempts, type RelayHandler } from './attempt.ts'
import {
  type AnyEvent,
  claimDue,
  claimEvents,
  EVENT_COLUMNS,
  markDispatched,
  type Outcome,
  record,
  SHARED_EVENT_COLUMNS,
  toEvent,
} from './deliveries.ts'
import type { Postgres, SystemTransaction } from './postgres.ts'

export type { RelayHandler } from './attempt.ts'

export interface RelayOptions {
  readonly db: Postgres
  readonly handlers: readonly RelayHandler[]
  readonly log: Logger
  readonly clock: Clock
  /** Concurrent batches, each on its own connection; 4 by default. */
  readonly concurrency?: number
  /**
   * Attempts per transaction, not counting those of handlers that take arrays; 50 by default. More than 60 savepoints
   * exceed PostgreSQL's subtransaction cache.
   */
  readonly batchSize?: number
  /** Time limit of a handler; 10 s by default, below PostgreSQL's idle-in-transaction timeout of 15 s. */
  readonly handlerTimeoutMs?: number
  /** How often to look for due retries, and for events without a notification; 1 s by default. */
  readonly pollMs?: number
  /** Whether handlers run in the share of a customer, as in a product of people. */
  readonly byPerson?: boolean
}
interface Delivered {
  readonly outcomes: readonly Outcome[]
  /** Ids of the events for which every handler had its attempt. */
  readonly dispatched: readonly string[]
}
type DeliveryStrategy = (unit: SystemTransaction, events: readonly AnyEvent[]) => Promise<Delivered>
export interface Relay {
  start(): Promise<void>
  /** Claims nothing new and finishes the attempts in progress. */
  stop(): Promise<void>
}

const CHANNEL = 'larder_events'
/** Batches grow up to this many events while all their handlers take arrays. */
const MAX_BATCH_SIZE = 200
/** Batches with savepoints after a failure, since more failures are likely to follow. */
const SAVEPOINT_BATCHES = 20

export function createRelay({ db, handlers, log, clock, ...limits }: RelayOptions): Relay {
  const { concurrency = 4, batchSize = 50, handlerTimeoutMs = 10 * SECOND, pollMs = SECOND, byPerson = false } = limits
  const columns = byPerson ? SHARED_EVENT_COLUMNS : EVENT_COLUMNS
  const byEvent = new Map<string, RelayHandler[]>()
  for (const handler of handlers) byEvent.set(handler.event, [...(byEvent.get(handler.event) ?? []), handler])
  const attempts = createAttempts(handlers, handlerTimeoutMs, log)
  let unlisten: (() => Promise<void>) | undefined

  /** Ends a batch after the current event; other processes deliver the rest. */
  let stopping = false

  /** The number of coming batches that use savepoints. */
  let savepointBatches = 0

  /** Events that the next batch claims. */
  let claimSize = batchSize

  /** Resolves with true if more events are probably waiting. */
  async function deliverNew(): Promise<boolean> {
    if (savepointBatches === 0 && attempts.canBatch())
      try {
        return await deliver(deliverConcurrently, claimSize)
      } catch {
        // The repetition with savepoints reports the error.
        savepointBatches = SAVEPOINT_BATCHES
      }
    if (savepointBatches > 0) savepointBatches--
    return deliver(deliverWithSavepoints, batchSize)
  }

  async function deliver(run: DeliveryStrategy, limit: number): Promise<boolean> {
    return db.systemTransaction('the relay delivers events of every tenant', async unit => {
      const { rows } = await claimEvents(unit, limit, columns)
      const { outcomes, dispatched } = await run(unit, rows.map(toEvent))
      await saveOutcomes(unit, outcomes, dispatched)
      const isWhole = dispatched.length === rows.length
      if (!isWhole) claimSize = batchSize
      else if (rows.length >= claimSize) claimSize = Math.max(batchSize, Math.min(MAX_BATCH_SIZE, 2 * claimSize))
      return rows.length >= limit || !isWhole
    })
  }

  const handlersOf = ({ type }: AnyEvent): readonly RelayHandler[] => byEvent.get(type) ?? []

  /** Attempts for this event that need a separate call. */
  const callsFor = (event: AnyEvent): number => handlersOf(event).filter(({ batch }) => !batch).length

  /** Whether the attempts for an event would exceed the batch. A batch delivers at least one event. */
  const isFull = (count: number, more: number): boolean => count > 0 && count + more > batchSize

  async function deliverWithSavepoints(unit: SystemTransaction, events: readonly AnyEvent[]): Promise<Delivered> {
    const dispatched: string[] = []
    const outcomes: Outcome[] = []
    for (const event of events) {
      if (stopping || isFull(outcomes.length, handlersOf(event).length)) break
      for (const { handler } of handlersOf(event))
        outcomes.push(await attempts.runInSavepoint(unit, { event, handler, attempts: 1 }))
      dispatched.push(event.id)
    }
    return { outcomes, dispatched }
  }

  /** A failure rolls the whole batch back, so concurrent attempts need no savepoints. */
  async function deliverConcurrently(unit: SystemTransaction, events: readonly AnyEvent[]): Promise<Delivered> {
    const dispatched: string[] = []
    const runs: Promise<Outcome[]>[] = []
    const batches = new Map<RelayHandler, Map<string | undefined, AnyEvent[]>>()
    let count = 0
    for (const event of events) {
      const calls = callsFor(event)
      if (stopping || isFull(count, calls)) break
      count += calls
      for (const handler of handlersOf(event)) {
        if (handler.batch) {
          addTo(batches, handler, event)
          continue
        }
        if (!handler.concurrent) await Promise.all(runs)
        const run = attempts.runInBatch(unit, handler, [event])
        runs.push(run)
        if (!handler.concurrent) await run
      }
      dispatched.push(event.id)
    }
    for (const [handler, ofShares] of batches)
      for (const batch of ofShares.values()) runs.push(attempts.runInBatch(unit, handler, batch))
    const outcomes = await Promise.all(runs)
    return { outcomes: outcomes.flat(), dispatched }
  }

  async function retryDue(): Promise<number> {
    return db.systemTransaction('the relay retries failed deliveries of every tenant', async unit => {
      const { rows } = await claimDue(unit, clock, batchSize, columns)
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
    const steps: Step[] = []
    if (outcomes.length > 0) steps.push(record(outcomes, clock))
    if (dispatched.length > 0) steps.push(markDispatched(dispatched, clock.now()))
    // They travel with the commit.
    await unit.defer(steps)
  }

  const deliveryLoop = db.createWorkerLoop({
    concurrency,
    pollMs,
    log,
    work: deliverNew,
  })
  const retryLoop = db.createWorkerLoop({
    concurrency: 1,
    pollMs,
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

/** A call has one share. Events of products of teams have none. */
function addTo(
  batches: Map<RelayHandler, Map<string | undefined, AnyEvent[]>>,
  handler: RelayHandler,
  event: AnyEvent,
): void {
  const ofShares = batches.get(handler) ?? new Map<string | undefined, AnyEvent[]>()
  batches.set(handler, ofShares)
  const batch = ofShares.get(event.share)
  if (batch) batch.push(event)
  else ofShares.set(event.share, [event])
}
