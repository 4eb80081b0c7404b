/** A workspace is gone: its sessions go with it, and their tokens open nothing any more. */
import type { Deps } from 'larder/kernel'
import type { SessionChanged } from '../ports.ts'

export async function forgetTenant({ database, bus }: Deps<'database' | 'bus'>, tenantId: string): Promise<void> {
  await database.tenant(tenantId).query('delete from sessions_sessions where tenant_id = $1', [tenantId])
  database.afterCommit(() => bus.publish('sessions.changed', { tenantId, change: 'removed' } satisfies SessionChanged))
}
