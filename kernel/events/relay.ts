/**
 * The relay: takes events from the outbox to their handlers. A batch is one transaction with a savepoint for each
 * attempt, so an effect and the mark that it is done commit together, and one handler's failure undoes nothing else.
 */
import type { Logger } from 'pino'
import { withContext } from '../context.ts'
import type { OpenDatabase, SystemTransaction } from '../database/open.ts'
import type { Actor, Clock } from '../ports.ts'
import { Problem } from '../problem.ts'
import { SECOND } from '../units.ts'
import { type AnyEvent, claimDue, claimEvents, markDispatched, type Outcome, record, toEvent } from './deliveries.ts'
import { createLanes, type Lanes } from './lanes.ts'

export interface RelayHandler {
  /** Stands in the deliveries table: it never changes. */
  readonly handler: string
  readonly event: string
  run(event: never): Promise<void>
}
export interface RelayOptions {
  readonly db: OpenDatabase
  readonly handlers: readonly RelayHandler[]
  readonly log: Logger
  readonly clock: Clock
  /** Batches at a time, each on a connection of its own; 4. */
  readonly lanes?: number
  /** Attempts in one transaction; 50. More than 60 would outgrow PostgreSQL's cache of subtransactions. */
  readonly batch?: number
  /** Milliseconds that a handler may take; 30 s. What takes longer is a job. */
  readonly patience?: number
}
export interface Relay {
  start(): Promise<void>
  /** Takes nothing new and finishes what is under way. */
  stop(): Promise<void>
}

interface Attempt {
  readonly event: AnyEvent
  readonly handler: string
  readonly attempts: number
}

const CHANNEL = 'larder_events'
const POLL = 1 * SECOND
const RELAY: Actor = { kind: 'system', id: 'relay' }

export function createRelay({ db, handlers, log, clock, ...limits }: RelayOptions): Relay {
  const { lanes: width = 4, batch = 50, patience = 30 * SECOND } = limits
  const byEvent = new Map<string, RelayHandler[]>()
  for (const handler of handlers) byEvent.set(handler.event, [...(byEvent.get(handler.event) ?? []), handler])
  const byName = new Map(handlers.map(handler => [handler.handler, handler]))
  let unlisten: (() => Promise<void>) | undefined

  /** Room for the events whose every handler gets its attempt in this transaction. */
  const share = Math.max(1, Math.floor(batch / Math.max(1, ...[...byEvent.values()].map(list => list.length))))

  async function fresh(): Promise<number> {
    return db.systemTransaction('the relay delivers the events of every tenant', async unit => {
      const { rows } = await claimEvents(unit, share)
      if (rows.length === 0) return 0
      const attempts = rows
        .map(toEvent)
        .flatMap(event => (byEvent.get(event.type) ?? []).map(({ handler }) => ({ event, handler, attempts: 1 })))
      const outcomes = await attemptAll(unit, attempts)
      const now = clock.now()
      const marks = [
        markDispatched(
          rows.map(({ id }) => id),
          now,
        ),
      ]
      await unit.batch(outcomes.length > 0 ? [record(outcomes, now), ...marks] : marks)
      return rows.length
    })
  }

  async function due(): Promise<number> {
    return db.systemTransaction('the relay tries again what failed', async unit => {
      const { rows } = await claimDue(unit, clock.now(), batch)
      if (rows.length === 0) return 0
      const attempts = rows.map(row => ({ event: toEvent(row), handler: row.handler, attempts: row.attempts + 1 }))
      await unit.batch([record(await attemptAll(unit, attempts), clock.now())])
      return rows.length
    })
  }

  async function attemptAll(unit: SystemTransaction, attempts: readonly Attempt[]): Promise<Outcome[]> {
    const outcomes: Outcome[] = []
    for (const attempt of attempts) outcomes.push(await tryOnce(unit, attempt))
    return outcomes
  }

  async function tryOnce(unit: SystemTransaction, attempt: Attempt): Promise<Outcome> {
    const { event, handler } = attempt
    const context = {
      actor: RELAY,
      causationId: event.id,
      ...(event.correlationId && { correlationId: event.correlationId }),
    }
    try {
      const found = byName.get(handler)
      if (!found) throw new Error(`no module of this recipe has the handler '${handler}' any more`)
      await unit.savepoint(() => withContext(context, () => inTime(found.run(event as never), patience)))
      return attempt
    } catch (error) {
      // The database is away: nothing of this batch counts, and nobody has failed.
      if (Problem.is(error) && error.status === 503) throw error
      log.warn(
        { err: error, event: event.id, type: event.type, handler, attempts: attempt.attempts },
        'a handler failed',
      )
      return { ...attempt, error }
    }
  }

  const lanes: Lanes = createLanes({ width, poll: POLL, log, work: async () => (await fresh()) >= share })
  const retries: Lanes = createLanes({ width: 1, poll: POLL, log, work: async () => (await due()) >= batch })
  return {
    async start() {
      unlisten = await db.listen(CHANNEL, lanes.wake, lanes.wake)
      lanes.start()
      retries.start()
    },
    async stop() {
      await Promise.all([lanes.stop(), retries.stop()])
      await unlisten?.()
    },
  }
}

async function inTime(work: Promise<void>, patience: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`the handler took longer than ${patience / SECOND} s`)), patience)
  })
  try {
    await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}
