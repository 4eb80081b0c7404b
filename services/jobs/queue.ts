/** The port `jobs`: a job is a row in the transaction of whoever asks for it. */

import { type Clock, createPoke, currentContext, type Database, type JobQueue, newId } from 'larder/kernel'

interface QueueOptions {
  readonly database: Database
  readonly clock: Clock
  /** By name: whether this recipe has such a job. */
  readonly known: (name: string) => boolean
  /** Tells workers that there is something to do. */
  readonly notify: () => Promise<void>
  readonly onError: (error: unknown) => void
}

/** The key of a recurring job's runs: one at a time, waiting or running. */
export const EVERY = '@every'

const COLUMNS = 'id, name, tenant_id, data, context, key, run_at, created_at'
/** A second job of the same name and key finds the one that waits. */
const INSERT = `with added as (
    insert into larder_jobs (${COLUMNS}) values ($1, $2, $3, $4, $5, $6, $7, $8)
    on conflict (name, key) where state = 'waiting' do nothing returning id)
  select id from added union all select id from larder_jobs where name = $2 and key = $6 and state = 'waiting' limit 1`
const INSERT_RECURRING = `insert into larder_jobs (${COLUMNS}) values ($1, $2, null, '{}', '{}', '${EVERY}', $3, $3)
  on conflict do nothing`

export interface Queue<Jobs> {
  readonly port: JobQueue<Jobs>
  /** The time of a recurring job has come; nothing where it still waits or runs. */
  recur(name: string): Promise<void>
}

export function createQueue<Jobs>({ database, clock, known, notify, onError }: QueueOptions): Queue<Jobs> {
  const jobs = () => database.system('a job is queued: the queue belongs to no tenant')
  const poke = createPoke(notify, onError)
  return {
    port: {
      async enqueue(name, data, { at, key, tenantId = database.currentTenant() } = {}) {
        if (!known(name)) throw new Error(`no module of this recipe has the job '${name}'`)
        const now = clock.now()
        const id = newId('job', now)
        const { correlationId, causationId } = currentContext()
        const facts = [id, name, tenantId ?? null, JSON.stringify(data), JSON.stringify({ correlationId, causationId })]
        const times = [at ?? new Date(now), new Date(now)].map(time => time.toISOString())
        const { rows } = await jobs().query<{ id: string }>(INSERT, [...facts, key ?? null, ...times])
        database.afterCommit(poke)
        return rows[0]?.id ?? id
      },
      async cancel(name, key) {
        const taken = `delete from larder_jobs where name = $1 and key = $2 and state = 'waiting'`
        return (await jobs().query(taken, [name, key])).rowCount
      },
    },
    async recur(name) {
      const now = clock.now()
      await jobs().query(INSERT_RECURRING, [newId('job', now), name, new Date(now).toISOString()])
      poke()
    },
  }
}
