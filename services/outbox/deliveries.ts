/** Statements of the relay on the outbox tables: claims, outcomes, retries and dead letters. */

import {
  type Clock,
  type EventEnvelope,
  HOUR,
  isSuspendedSql,
  newId,
  type Result,
  SECOND,
  type Step,
  statement,
  statementTime,
  type Unit,
} from '@larder-dev/larder/kernel'

export const MAX_ATTEMPTS = 10
/** In characters. */
const MAX_ERROR_LENGTH = 2000

/** Milliseconds before the next attempt after `failed` attempts: 10 s, 30 s, 90 s, …, at most one hour. */
export const retryDelay = (failed: number): number => Math.min(HOUR, 10 * SECOND * 3 ** (failed - 1))

export type AnyEvent = EventEnvelope<string, unknown> & {
  /** See `Context.share`. */
  readonly share?: string
}

export interface EventRow {
  id: string
  type: string
  version: number
  tenant_id: string
  occurred_at: Date
  actor: AnyEvent['actor']
  subject: string | null
  correlation_id: string | null
  causation_id: string | null
  depth: number
  traceparent: string | null
  payload: unknown
  /** Read in a product of people only. */
  share?: string | null
}
export const EVENT_COLUMNS = [
  'id',
  'type',
  'version',
  'tenant_id',
  'occurred_at',
  'actor',
  'subject',
  'correlation_id',
  'causation_id',
  'depth',
  'traceparent',
  'payload',
]
  .map(name => `e.${name}`)
  .join(', ')
/** In a product of people, where handlers run in the share of a customer. */
export const SHARED_EVENT_COLUMNS = `${EVENT_COLUMNS}, e.share`

/** An event as operators see it. */
export const toShownEvent = (row: EventRow): Omit<AnyEvent, 'depth' | 'share' | 'traceparent'> => ({
  id: row.id,
  type: row.type,
  version: row.version,
  tenantId: row.tenant_id,
  occurredAt: row.occurred_at.toISOString(),
  actor: row.actor,
  subject: row.subject,
  correlationId: row.correlation_id,
  causationId: row.causation_id,
  payload: row.payload,
})
export const toEvent = (row: EventRow): AnyEvent => ({
  ...toShownEvent(row),
  depth: row.depth,
  ...(row.traceparent && { traceparent: row.traceparent }),
  ...(row.share && { share: row.share }),
})

/** The result of one attempt of one handler for one event. */
export interface Outcome {
  readonly event: AnyEvent
  readonly handler: string
  /** Attempts so far, including this one. */
  readonly attempts: number
  /** Undefined after success. */
  readonly error?: unknown
}

/** Claims undispatched events, oldest first, except those of suspended tenants; locked until the transaction ends. */
export function claimEvents(unit: Unit, limit: number, columns: string): Promise<Result<EventRow>> {
  return unit.query<EventRow>(
    `select ${columns} from larder_events e where e.dispatched_at is null
       and not ${isSuspendedSql('e.tenant_id')}
     order by e.id limit $1 for update skip locked`,
    [limit],
  )
}

export interface DueRow extends EventRow {
  delivery_id: string
  handler: string
  attempts: number
}
/** Claims deliveries whose next attempt is due, except those of suspended tenants; locked until the transaction ends. */
export function claimDue(unit: Unit, clock: Clock, limit: number, columns: string): Promise<Result<DueRow>> {
  return unit.query<DueRow>(
    `select d.id as delivery_id, d.handler, d.attempts, ${columns}
     from larder_deliveries d join larder_events e on e.id = d.event_id
     where d.state = 'pending' and d.next_attempt_at <= coalesce($1::timestamptz, statement_timestamp())
       and not ${isSuspendedSql('d.tenant_id')}
     order by d.next_attempt_at limit $2 for update of d skip locked`,
    [statementTime(clock), limit],
  )
}

/** Marks events as dispatched: their deliveries hold the remaining attempts. */
export const markDispatched = (ids: readonly string[], now: number): Step => [
  'update larder_events set dispatched_at = $2 where id = any($1)',
  [ids, new Date(now).toISOString()],
]

const RECORD = statement(
  `insert into larder_deliveries (id, event_id, handler, tenant_id, state, attempts, next_attempt_at, last_error, done_at)
   select id, event_id, handler, tenant_id, state, attempts, now + delay * interval '1 millisecond', last_error,
     case when state = 'done' then now end
   from unnest($ids::text[], $eventIds::text[], $handlers::text[], $tenantIds::text[], $states::text[], $attempts::int[],
       $delays::float8[], $lastErrors::text[])
       as outcome (id, event_id, handler, tenant_id, state, attempts, delay, last_error),
     coalesce($now::timestamptz, statement_timestamp()) as now
   on conflict (event_id, handler) do update set state = excluded.state, attempts = excluded.attempts,
     next_attempt_at = excluded.next_attempt_at, last_error = excluded.last_error, done_at = excluded.done_at`,
)

/** Stores the outcomes of all attempts in one statement. */
export function record(outcomes: readonly Outcome[], clock: Clock): Step {
  const states = outcomes.map(stateOf)
  return RECORD({
    ids: outcomes.map(() => newId('dlv', clock.now())),
    eventIds: outcomes.map(({ event }) => event.id),
    handlers: outcomes.map(({ handler }) => handler),
    tenantIds: outcomes.map(({ event }) => event.tenantId),
    states: states.map(({ state }) => state),
    attempts: outcomes.map(({ attempts }) => attempts),
    delays: states.map(({ delay }) => delay),
    lastErrors: states.map(({ lastError }) => lastError),
    now: statementTime(clock),
  })
}

const DONE = { state: 'done', delay: null, lastError: null } as const

/** `delay`: milliseconds before the next attempt. */
function stateOf({ attempts, error }: Outcome) {
  if (error === undefined) return DONE
  const lastError = errorText(error)
  if (attempts >= MAX_ATTEMPTS) return { state: 'dead', delay: null, lastError }
  return { state: 'pending', delay: retryDelay(attempts), lastError }
}

/** PostgreSQL rejects NUL in text. */
const errorText = (error: unknown): string =>
  (error instanceof Error ? error.message || error.name : String(error)).replaceAll('\0', '').slice(0, MAX_ERROR_LENGTH)
