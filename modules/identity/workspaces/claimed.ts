/** Whether the installation has an owner: somebody entered the code of the terminal. */
import type { Unit } from '@larder-dev/larder/kernel'
import { PLATFORM_ADMIN } from '../domain/fixed-roles.ts'

/** @param unit across tenants. @param operatorId the tenant of the operator. */
export async function isClaimed(unit: Unit, operatorId: string): Promise<boolean> {
  const { rowCount } = await unit.query(
    'select 1 from identity_members where tenant_id = $1 and $2 = any (roles) limit 1',
    [operatorId, PLATFORM_ADMIN],
  )
  return rowCount > 0
}
