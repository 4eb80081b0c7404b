import type { Deps } from 'larder/kernel'

/** Deletes the streams of a tenant and disconnects their publishers. */
export async function deleteTenantData({ database, jobs }: Deps<'database' | 'jobs'>, tenantId: string): Promise<void> {
  const unit = database.tenant(tenantId)
  const { rows } = await unit.query<{ id: string }>(
    `select id from streams_streams where tenant_id = $1 and live_status <> 'idle'`,
    [tenantId],
  )
  for (const { id } of rows) await jobs.enqueue('streams.kick', { session_id: id }, { key: id })
  for (const table of ['sources', 'tokens', 'peers', 'edge_connections', 'streams'])
    await unit.query(`delete from streams_${table} where tenant_id = $1`, [tenantId])
}
