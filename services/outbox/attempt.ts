/** Attempts to deliver events to a handler, in the transaction of a batch. */
import { tracingChannel } from 'node:diagnostics_channel'
import { type Actor, HandlerTimeout, SECOND, withContext } from '@larder-dev/larder/kernel/internal'
import type { Logger } from 'pino'
import type { AnyEvent, Outcome } from './deliveries.ts'
import type { SystemTransaction } from './postgres.ts'

export interface RelayHandler {
  /** Stored in the deliveries table, so it must never change. */
  readonly handler: string
  readonly event: string
  /** May run at the same time as other attempts in the same transaction. */
  readonly concurrent?: boolean
  /** Takes an array of events. */
  readonly batch?: boolean
  run(event: never): Promise<void>
}
export interface Attempt {
  readonly event: AnyEvent
  readonly handler: string
  /** Including this one. */
  readonly attempts: number
}
export interface Attempts {
  /** False while a handler is suspected of ending its connection: then each attempt needs a savepoint. */
  canBatch(): boolean
  /** The first attempt for each event, in one call. @throws the error of the handler, which fails the whole batch. */
  runInBatch(unit: SystemTransaction, handler: RelayHandler, events: readonly AnyEvent[]): Promise<Outcome[]>
  /** Runs in a savepoint, so a failure becomes an outcome. @throws if the whole transaction is lost. */
  runInSavepoint(unit: SystemTransaction, attempt: Attempt): Promise<Outcome>
}

/** docs/observability.md */
const deliveries = tracingChannel<unknown, { handler: string; events: readonly AnyEvent[] }>('larder.outbox.delivery')

const RELAY: Actor = { kind: 'system', id: 'relay' }
/** After three lost connections for one event and handler, the handler is at fault. */
const MAX_CONNECTION_LOSSES = 3
/** Bounds the memory for losses whose delivery another process has completed since. */
const MAX_TRACKED_LOSSES = 1000

export function createAttempts(handlers: readonly RelayHandler[], timeoutMs: number, log: Logger): Attempts {
  const byName = new Map(handlers.map(handler => [handler.handler, handler]))
  /** Consecutive lost transactions by event and handler. */
  const losses = new Map<string, number>()

  function find(handler: string): RelayHandler {
    const found = byName.get(handler)
    if (!found) throw new Error(`no module of this recipe has the handler '${handler}'`)
    return found
  }

  async function run(handler: RelayHandler, events: readonly AnyEvent[]): Promise<void> {
    const [event, ...others] = events
    const cause = others.length === 0 ? event : undefined
    const context = {
      actor: RELAY,
      causationId: cause?.id,
      correlationId: cause?.correlationId ?? undefined,
      depth: Math.max(...events.map(({ depth }) => depth)),
      share: event?.share,
    }
    const deliver = () =>
      withContext(context, () => runWithTimeout(handler.run((handler.batch ? events : event) as never), timeoutMs))
    await (deliveries.hasSubscribers
      ? deliveries.tracePromise(deliver, { handler: handler.handler, events })
      : deliver())
  }

  function recordLoss(key: string): void {
    if (losses.size >= MAX_TRACKED_LOSSES) losses.clear()
    losses.set(key, (losses.get(key) ?? 0) + 1)
  }

  async function runInSavepoint(unit: SystemTransaction, attempt: Attempt): Promise<Outcome> {
    const { event, handler, attempts } = attempt
    const key = `${event.id} ${handler}`
    try {
      if ((losses.get(key) ?? 0) >= MAX_CONNECTION_LOSSES) throw new Error('its transaction was lost in each attempt')
      await unit.savepoint(() => run(find(handler), [event]))
      losses.delete(key)
      return attempt
    } catch (error) {
      // Whatever error the handler reports, the transaction is intact if it accepts a statement.
      await unit.query('select 1').catch(gone => {
        recordLoss(key)
        throw gone
      })
      losses.delete(key)
      log.warn({ err: error, event: event.id, type: event.type, handler, attempts }, 'a handler failed')
      return { ...attempt, error: error ?? new Error('the handler threw undefined') }
    }
  }

  async function runInBatch(
    unit: SystemTransaction,
    handler: RelayHandler,
    events: readonly AnyEvent[],
  ): Promise<Outcome[]> {
    await unit.nested(() => run(handler, events))
    return events.map(event => ({ event, handler: handler.handler, attempts: 1 }))
  }
  return { canBatch: () => losses.size === 0, runInBatch, runInSavepoint }
}

async function runWithTimeout(work: Promise<void>, timeoutMs: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new HandlerTimeout(`the handler took longer than ${timeoutMs / SECOND} s`)),
      timeoutMs,
    )
  })
  try {
    await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}
