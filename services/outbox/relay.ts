/**
 * The relay: takes events from the outbox to their handlers. A batch is one transaction, so an effect and the mark that
 * it is done commit together. As long as all goes well that is all there is to it. A batch in which anything fails is
 * undone as a whole and begun again with a savepoint for each attempt, so that one handler's failure undoes nothing else.
 */
import { type Clock, createLanes, type Lanes, SECOND, type Step } from 'larder/kernel'
import type { Logger } from 'pino'
import type { OpenDatabase, SystemTransaction } from '../postgres/open.ts'
import { createAttempts, type RelayHandler } from './attempt.ts'
import { type AnyEvent, claimDue, claimEvents, markDispatched, type Outcome, record, toEvent } from './deliveries.ts'

export type { RelayHandler } from './attempt.ts'

export interface RelayOptions {
  readonly db: OpenDatabase
  readonly handlers: readonly RelayHandler[]
  readonly log: Logger
  readonly clock: Clock
  /** Batches at a time, each on a connection of its own; 4. */
  readonly lanes?: number
  /** Attempts in one transaction; 50. More savepoints than 60 would outgrow PostgreSQL's cache of subtransactions. */
  readonly batch?: number
  /** Milliseconds that a handler may take; 10 s. What takes longer is a job: PostgreSQL ends what idles for 15 s. */
  readonly patience?: number
}
interface Delivered {
  readonly outcomes: readonly Outcome[]
  /** Ids of the events whose every handler had its attempt. */
  readonly dispatched: readonly string[]
}
type Way = (unit: SystemTransaction, events: readonly AnyEvent[]) => Promise<Delivered>
export interface Relay {
  start(): Promise<void>
  /** Takes nothing new and finishes what is under way. */
  stop(): Promise<void>
}

const CHANNEL = 'larder_events'
const POLL = 1 * SECOND
/** Where one handler fails more will: so many batches have savepoints then. */
const CAREFUL = 20

export function createRelay({ db, handlers, log, clock, ...limits }: RelayOptions): Relay {
  const { lanes: width = 4, batch = 50, patience = 10 * SECOND } = limits
  const byEvent = new Map<string, RelayHandler[]>()
  for (const handler of handlers) byEvent.set(handler.event, [...(byEvent.get(handler.event) ?? []), handler])
  const attempts = createAttempts(handlers, patience, log)
  let unlisten: (() => Promise<void>) | undefined

  /** Room for the events whose every handler gets its attempt in this transaction. */
  const share = Math.max(1, Math.floor(batch / Math.max(1, ...[...byEvent.values()].map(list => list.length))))

  /** A batch that a stop meets ends after the event in hand: the rest is for others. */
  let stopping = false

  /** Batches that are still to have savepoints. */
  let careful = 0

  async function fresh(): Promise<number> {
    if (careful === 0 && attempts.trusting())
      try {
        return await deliver(atOnce)
      } catch {
        // Whatever it was shows again, and is told, where each attempt stands for itself.
        careful = CAREFUL
      }
    if (careful > 0) careful--
    return deliver(oneByOne)
  }

  async function deliver(run: Way): Promise<number> {
    return db.systemTransaction('the relay delivers the events of every tenant', async unit => {
      const { rows } = await claimEvents(unit, share)
      const { outcomes, dispatched } = await run(unit, rows.map(toEvent))
      await mark(unit, outcomes, dispatched)
      return rows.length
    })
  }

  async function oneByOne(unit: SystemTransaction, events: readonly AnyEvent[]): Promise<Delivered> {
    const dispatched: string[] = []
    const outcomes: Outcome[] = []
    for (const event of events) {
      if (stopping) break
      for (const { handler } of byEvent.get(event.type) ?? [])
        outcomes.push(await attempts.guarded(unit, { event, handler, attempts: 1 }))
      dispatched.push(event.id)
    }
    return { outcomes, dispatched }
  }

  /** Whatever fails undoes the batch, so what may be under way together is. */
  async function atOnce(unit: SystemTransaction, events: readonly AnyEvent[]): Promise<Delivered> {
    const dispatched: string[] = []
    const outcomes: Promise<Outcome>[] = []
    for (const event of events) {
      if (stopping) break
      for (const { handler, together } of byEvent.get(event.type) ?? []) {
        if (!together) await Promise.all(outcomes)
        const outcome = attempts.plainly(unit, { event, handler, attempts: 1 })
        outcomes.push(outcome)
        if (!together) await outcome
      }
      dispatched.push(event.id)
    }
    return { outcomes: await Promise.all(outcomes), dispatched }
  }

  async function due(): Promise<number> {
    return db.systemTransaction('the relay tries again what failed', async unit => {
      const { rows } = await claimDue(unit, clock.now(), batch)
      const outcomes: Outcome[] = []
      for (const row of rows) {
        if (stopping) break
        const { handler } = row
        outcomes.push(await attempts.guarded(unit, { event: toEvent(row), handler, attempts: row.attempts + 1 }))
      }
      await mark(unit, outcomes, [])
      return rows.length
    })
  }

  async function mark(
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

  const lanes: Lanes = createLanes({ width, poll: POLL, log, work: async () => (await fresh()) >= share })
  const retries: Lanes = createLanes({ width: 1, poll: POLL, log, work: async () => (await due()) >= batch })
  return {
    async start() {
      unlisten = await db.listen(CHANNEL, lanes.wake, lanes.wake)
      lanes.start()
      retries.start()
    },
    async stop() {
      stopping = true
      await Promise.all([lanes.stop(), retries.stop()])
      await unlisten?.()
    },
  }
}
