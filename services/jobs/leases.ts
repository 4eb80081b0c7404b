/** Statements of a worker on larder_jobs: lease, renew, complete, reschedule, and give up. */
import {
  type Clock,
  HOUR,
  IS_HELD_SQL,
  isSuspendedSql,
  type Job,
  SECOND,
  type Step,
  statementTime,
} from '@larder-dev/larder/kernel'
import { RECURRING_KEY } from './queue.ts'
import { NO_TENANT, type Room, type TurnRoom } from './shares.ts'

export const DEFAULT_TIMEOUT_MS = 30 * SECOND
const DEFAULT_MAX_ATTEMPTS = 10
const MAX_ERROR_LENGTH = 2000

/**
 * A job is taken over this long after its process died. Uses the database's clock, which all processes share. Longer than
 * a renewal and `idle_in_transaction_session_timeout` together: if its process is paused, the server has rolled back what
 * the job wrote before another worker takes it over.
 */
const LEASE = `now() + interval '20 seconds'`
export const RENEW_INTERVAL_MS = 2 * SECOND

export interface LeasedJob {
  id: string
  name: string
  tenant_id: string | null
  data: unknown
  context: { correlationId?: string; causationId?: string; depth?: number; traceparent?: string }
  key: string | null
  /** Including this one. */
  attempts: number
  /** Whose turn it was, in a product of people: a customer or the tenant. Null for a job of an earlier version. */
  share?: string | null
}
const COLUMNS = ['id', 'name', 'tenant_id', 'data', 'context', 'key', 'attempts'].map(name => `j.${name}`).join(', ')

/** Milliseconds before the next attempt. */
const defaultDelay = (failures: number): number => Math.min(HOUR, 10 * SECOND * 3 ** (failures - 1))

/**
 * Leases due jobs of these names, oldest first. Jobs of suspended tenants wait, and `outgoing` ones in an installation that was restored. The ids are an array, because a join of
 * unknown size makes PostgreSQL read the whole table.
 */
export function lease(
  room: readonly Room[],
  free: number,
  clock: Clock,
  { returned }: Turns = BY_TENANT,
  outgoing: readonly string[] = [],
): Step {
  return [
    `update larder_jobs j set state = 'running', attempts = j.attempts + 1, locked_until = ${LEASE},
       started_at = coalesce($1::timestamptz, statement_timestamp())
     where j.id = any(array(
       select due.id from unnest($2::text[], $3::int[]) as room (name, slots) cross join lateral (
         select id, run_at from larder_jobs where name = room.name and state = 'waiting'
           and run_at <= coalesce($1::timestamptz, statement_timestamp())
           and not ${isSuspendedSql('larder_jobs.tenant_id')}
           and not (room.name = any($5::text[]) and ${IS_HELD_SQL})
         order by run_at limit room.slots for update skip locked) due
       order by due.run_at limit $4))
     returning ${returned}`,
    [statementTime(clock), room.map(({ job }) => job.name), room.map(({ slots }) => slots), free, outgoing],
  ]
}

/** Whose turns jobs have. Both have an index. */
export interface Turns {
  readonly key: string
  readonly returned: string
}
export const BY_TENANT: Turns = { key: `coalesce(tenant_id, '${NO_TENANT}')`, returned: COLUMNS }
export const BY_PERSON: Turns = { key: 'share', returned: `${COLUMNS}, j.share` }

/**
 * Leases the oldest due job of each tenant or person in turn. The recursion reads one entry of the index for each of them
 * and ends with the last slot. Its depth is the number of those with waiting jobs, not the length of the backlog.
 */
export function leaseInTurn(
  room: readonly TurnRoom[],
  free: number,
  clock: Clock,
  { key, returned }: Turns = BY_TENANT,
  outgoing: readonly string[] = [],
): Step {
  const next = (after: string) => `select ${key} as tenant from larder_jobs
     where name = room.name and state = 'waiting' and ${key} > ${after} order by ${key} limit 1`
  const list = room.map(({ job, slots, after, without }) => ({ name: job.name, slots, after, without }))
  return [
    `update larder_jobs j set state = 'running', attempts = j.attempts + 1, locked_until = ${LEASE},
       started_at = coalesce($1::timestamptz, statement_timestamp())
     where j.id = any(array(
       select due.id from json_to_recordset($2::json) as room (name text, slots int, after text, without text[])
       cross join lateral (
         with recursive turn as (
           (${next('room.after')})
           union all
           select (${next('turn.tenant')}) from turn where turn.tenant is not null)
         select first.id from turn cross join lateral (
           select id from larder_jobs where name = room.name and ${key} = turn.tenant and state = 'waiting'
             and run_at <= coalesce($1::timestamptz, statement_timestamp())
             and not ${isSuspendedSql('larder_jobs.tenant_id')}
             and not (room.name = any($4::text[]) and ${IS_HELD_SQL})
           order by run_at limit 1 for update skip locked) first
         where turn.tenant <> all (room.without) limit room.slots) due
       limit $3))
     returning ${returned}`,
    [statementTime(clock), JSON.stringify(list), free, outgoing],
  ]
}

/** Jobs whose lease expired: their process died, or could not reach the database. */
export const selectExpired = (names: readonly string[]): Step => [
  `select ${COLUMNS} from larder_jobs j where j.state = 'running' and j.locked_until <= now() and j.name = any($1)
   limit 100`,
  [names],
]

/** Returns the ids of the leases that are still held. */
export const renew = (held: readonly LeasedJob[]): Step => [
  `update larder_jobs j set locked_until = ${LEASE} from unnest($1::text[], $2::int[]) as held (id, attempts)
   where j.id = held.id and j.attempts = held.attempts and j.state = 'running' returning j.id`,
  [held.map(({ id }) => id), held.map(({ attempts }) => attempts)],
]

/** Only the holder of the lease may change the job: the attempt number is the fencing token. */
const WHERE_HELD = `where id = $1 and attempts = $2 and state = 'running'`

export const complete = (row: LeasedJob, clock: Clock): Step => end(row, 'done', null, clock)

/** Reschedules the job, or marks it dead after the last attempt. A recurring job has its next run as next attempt. */
export function fail(row: LeasedJob, job: Job, error: unknown, clock: Clock): Step {
  if (row.key === RECURRING_KEY) return end(row, 'failed', error, clock)
  if (hasAttemptsLeft(row, job)) return reschedule(row, (job.backoff ?? defaultDelay)(row.attempts), error, clock)
  return end(row, 'dead', error, clock)
}

/** The last run of a recurring job that succeeded and the last one that failed remain. */
const end = (
  { id, attempts, key }: LeasedJob,
  state: 'done' | 'failed' | 'dead',
  error: unknown,
  clock: Clock,
): Step => {
  const ended = `update larder_jobs set state = '${state}', locked_until = null, last_error = $3,
    finished_at = coalesce($4::timestamptz, statement_timestamp()) ${WHERE_HELD}`
  return [
    key === RECURRING_KEY
      ? `with ended as (${ended} returning name) delete from larder_jobs j using ended
         where j.name = ended.name and j.key = '${RECURRING_KEY}' and j.state = '${state}'`
      : ended,
    [id, attempts, error === null ? null : errorText(error), statementTime(clock)],
  ]
}

const hasAttemptsLeft = ({ attempts }: LeasedJob, job: Job): boolean =>
  attempts < (job.attempts ?? DEFAULT_MAX_ATTEMPTS)

/**
 * Like `fail`, for a job whose lease expired. The first time, it keeps its place in the queue. Then it backs off, since
 * the job itself may crash its workers. The job's own `backoff` does not apply: it concerns the services that it calls.
 */
export const expire = (row: LeasedJob, job: Job, clock: Clock): Step => {
  const error = 'the worker was lost'
  if (!hasAttemptsLeft(row, job)) return unlessRenewed(fail(row, job, error, clock))
  const again = row.attempts === 1 || row.key === RECURRING_KEY
  return unlessRenewed(reschedule(row, again ? 'as before' : defaultDelay(row.attempts - 1), error, clock))
}
const unlessRenewed = ([text, values]: Step): Step => [
  text.replace(WHERE_HELD, `${WHERE_HELD} and locked_until <= now()`),
  values,
]

/** Returns the job when its process stops: another process runs it, and the attempt does not count. */
export const release = (row: LeasedJob, clock: Clock): Step =>
  reschedule(row, 'as before', null, clock, row.attempts - 1)

/**
 * If another job with the same key is waiting by now, it replaces this one.
 * @param delay milliseconds.
 */
const reschedule = (
  { id, attempts }: LeasedJob,
  delay: number | 'as before',
  error: unknown,
  clock: Clock,
  counted = attempts,
): Step => [
  `update larder_jobs j set locked_until = null, last_error = $3,
     run_at = coalesce(coalesce($6::timestamptz, statement_timestamp()) + $4::float8 * interval '1 millisecond', j.run_at),
     attempts = $5, finished_at = now(), state = case when exists (
     select 1 from larder_jobs o where o.name = j.name and o.key = j.key and o.state = 'waiting') then 'done' else 'waiting' end
   ${WHERE_HELD}`,
  [
    id,
    attempts,
    error === null ? null : errorText(error),
    delay === 'as before' ? null : delay,
    counted,
    statementTime(clock),
  ],
]

/** PostgreSQL rejects NUL in text. */
const errorText = (error: unknown): string =>
  (error instanceof Error ? error.message || error.name : String(error)).replaceAll('\0', '').slice(0, MAX_ERROR_LENGTH)
