/** One attempt of one handler at one event, inside the transaction of a batch. */
import { type Actor, SECOND, withContext } from 'larder/kernel'
import type { Logger } from 'pino'
import type { SystemTransaction } from '../postgres/open.ts'
import { Abandoned } from '../postgres/scope.ts'
import type { AnyEvent, Outcome } from './deliveries.ts'

export interface RelayHandler {
  /** Stands in the deliveries table: it never changes. */
  readonly handler: string
  readonly event: string
  /** Others may be under way in the same transaction. */
  readonly together?: boolean
  run(event: never): Promise<void>
}
export interface Attempt {
  readonly event: AnyEvent
  readonly handler: string
  /** This one included. */
  readonly attempts: number
}
export interface Attempts {
  /** Nothing that was begun here is known to end its connection. */
  trusting(): boolean
  /** @throws what failed: then nothing of the batch counts, and nothing of it is written down. */
  plainly(unit: SystemTransaction, attempt: Attempt): Promise<Outcome>
  /** In a savepoint of its own. @throws what ended the whole transaction: then nothing of the batch counts. */
  guarded(unit: SystemTransaction, attempt: Attempt): Promise<Outcome>
}

const RELAY: Actor = { kind: 'system', id: 'relay' }
/** A connection that is lost once or twice is the weather; three times at the same place, it is the handler. */
const SUSPECT = 3
/** Of handlers that lost their connection and were then done by another process. */
const MOST_SUSPECTS = 1000

export function createAttempts(handlers: readonly RelayHandler[], patience: number, log: Logger): Attempts {
  const byName = new Map(handlers.map(handler => [handler.handler, handler]))
  /** How often in a row the transaction was lost while this handler had this event. */
  const losses = new Map<string, number>()

  async function run({ event, handler }: Attempt): Promise<void> {
    const found = byName.get(handler)
    if (!found) throw new Error(`no module of this recipe has the handler '${handler}' any more`)
    const context = { actor: RELAY, causationId: event.id, correlationId: event.correlationId ?? undefined }
    await withContext(context, () => inTime(found.run(event as never), patience))
  }

  function lost(place: string): void {
    if (losses.size >= MOST_SUSPECTS) losses.clear()
    losses.set(place, (losses.get(place) ?? 0) + 1)
  }

  async function guarded(unit: SystemTransaction, attempt: Attempt): Promise<Outcome> {
    const { event, handler, attempts } = attempt
    const place = `${event.id} ${handler}`
    try {
      if ((losses.get(place) ?? 0) >= SUSPECT) throw new Error('its transaction was lost each time it ran')
      await unit.savepoint(() => run(attempt))
      losses.delete(place)
      return attempt
    } catch (error) {
      // Whatever the handler says of the database: the transaction stands where it takes a statement.
      await unit.query('select 1').catch(gone => {
        lost(place)
        throw gone
      })
      losses.delete(place)
      log.warn({ err: error, event: event.id, type: event.type, handler, attempts }, 'a handler failed')
      return { ...attempt, error: error ?? new Error('it threw nothing') }
    }
  }

  async function plainly(unit: SystemTransaction, attempt: Attempt): Promise<Outcome> {
    await unit.part(() => run(attempt))
    return attempt
  }
  return { trusting: () => losses.size === 0, plainly, guarded }
}

async function inTime(work: Promise<void>, patience: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Abandoned(`the handler took longer than ${patience / SECOND} s`)), patience)
  })
  try {
    await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}
