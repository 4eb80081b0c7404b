import type { Deps } from 'larder/kernel'
import type { FlagCache } from './flag-cache.ts'

/** Deletes the flags and overrides of a deleted tenant. Flags of the recipe belong to the operator's tenant. */
export const createTenantDataDeletion =
  ({ database }: Deps<'database'>, cache: FlagCache) =>
  async (tenantId: string): Promise<void> => {
    await database.tenant(tenantId).transaction(async unit => {
      await unit.query('delete from features_flags')
      await unit.query('delete from features_overrides')
      cache.invalidateAfterCommit(tenantId)
    })
  }
