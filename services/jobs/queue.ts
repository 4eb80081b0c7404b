/** The port `jobs`: a job is a row written in the caller's transaction. */

import {
  type Clock,
  currentContext,
  currentTraceparent,
  type Database,
  type JobQueue,
  newId,
  type SystemDatabase,
  statement,
} from '@larder-dev/larder/kernel/internal'
import { NO_TENANT } from './shares.ts'

interface QueueOptions {
  readonly database: Database
  readonly systemDatabase: SystemDatabase
  readonly clock: Clock
  /** Whether this recipe has a job of this name. */
  readonly isKnown: (name: string) => boolean
  readonly wakeWorkers: () => void
  /** Whether customers take turns, as in a product of people. */
  readonly byPerson: boolean
}

/** The key of runs of recurring jobs: at most one waits or runs at a time. */
export const RECURRING_KEY = '@every'

const COLUMNS = 'id, name, tenant_id, data, context, key, run_at, created_at'
/** A job without a time is due at once, also for processes whose clock is behind that of the process that enqueues it. */
const atOnce = (now: string) => `least(${now}::timestamptz, now())`
/** Returns the waiting job with the same name and key, if there is one. */
const insert = (columns = '', values = '') => `with added as (
     insert into larder_jobs (${COLUMNS}${columns})
     values ($id, $name, $tenantId, $data, $context, $key, coalesce($runAt, ${atOnce('$now')}), $now${values})
     on conflict (name, key) where state = 'waiting' do nothing returning id)
   select id from added union all
   select id from larder_jobs where name = $name and key = $key and state = 'waiting' limit 1`
const INSERT = statement(insert())
const INSERT_SHARED = statement(insert(', share', ', $share'))
const SAVE_NEXT_RUNS = `insert into larder_schedules (name, next_run_at) select * from unnest($1::text[], $2::timestamptz[])
  on conflict (name) do update set next_run_at = excluded.next_run_at`
const INSERT_RECURRING = `insert into larder_jobs (${COLUMNS}) values ($1, $2, null, '{}', '{}', '${RECURRING_KEY}', ${atOnce('$3')}, $3)
  on conflict do nothing`

export interface Queue<Jobs> {
  readonly port: JobQueue<Jobs>
  /** Enqueues a run of a recurring job, unless one is waiting or running. */
  enqueueRecurring(name: string): Promise<void>
  /** Stores when recurring jobs are due next, by name. */
  saveNextRuns(times: ReadonlyMap<string, Date>): Promise<void>
}

export function createQueue<Jobs>(options: QueueOptions): Queue<Jobs> {
  const { database, systemDatabase, clock, isKnown, wakeWorkers, byPerson } = options
  const jobs = () => systemDatabase.acrossTenants('the job queue belongs to no tenant')
  return {
    port: {
      async enqueue(name, data, { at, key, tenantId = database.currentTenant() } = {}) {
        if (!isKnown(name)) throw new Error(`no module of this recipe has the job '${name}'`)
        const now = clock.now()
        const id = newId('job', now)
        const { correlationId, causationId, depth, share } = currentContext()
        const values = {
          id,
          name,
          tenantId: tenantId ?? null,
          data: JSON.stringify(data),
          context: JSON.stringify({ correlationId, causationId, depth, traceparent: currentTraceparent() }),
          key: key ?? null,
          runAt: at?.toISOString() ?? null,
          now: new Date(now).toISOString(),
        }
        const options = { afterCommit: wakeWorkers }
        const step = byPerson
          ? INSERT_SHARED({ ...values, share: share ?? tenantId ?? NO_TENANT }, options)
          : INSERT(values, options)
        const results = await jobs().defer([step])
        return (results?.[0]?.rows[0] as { id: string } | undefined)?.id ?? id
      },
      async cancel(name, key) {
        const sql = `delete from larder_jobs where name = $1 and key = $2 and state = 'waiting'`
        return (await jobs().query(sql, [name, key])).rowCount
      },
    },
    async enqueueRecurring(name) {
      const now = clock.now()
      await jobs().query(INSERT_RECURRING, [newId('job', now), name, new Date(now).toISOString()])
      wakeWorkers()
    },
    async saveNextRuns(times) {
      await jobs().query(SAVE_NEXT_RUNS, [[...times.keys()], [...times.values()].map(time => time.toISOString())])
    },
  }
}
