/** Rows of larder_jobs as a worker takes them: leased, finished, put off, dead. */

import type { Job } from '../contract.ts'
import type { Step } from '../ports.ts'
import { HOUR, SECOND } from '../units.ts'

export const TIMEOUT = 30 * SECOND
export const ATTEMPTS = 10
const ERROR_LENGTH = 2000

export interface LeasedJob {
  id: string
  name: string
  tenant_id: string | null
  data: unknown
  /** This one included. */
  attempts: number
}

/** A job whose process died comes back when its lease is over: twice the timeout, so nobody runs beside a live one. */
export const leaseOf = (job: Job): number => 2 * (job.timeout ?? TIMEOUT)

/** Milliseconds before the next attempt. */
export const delayOf = (job: Job, failed: number): number =>
  job.backoff?.(failed) ?? Math.min(HOUR, 10 * SECOND * 3 ** (failed - 1))

/** Takes due jobs of these names, oldest first, and those whose lease ran out. */
export function lease(room: readonly { job: Job; places: number }[], now: number): Step {
  const names = room.map(({ job }) => job.name)
  const until = room.map(({ job }) => new Date(now + leaseOf(job)).toISOString())
  const places = room.map(({ places }) => places)
  return [
    `with room as (select * from unnest($2::text[], $3::timestamptz[], $4::int[]) as r (name, until, places)),
     due as (
       select j.id, r.until from room r cross join lateral (
         select id from larder_jobs where name = r.name
           and ((state = 'waiting' and run_at <= $1) or (state = 'running' and locked_until <= $1))
         order by run_at limit r.places for update skip locked) j)
     update larder_jobs j set state = 'running', attempts = j.attempts + 1, locked_until = due.until
     from due where j.id = due.id returning j.id, j.name, j.tenant_id, j.data, j.attempts`,
    [new Date(now).toISOString(), names, until, places],
  ]
}

/** Only whoever holds the lease may finish: the attempt's number is the fence. */
const HELD = `where id = $1 and attempts = $2 and state = 'running'`

export const done = ({ id, attempts }: LeasedJob, now: number): Step => [
  `update larder_jobs set state = 'done', locked_until = null, last_error = null, finished_at = $3 ${HELD}`,
  [id, attempts, new Date(now).toISOString()],
]

/**
 * Put off, or dead after the last attempt. Where another job of the same key waits by now, that one takes its place.
 */
export function failed({ id, attempts }: LeasedJob, job: Job, error: unknown, now: number): Step {
  const text = (error instanceof Error ? error.message || error.name : String(error)).replaceAll('\0', '')
  const lastError = text.slice(0, ERROR_LENGTH)
  if (attempts >= (job.attempts ?? ATTEMPTS))
    return [
      `update larder_jobs set state = 'dead', locked_until = null, last_error = $3, finished_at = $4 ${HELD}`,
      [id, attempts, lastError, new Date(now).toISOString()],
    ]
  return [
    `update larder_jobs j set locked_until = null, last_error = $3, run_at = $4, state = case when exists (
       select 1 from larder_jobs o where o.name = j.name and o.key = j.key and o.state = 'waiting') then 'done' else 'waiting' end
     ${HELD}`,
    [id, attempts, lastError, new Date(now + delayOf(job, attempts)).toISOString()],
  ]
}

/** When the next job that waits is due; null where none does. */
export const NEXT_DUE = `select min(run_at) as at from larder_jobs where state = 'waiting'`
