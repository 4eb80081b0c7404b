/** What is done, or dead and looked at by nobody, is kept for a fortnight. */

import { type Clock, DAY, type Database, type Job, job } from 'larder/kernel'

declare module 'larder/kernel' {
  interface Jobs {
    'larder.sweep': Record<string, never>
  }
}

const KEPT = 14 * DAY
/** A delete of everything at once would hold its locks for long. */
const AT_ONCE = 5000

// No foreign key does it: it would look the event up once more at each delivery.
const EVENTS = `with old as (
  select e.id from larder_events e where e.dispatched_at < $1 and not exists (
    select 1 from larder_deliveries d where d.event_id = e.id and (d.state = 'pending' or d.next_attempt_at >= $1))
  limit ${AT_ONCE}
), delivered as (delete from larder_deliveries where event_id in (select id from old))
delete from larder_events where id in (select id from old)`
const JOBS = `delete from larder_jobs where id in (
  select id from larder_jobs where state in ('done', 'dead') and finished_at < $1 limit ${AT_ONCE})`

/** Runs each hour in one worker. */
export function sweepJob(database: Database, clock: Clock): Job {
  return job('larder.sweep', {
    every: '1h',
    async run(_data, { signal }) {
      const old = new Date(clock.now() - KEPT).toISOString()
      for (const statement of [EVENTS, JOBS]) {
        let gone = AT_ONCE
        while (gone === AT_ONCE && !signal.aborted)
          gone = (await database.system('old events and jobs of every tenant').query(statement, [old])).rowCount
      }
    },
  })
}
