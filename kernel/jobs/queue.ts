/** The port `jobs`: a job is a row in the transaction of whoever asks for it. */

import { newId } from '../ids.ts'
import type { Clock, Database, JobQueue } from '../ports.ts'

interface QueueOptions {
  readonly database: Database
  readonly clock: Clock
  /** By name: whether this recipe has such a job. */
  readonly known: (name: string) => boolean
  /** Tells workers that there is something to do. */
  readonly notify: () => Promise<void>
  readonly onError: (error: unknown) => void
}

/** A second job of the same name and key finds the one that waits. */
const INSERT = `with added as (
    insert into larder_jobs (id, name, tenant_id, data, key, run_at, created_at) values ($1, $2, $3, $4, $5, $6, $7)
    on conflict (name, key) where state = 'waiting' do nothing returning id)
  select id from added union all select id from larder_jobs where name = $2 and key = $5 and state = 'waiting' limit 1`

export function createQueue<Jobs>({ database, clock, known, notify, onError }: QueueOptions): JobQueue<Jobs> {
  const jobs = () => database.system('a job is queued: the queue belongs to no tenant')
  return {
    async enqueue(name, data, { at, key, tenantId = database.currentTenant() } = {}) {
      if (!known(name)) throw new Error(`no module of this recipe has the job '${name}'`)
      const now = new Date(clock.now()).toISOString()
      const id = newId('job', clock.now())
      const runAt = at?.toISOString() ?? now
      const values = [id, name, tenantId ?? null, JSON.stringify(data), key ?? null, runAt, now]
      const { rows } = await jobs().query<{ id: string }>(INSERT, values)
      // Nothing is lost without it: workers poll.
      database.afterCommit(() => notify().catch(onError))
      return rows[0]?.id ?? id
    },
    async cancel(name, key) {
      const taken = `delete from larder_jobs where name = $1 and key = $2 and state = 'waiting'`
      return (await jobs().query(taken, [name, key])).rowCount
    },
  }
}
