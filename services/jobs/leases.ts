/** Rows of larder_jobs as a worker takes them: leased, renewed, finished, put off, dead. */
import { HOUR, type Job, SECOND, type Step } from 'larder/kernel'
import { EVERY } from './queue.ts'

export const TIMEOUT = 30 * SECOND
const ATTEMPTS = 10
const ERROR_LENGTH = 2000

/** A job whose process died comes back after this; by the database's clock, which all processes share. */
const LEASE = `now() + interval '8 seconds'`
/** Milliseconds. */
export const RENEW_EVERY = 2 * SECOND

export interface LeasedJob {
  id: string
  name: string
  tenant_id: string | null
  data: unknown
  context: { correlationId?: string; causationId?: string }
  key: string | null
  /** This one included. */
  attempts: number
}
const COLUMNS = ['id', 'name', 'tenant_id', 'data', 'context', 'key', 'attempts'].map(name => `j.${name}`).join(', ')

/** Milliseconds before the next attempt. */
const standardDelay = (failed: number): number => Math.min(HOUR, 10 * SECOND * 3 ** (failed - 1))

/** Takes due jobs of these names, oldest first. */
export function lease(room: readonly { job: Job; places: number }[], free: number, now: number): Step {
  return [
    `with open as (
       select j.id, j.run_at from unnest($2::text[], $3::int[]) as room (name, places) cross join lateral (
         select id, run_at from larder_jobs where name = room.name and state = 'waiting' and run_at <= $1
         order by run_at limit room.places for update skip locked) j),
     due as (select id from open order by run_at limit $4)
     update larder_jobs j set state = 'running', attempts = j.attempts + 1, locked_until = ${LEASE}
     from due where j.id = due.id returning ${COLUMNS}`,
    [new Date(now).toISOString(), room.map(({ job }) => job.name), room.map(({ places }) => places), free],
  ]
}

/** Those whose lease ran out: their process died, or could not reach the database. */
export const expired = (names: readonly string[]): Step => [
  `select ${COLUMNS} from larder_jobs j where j.state = 'running' and j.locked_until <= now() and j.name = any($1)
   limit 100`,
  [names],
]

/** Answers the ids that are still held. */
export const renew = (held: readonly LeasedJob[]): Step => [
  `update larder_jobs j set locked_until = ${LEASE} from unnest($1::text[], $2::int[]) as held (id, attempts)
   where j.id = held.id and j.attempts = held.attempts and j.state = 'running' returning j.id`,
  [held.map(({ id }) => id), held.map(({ attempts }) => attempts)],
]

/** Only whoever holds the lease may finish: the attempt's number is the fence. */
const HELD = `where id = $1 and attempts = $2 and state = 'running'`

/** A run of a recurring job leaves nothing: the next one comes by itself. */
export const done = ({ id, attempts, key }: LeasedJob, now: number): Step =>
  key === EVERY
    ? [`delete from larder_jobs ${HELD}`, [id, attempts]]
    : [
        `update larder_jobs set state = 'done', locked_until = null, last_error = null, finished_at = $3 ${HELD}`,
        [id, attempts, new Date(now).toISOString()],
      ]

/** Put off, or dead after the last attempt. */
export function failed(row: LeasedJob, job: Job, error: unknown, now: number): Step {
  if (row.key === EVERY) return done(row, now)
  const { id, attempts } = row
  if (hasMore(row, job)) return putOff(row, now + (job.backoff ?? standardDelay)(attempts), error)
  return [
    `update larder_jobs set state = 'dead', locked_until = null, last_error = $3, finished_at = $4 ${HELD}`,
    [id, attempts, said(error), new Date(now).toISOString()],
  ]
}

const hasMore = ({ attempts }: LeasedJob, job: Job): boolean => attempts < (job.attempts ?? ATTEMPTS)

/**
 * As `failed`, of a job whose lease ran out; the first time it goes on at once, before what came after it. Then it waits
 * longer and longer, for it may be what ends its workers, but not as long as a job's own `backoff` says: that is about
 * whom it asks, not about us.
 */
export const lost = (row: LeasedJob, job: Job, now: number): Step => {
  const error = 'its worker was lost'
  if (!hasMore(row, job)) return unlessRenewed(failed(row, job, error, now))
  const again = row.attempts === 1 || row.key === EVERY
  return unlessRenewed(putOff(row, again ? 'as before' : now + standardDelay(row.attempts - 1), error))
}
const unlessRenewed = ([text, values]: Step): Step => [`${text} and locked_until <= now()`, values]

/** Its process stops: another one takes it, and the attempt does not count. */
export const giveBack = (row: LeasedJob): Step => putOff(row, 'as before', null, row.attempts - 1)

/** Where another job of the same key waits by now, that one takes its place. */
const putOff = ({ id, attempts }: LeasedJob, until: number | 'as before', error: unknown, counted = attempts): Step => [
  `update larder_jobs j set locked_until = null, last_error = $3, run_at = coalesce($4, j.run_at), attempts = $5, finished_at = now(), state = case when exists (
     select 1 from larder_jobs o where o.name = j.name and o.key = j.key and o.state = 'waiting') then 'done' else 'waiting' end
   ${HELD}`,
  [
    id,
    attempts,
    error === null ? null : said(error),
    until === 'as before' ? null : new Date(until).toISOString(),
    counted,
  ],
]

/** PostgreSQL takes no NUL in a text. */
const said = (error: unknown): string =>
  (error instanceof Error ? error.message || error.name : String(error)).replaceAll('\0', '').slice(0, ERROR_LENGTH)
