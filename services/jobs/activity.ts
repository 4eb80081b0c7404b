/** Jobs as operators list them. */
import { type Deps, decodeCursor, toPage } from '@larder-dev/larder/kernel'
import type { JobActivity, JobRecord, JobState } from './ports.ts'
import { RECURRING_KEY } from './queue.ts'

interface Row {
  id: string
  name: string
  tenant_id: string | null
  state: JobState
  attempts: number
  key: string | null
  run_at: Date
  last_error: string | null
  created_at: Date
  started_at: Date | null
  finished_at: Date | null
}
const COLUMNS = 'id, name, tenant_id, state, attempts, key, run_at, last_error, created_at, started_at, finished_at'
const SCHEDULES = `select name, next_run_at, started_at, finished_at, state, last_error
  from larder_schedules full join (
    select distinct on (name) name, started_at, finished_at, state, last_error from larder_jobs
    where key = '${RECURRING_KEY}' and state in ('done', 'failed') order by name, finished_at desc) last using (name)`

export function createJobActivity({ systemDatabase }: Deps<'systemDatabase'>): JobActivity {
  const all = () => systemDatabase.acrossTenants('operators list jobs of every tenant')
  return {
    async list({ tenantId, name, state, limit, cursor }) {
      const [before = null] = decodeCursor(cursor, 1) ?? []
      const { rows } = await all().query<Row>(
        `select ${COLUMNS} from larder_jobs
         where ($1::text is null or tenant_id = $1) and ($2::text is null or name = $2)
           and ($3::text is null or state = $3) and ($4::text is null or id < $4)
         order by id desc limit $5`,
        [tenantId, name ?? null, state ?? null, before, limit + 1],
      )
      const { data, nextCursor } = toPage(rows, limit, ({ id }) => [id])
      return { data: data.map(toRecord), nextCursor }
    },
    async counts() {
      const { rows } = await all().query<{
        name: string
        waiting: number
        running: number
        dead: number
        next_run_at: Date | null
      }>(
        `select name, (count(*) filter (where state = 'waiting'))::int as waiting,
           (count(*) filter (where state = 'running'))::int as running,
           (count(*) filter (where state = 'dead'))::int as dead,
           min(run_at) filter (where state = 'waiting') as next_run_at
         from larder_jobs where state in ('waiting', 'running', 'dead') group by name order by name`,
      )
      return rows.map(({ next_run_at, ...counts }) => ({ ...counts, nextRunAt: next_run_at?.toISOString() ?? null }))
    },
    async schedules() {
      type Schedule = Pick<Row, 'name' | 'last_error' | 'started_at' | 'finished_at'> & {
        next_run_at: Date | null
        state: 'done' | 'failed' | null
      }
      const { rows } = await all().query<Schedule>(SCHEDULES)
      return rows.map(({ name, next_run_at, started_at, finished_at, state, last_error }) => ({
        name,
        nextRunAt: next_run_at?.toISOString() ?? null,
        lastRunAt: started_at?.toISOString() ?? null,
        lastFinishedAt: finished_at?.toISOString() ?? null,
        lastResult: state === 'done' ? ('succeeded' as const) : state,
        lastError: last_error,
      }))
    },
  }
}

const toRecord = (row: Row): JobRecord => ({
  id: row.id,
  name: row.name,
  tenantId: row.tenant_id,
  state: row.state,
  attempts: row.attempts,
  recurring: row.key === RECURRING_KEY,
  runAt: row.run_at.toISOString(),
  lastError: row.last_error,
  createdAt: row.created_at.toISOString(),
  startedAt: row.started_at?.toISOString() ?? null,
  finishedAt: row.finished_at?.toISOString() ?? null,
})
