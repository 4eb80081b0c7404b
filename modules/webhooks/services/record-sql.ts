/**
 * Statements that store the results of attempts. They have no effect if another process has claimed the host, or stored an
 * attempt, meanwhile. A delivery whose endpoint was paused or deleted during the attempt is dead already; it remains so
 * unless the attempt succeeded.
 */
import { type Clock, type Step, statement, statementTime } from '@larder-dev/larder/kernel'
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

/** Whether the process `$processId` holds the host. A subquery, so that PostgreSQL looks up one row whatever it knows of the table. */
const holds = (host: string): string =>
  `(select l.claimed_by from webhooks_host_leases l where l.host = ${host}) = $processId`

/** The attempts of the delivery `d`, with one more: its time, duration, status, error and response. */
const logWith = (at: string, duration: string, status: string, error: string, answer: string): string =>
  `case when jsonb_array_length(d.attempt_log) < ${MAX_LOGGED_ATTEMPTS} then d.attempt_log else d.attempt_log - 0 end
    || jsonb_build_object('number', d.attempts + 1, 'at', ${at}, 'duration_ms', ${duration}, 'status', ${status},
      'error', ${error}, 'answer', ${answer})`

/**
 * A retry goes to the current URL of the endpoint, which may have changed since the claim. There is none if the endpoint
 * was paused or deleted meanwhile.
 */
const RECORD_ATTEMPT = statement(`
  with endpoint as (
    select e.*, case when e.id is null then 'deleted' when e.status = 'paused' then 'paused' end as stopped
    from (select 1) one left join webhooks_endpoints e on e.id = $endpointId
    where $status = 'pending' and $endpointId::text is not null
  )
  update webhooks_deliveries d
  set status = case when $status = 'pending' and (e.stopped is not null or d.status = 'dead') then 'dead' else $status end,
    reason = case when $status <> 'pending' then $reason else coalesce(e.stopped, d.reason) end,
    next_attempt_at = case when $status = 'pending' and e.stopped is null and d.status <> 'dead'
      then coalesce($statementTime::timestamptz, statement_timestamp()) + $delay::float8 * interval '1 millisecond' end,
    failures = $failures, attempts = d.attempts + 1, response_status = $responseStatus::integer, error = $error::text,
    delivered_at = case when $status = 'delivered' then $now::timestamptz end, updated_at = $now,
    url = coalesce(e.url, d.url), host = coalesce(e.host, d.host), address = coalesce(e.address, d.address),
    attempt_log = ${logWith('$at::text', '$duration::integer', '$responseStatus::integer', '$error::text', '$answer::text')}
  from (select 1) one left join endpoint e on true
  where d.id = $id and d.attempts = $attempts and ${holds('$host')}`)

/** The same for all deliveries of a batch that succeeded: one statement costs the server a fraction of one for each. */
const RECORD_DELIVERED = statement(`
  with attempt as materialized (
    select * from unnest($ids::text[], $hosts::text[], $attempts::integer[], $failures::integer[], $responseStatuses::integer[], $deliveredAt::timestamptz[],
      $at::text[], $durations::integer[], $answers::text[])
      as a (id, host, attempts, failures, response_status, delivered_at, at, duration_ms, answer)
    where ${holds('a.host')}
  )
  update webhooks_deliveries d
  set status = 'delivered', reason = null, next_attempt_at = null, failures = a.failures, attempts = d.attempts + 1,
    response_status = a.response_status, error = null, delivered_at = a.delivered_at, updated_at = a.delivered_at,
    attempt_log = ${logWith('a.at', 'a.duration_ms', 'a.response_status', 'null', 'a.answer')}
  from attempt a where d.id = a.id and d.attempts = a.attempts`)

function recordAttempt(
  { delivery, at, duration, outcome, result }: RecordedAttempt,
  processId: string,
  clock: Clock,
): Step {
  const { status } = result
  return RECORD_ATTEMPT({
    id: delivery.id,
    processId,
    status,
    reason: status === 'dead' ? result.reason : null,
    delay: status === 'pending' ? result.delay : null,
    failures: status === 'delivered' ? delivery.failures : delivery.failures + 1,
    responseStatus: outcome.status,
    error: outcome.error,
    now: new Date(at + duration),
    at: new Date(at).toISOString(),
    duration,
    answer: outcome.answer,
    endpointId: delivery.endpoint_id,
    attempts: delivery.attempts,
    host: delivery.host,
    statementTime: statementTime(clock),
  })
}

const isDelivered = ({ result, outcome }: RecordedAttempt): boolean =>
  result.status === 'delivered' && outcome.error === null

function recordDelivered(attempts: readonly RecordedAttempt[], processId: string): Step {
  const finishedAt = ({ at, duration }: RecordedAttempt) => new Date(at + duration).toISOString()
  return RECORD_DELIVERED({
    ids: attempts.map(({ delivery }) => delivery.id),
    processId,
    hosts: attempts.map(({ delivery }) => delivery.host),
    attempts: attempts.map(({ delivery }) => delivery.attempts),
    failures: attempts.map(({ delivery }) => delivery.failures),
    responseStatuses: attempts.map(({ outcome }) => outcome.status),
    deliveredAt: attempts.map(finishedAt),
    at: attempts.map(({ at }) => new Date(at).toISOString()),
    durations: attempts.map(({ duration }) => duration),
    answers: attempts.map(({ outcome }) => outcome.answer),
  })
}

/** If `attempts` has two of the same delivery, the first is stored. */
export function recordSteps(attempts: readonly RecordedAttempt[], processId: string, clock: Clock): Step[] {
  const first = new Map(attempts.toReversed().map(attempt => [attempt.delivery.id, attempt]))
  const delivered = attempts.filter(attempt => isDelivered(attempt) && first.get(attempt.delivery.id) === attempt)
  const others = attempts.filter(attempt => !delivered.includes(attempt))
  return [
    ...(delivered.length > 0 ? [recordDelivered(delivered, processId)] : []),
    ...others.map(attempt => recordAttempt(attempt, processId, clock)),
  ]
}
