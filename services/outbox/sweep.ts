/** Deletes finished and dead events and jobs after 14 days. */

import {
  type Clock,
  DAY,
  firstId,
  type Job,
  job,
  type Step,
  type SystemDatabase,
} from '@larder-dev/larder/kernel/internal'

declare module '@larder-dev/larder/kernel' {
  interface Jobs {
    'larder.sweep': Record<string, never>
  }
}

const RETENTION_MS = 14 * DAY
/** Rows per statement: one large delete would hold its locks for too long. */
const DELETE_BATCH_SIZE = 5000

/**
 * By their ids, which contain the time of creation: an index by `dispatched_at` would cost each event a tenth of its
 * insertion. Deliveries are deleted here instead of by a foreign key, which would look up the event for each of them.
 */
const EVENTS = `with old as (
  select e.id from larder_events e where e.id < $2 and e.dispatched_at < $1 and not exists (
    select 1 from larder_deliveries d where d.event_id = e.id and (d.state = 'pending' or d.next_attempt_at >= $1))
  order by e.id limit ${DELETE_BATCH_SIZE}
), delivered as (delete from larder_deliveries where event_id in (select id from old))
delete from larder_events where id in (select id from old)`
/** Runs of recurring jobs remain: each one replaces the one before it. */
const JOBS = `delete from larder_jobs where id in (
  select id from larder_jobs where state in ('done', 'dead') and finished_at < $1
    and key is distinct from '@every' limit ${DELETE_BATCH_SIZE})`

/** Runs hourly in one worker. */
export function sweepJob(systemDatabase: SystemDatabase, clock: Clock): Job {
  return job('larder.sweep', {
    every: '1h',
    async run(_data, { signal }) {
      const oldest = clock.now() - RETENTION_MS
      const old = new Date(oldest).toISOString()
      const unit = systemDatabase.acrossTenants('old events and jobs of every tenant are deleted')
      const statements: readonly Step[] = [
        [EVENTS, [old, firstId('evt', oldest)]],
        [JOBS, [old]],
      ]
      for (const [text, values] of statements) {
        let deleted = DELETE_BATCH_SIZE
        while (deleted === DELETE_BATCH_SIZE && !signal.aborted) deleted = (await unit.query(text, values)).rowCount
      }
    },
  })
}
