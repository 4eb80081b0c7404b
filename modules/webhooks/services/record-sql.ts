/** Statements that store the results of attempts. They have no effect on rows that another process has claimed. */
import type { Step } from 'larder/kernel'
import type { AttemptResult } from '../domain/retry-schedule.ts'
import type { HttpResult } from './http-client.ts'

export interface RecordedAttempt {
  readonly delivery: { readonly id: string; readonly failures: number; readonly endpoint_id: string | null }
  /** Milliseconds since 1970. */
  readonly at: number
  readonly duration: number
  readonly outcome: HttpResult
  readonly result: AttemptResult
}

/**
 * A retry goes to the current URL of the endpoint, which may have changed since the claim. There is none if the endpoint
 * was paused or deleted meanwhile.
 */
const RECORD_ATTEMPT = `
  with endpoint as (
    select e.*, case when e.id is null then 'deleted' when e.status = 'paused' then 'paused' end as stopped
    from (select 1) one left join webhooks_endpoints e on e.id = $13
    where $3 = 'pending' and $13::text is not null
  ), done as (
    update webhooks_deliveries d
    set status = case when e.stopped is null then $3 else 'dead' end, reason = coalesce(e.stopped, $4),
      next_attempt_at = case when e.stopped is null then $5::timestamptz end,
      failures = $6, attempts = attempts + 1, claimed_by = null, response_status = $7, error = $8,
      delivered_at = case when $3 = 'delivered' then $9::timestamptz end, updated_at = $9,
      url = coalesce(e.url, d.url), host = coalesce(e.host, d.host), address = coalesce(e.address, d.address)
    from (select 1) one left join endpoint e on true
    where d.id = $1 and d.claimed_by = $2 and d.status = 'pending' returning d.tenant_id, d.id, d.attempts
  )
  insert into webhooks_attempts (tenant_id, delivery_id, number, at, duration_ms, status, error, answer)
  select tenant_id, id, attempts, $10, $11, $7, $8, $12 from done`

/**
 * The same for all deliveries of a batch that succeeded: one statement costs the server a fraction of one for each.
 * `status || ''` keeps PostgreSQL from reading the whole partial index of pending deliveries.
 */
const RECORD_DELIVERED = `
  with attempt as materialized (
    select * from unnest($2::text[], $3::integer[], $4::integer[], $5::timestamptz[], $6::timestamptz[], $7::integer[],
      $8::text[]) as a (id, failures, response_status, delivered_at, at, duration_ms, answer)
  ), done as (
    update webhooks_deliveries d
    set status = 'delivered', reason = null, next_attempt_at = null, failures = a.failures, attempts = d.attempts + 1,
      claimed_by = null, response_status = a.response_status, error = null, delivered_at = a.delivered_at,
      updated_at = a.delivered_at
    from attempt a where d.id = a.id and d.claimed_by = $1 and d.status || '' = 'pending'
    returning d.tenant_id, d.id, d.attempts
  )
  insert into webhooks_attempts (tenant_id, delivery_id, number, at, duration_ms, status, error, answer)
  select done.tenant_id, done.id, done.attempts, a.at, a.duration_ms, a.response_status, null, a.answer
  from done join attempt a on a.id = done.id`

function attemptValues({ delivery, at, duration, outcome, result }: RecordedAttempt, processId: string): unknown[] {
  const now = at + duration
  const { status } = result
  return [
    delivery.id,
    processId,
    status,
    status === 'dead' ? result.reason : null,
    status === 'pending' ? new Date(now + result.delay) : null,
    status === 'delivered' ? delivery.failures : delivery.failures + 1,
    outcome.status,
    outcome.error,
    new Date(now),
    new Date(at),
    duration,
    outcome.answer,
    delivery.endpoint_id,
  ]
}

const isDelivered = ({ result, outcome }: RecordedAttempt): boolean =>
  result.status === 'delivered' && outcome.error === null

function deliveredValues(attempts: readonly RecordedAttempt[], processId: string): unknown[] {
  const finishedAt = ({ at, duration }: RecordedAttempt) => new Date(at + duration).toISOString()
  return [
    processId,
    attempts.map(({ delivery }) => delivery.id),
    attempts.map(({ delivery }) => delivery.failures),
    attempts.map(({ outcome }) => outcome.status),
    attempts.map(finishedAt),
    attempts.map(({ at }) => new Date(at).toISOString()),
    attempts.map(({ duration }) => duration),
    attempts.map(({ outcome }) => outcome.answer),
  ]
}

/** Of two attempts of a delivery, the first is stored. */
export function recordSteps(attempts: readonly RecordedAttempt[], processId: string): Step[] {
  const first = new Map(attempts.toReversed().map(attempt => [attempt.delivery.id, attempt]))
  const delivered = attempts.filter(attempt => isDelivered(attempt) && first.get(attempt.delivery.id) === attempt)
  const others = attempts.filter(attempt => !delivered.includes(attempt))
  return [
    ...(delivered.length > 0 ? [[RECORD_DELIVERED, deliveredValues(delivered, processId)] as const] : []),
    ...others.map(attempt => [RECORD_ATTEMPT, attemptValues(attempt, processId)] as const),
  ]
}
