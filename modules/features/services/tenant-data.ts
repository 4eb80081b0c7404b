/** What a tenant that is gone had set. Flags of the recipe stand in the operator's, which never goes. */
import type { Deps } from 'larder/kernel'
export async function forgetTenant(
  { database, features }: Deps<'database' | 'features'>,
  tenantId: string,
): Promise<void> {
  await database.tenant(tenantId).transaction(async unit => {
    await unit.query('delete from features_flags')
    await unit.query('delete from features_overrides')
    features.memory.changed(tenantId)
  })
}
