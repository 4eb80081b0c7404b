/** A workspace is gone: its streams go with it, and what is still published there is kicked. */

import type { Deps } from 'larder/kernel'
export async function forgetTenant({ database, jobs }: Deps<'database' | 'jobs'>, tenantId: string): Promise<void> {
  const unit = database.tenant(tenantId)
  const { rows } = await unit.query<{ id: string }>(
    `select id from streams_streams where tenant_id = $1 and live_status <> 'idle'`,
    [tenantId],
  )
  for (const { id } of rows) await jobs.enqueue('streams.kick', { session_id: id }, { key: id })
  for (const table of ['sources', 'tokens', 'peers', 'streams'])
    await unit.query(`delete from streams_${table} where tenant_id = $1`, [tenantId])
}
