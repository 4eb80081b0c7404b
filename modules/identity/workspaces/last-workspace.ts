/** The workspace in which a person worked last. Pages show it on every device on which they haven't selected another one. */
import type { Caller, Deps, Step, Unit } from '@larder-dev/larder/kernel'

type Chooser = Pick<Caller, 'userId' | 'impersonatedBy'>

export interface LastWorkspace {
  /**
   * Keeps the choice of a member. An operator who acts as the person, or looks into a workspace that they don't belong to,
   * chooses for nobody.
   */
  keep(caller: Chooser, tenantId: string): Promise<void>
  /** The same at the end of a unit across tenants, in which they can become a member. */
  keepIn(unit: Unit, caller: Chooser, tenantId: string): Promise<void>
}

const KEEP = `update identity_users set last_tenant_id = $2
  where id = $1 and last_tenant_id is distinct from $2
    and exists (select from identity_members where tenant_id = $2 and user_id = $1)`

const stepFor = (userId: string, tenantId: string): Step => [KEEP, [userId, tenantId]]

export function createLastWorkspace({ systemDatabase }: Deps<'systemDatabase'>): LastWorkspace {
  return {
    async keep({ userId, impersonatedBy }, tenantId) {
      if (impersonatedBy !== undefined) return
      const unit = systemDatabase.acrossTenants('the last workspace belongs to a user, not to a tenant')
      await unit.query(...stepFor(userId, tenantId))
    },
    async keepIn(unit, { userId, impersonatedBy }, tenantId) {
      if (impersonatedBy === undefined) await unit.defer([stepFor(userId, tenantId)])
    },
  }
}
