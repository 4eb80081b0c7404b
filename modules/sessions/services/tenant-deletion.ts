import type { Deps } from 'larder/kernel'

/** Deletes every session of the tenant, which invalidates their join tokens, and notifies the other processes. */
export async function deleteTenantData({ database, bus }: Deps<'database' | 'bus'>, tenantId: string): Promise<void> {
  await database.tenant(tenantId).query('delete from sessions_sessions where tenant_id = $1', [tenantId])
  database.afterCommit(() => bus.publish('sessions.changed', { tenantId, change: 'removed' }))
}
