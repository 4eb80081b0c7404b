/**
 * Statements that store the results of attempts. They have no effect if another process has claimed the host, or stored an
 * attempt, meanwhile. A delivery whose endpoint was paused or deleted during the attempt is dead already; it remains so
 * unless the attempt succeeded.
 */
import { type Clock, type Step, statementTime } from '@larder-dev/larder/kernel'
import { type ClaimedDelivery, MAX_LOGGED_ATTEMPTS } from '../domain/delivery.ts'
import type { AttemptResult } from '../domain/retry-schedule.ts'
import type { HttpResult } from './http-client.ts'

export interface RecordedAttempt {
  readonly delivery: Pick<ClaimedDelivery, 'id' | 'host' | 'attempts' | 'failures' | 'endpoint_id'>
  /** Milliseconds since 1970. */
  readonly at: number
  readonly duration: number
  readonly outcome: HttpResult
  readonly result: AttemptResult
}

/** Whether the process `$2` holds the host. A subquery, so that PostgreSQL looks up one row whatever it knows of the table. */
const holds = (host: string): string => `(select l.claimed_by from webhooks_host_leases l where l.host = ${host}) = $2`

/** The attempts of the delivery `d`, with one more: its time, duration, status, error and response. */
const logWith = (at: string, duration: string, status: string, error: string, answer: string): string =>
  `case when jsonb_array_length(d.attempt_log) < ${MAX_LOGGED_ATTEMPTS} then d.attempt_log else d.attempt_log - 0 end
    || jsonb_build_object('number', d.attempts + 1, 'at', ${at}, 'duration_ms', ${duration}, 'status', ${status},
      'error', ${error}, 'answer', ${answer})`

/**
 * A retry goes to the current URL of the endpoint, which may have changed since the claim. There is none if the endpoint
 * was paused or deleted meanwhile.
 */
const RECORD_ATTEMPT = `
  with endpoint as (
    select e.*, case when e.id is null then 'deleted' when e.status = 'paused' then 'paused' end as stopped
    from (select 1) one left join webhooks_endpoints e on e.id = $13
    where $3 = 'pending' and $13::text is not null
  )
  update webhooks_deliveries d
  set status = case when $3 = 'pending' and (e.stopped is not null or d.status = 'dead') then 'dead' else $3 end,
    reason = case when $3 <> 'pending' then $4 else coalesce(e.stopped, d.reason) end,
    next_attempt_at = case when $3 = 'pending' and e.stopped is null and d.status <> 'dead'
      then coalesce($16::timestamptz, statement_timestamp()) + $5::float8 * interval '1 millisecond' end,
    failures = $6, attempts = d.attempts + 1, response_status = $7::integer, error = $8::text,
    delivered_at = case when $3 = 'delivered' then $9::timestamptz end, updated_at = $9,
    url = coalesce(e.url, d.url), host = coalesce(e.host, d.host), address = coalesce(e.address, d.address),
    attempt_log = ${logWith('$10::text', '$11::integer', '$7::integer', '$8::text', '$12::text')}
  from (select 1) one left join endpoint e on true
  where d.id = $1 and d.attempts = $14 and ${holds('$15')}`

/** The same for all deliveries of a batch that succeeded: one statement costs the server a fraction of one for each. */
const RECORD_DELIVERED = `
  with attempt as materialized (
    select * from unnest($1::text[], $3::text[], $4::integer[], $5::integer[], $6::integer[], $7::timestamptz[],
      $8::text[], $9::integer[], $10::text[])
      as a (id, host, attempts, failures, response_status, delivered_at, at, duration_ms, answer)
    where ${holds('a.host')}
  )
  update webhooks_deliveries d
  set status = 'delivered', reason = null, next_attempt_at = null, failures = a.failures, attempts = d.attempts + 1,
    response_status = a.response_status, error = null, delivered_at = a.delivered_at, updated_at = a.delivered_at,
    attempt_log = ${logWith('a.at', 'a.duration_ms', 'a.response_status', 'null', 'a.answer')}
  from attempt a where d.id = a.id and d.attempts = a.attempts`

function attemptValues(
  { delivery, at, duration, outcome, result }: RecordedAttempt,
  processId: string,
  clock: Clock,
): unknown[] {
  const now = at + duration
  const { status } = result
  return [
    delivery.id,
    processId,
    status,
    status === 'dead' ? result.reason : null,
    status === 'pending' ? result.delay : null,
    status === 'delivered' ? delivery.failures : delivery.failures + 1,
    outcome.status,
    outcome.error,
    new Date(now),
    new Date(at).toISOString(),
    duration,
    outcome.answer,
    delivery.endpoint_id,
    delivery.attempts,
    delivery.host,
    statementTime(clock),
  ]
}

const isDelivered = ({ result, outcome }: RecordedAttempt): boolean =>
  result.status === 'delivered' && outcome.error === null

function deliveredValues(attempts: readonly RecordedAttempt[], processId: string): unknown[] {
  const finishedAt = ({ at, duration }: RecordedAttempt) => new Date(at + duration).toISOString()
  return [
    attempts.map(({ delivery }) => delivery.id),
    processId,
    attempts.map(({ delivery }) => delivery.host),
    attempts.map(({ delivery }) => delivery.attempts),
    attempts.map(({ delivery }) => delivery.failures),
    attempts.map(({ outcome }) => outcome.status),
    attempts.map(finishedAt),
    attempts.map(({ at }) => new Date(at).toISOString()),
    attempts.map(({ duration }) => duration),
    attempts.map(({ outcome }) => outcome.answer),
  ]
}

/** If `attempts` has two of the same delivery, the first is stored. */
export function recordSteps(attempts: readonly RecordedAttempt[], processId: string, clock: Clock): Step[] {
  const first = new Map(attempts.toReversed().map(attempt => [attempt.delivery.id, attempt]))
  const delivered = attempts.filter(attempt => isDelivered(attempt) && first.get(attempt.delivery.id) === attempt)
  const others = attempts.filter(attempt => !delivered.includes(attempt))
  return [
    ...(delivered.length > 0 ? [[RECORD_DELIVERED, deliveredValues(delivered, processId)] as const] : []),
    ...others.map(attempt => [RECORD_ATTEMPT, attemptValues(attempt, processId, clock)] as const),
  ]
}
