/** The admin's view of dead jobs: list and retry. */
import {
  type Clock,
  type DeadJob,
  decodeCursor,
  type Inspector,
  type SystemDatabase,
  statementTime,
  toPage,
} from '@larder-dev/larder/kernel/internal'

interface DeadRow {
  id: string
  name: string
  tenant_id: string | null
  attempts: number
  last_error: string | null
  data: unknown
  created_at: Date
}
const COLUMNS = 'id, name, tenant_id, attempts, last_error, data, created_at'

const toDeadJob = (row: DeadRow): DeadJob => ({
  id: row.id,
  name: row.name,
  tenantId: row.tenant_id,
  attempts: row.attempts,
  lastError: row.last_error,
  data: row.data,
  createdAt: row.created_at.toISOString(),
})

export interface JobInspectorOptions {
  readonly systemDatabase: SystemDatabase
  readonly clock: Clock
  readonly wakeWorkers: () => Promise<void>
}

export function createJobInspector({ systemDatabase, clock, wakeWorkers }: JobInspectorOptions): Inspector['jobs'] {
  const all = () => systemDatabase.acrossTenants('admins list and retry dead jobs of every tenant')
  return {
    async dead({ tenantId, limit, cursor }) {
      const [before] = decodeCursor(cursor, 1) ?? []
      const { rows } = await all().query<DeadRow>(
        `select ${COLUMNS} from larder_jobs where state = 'dead' and ($1::text is null or tenant_id = $1)
           and ($2::text is null or id < $2) order by id desc limit $3`,
        [tenantId, before ?? null, limit + 1],
      )
      const { data, nextCursor } = toPage(rows, limit, ({ id }) => [id])
      return { data: data.map(toDeadJob), nextCursor }
    },
    async retry(jobId, tenantId) {
      const { rows } = await all().query<DeadRow>(
        // If another job with its key is waiting by now, this one is retried without the key.
        `update larder_jobs j set state = 'waiting', attempts = 0, run_at = coalesce($3::timestamptz, statement_timestamp()), finished_at = null,
           key = case when exists (select 1 from larder_jobs o where o.name = j.name and o.key = j.key
             and o.state = 'waiting') then null else key end
         where id = $1 and state = 'dead' and ($2::text is null or tenant_id = $2) returning ${COLUMNS}`,
        [jobId, tenantId, statementTime(clock)],
      )
      if (rows[0]) await wakeWorkers()
      return rows[0] ? toDeadJob(rows[0]) : null
    },
  }
}
