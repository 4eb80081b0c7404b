/** Deletes workspaces of customers, as their owners can themselves. */
import type { Caller, Deps } from '@larder-dev/larder/kernel'
import { type AuditRecorder, actorOf } from '../audit/audit-log.ts'
import { workspaceProblems } from '../workspaces/problems.ts'
import { tenantTable } from '../workspaces/records.ts'
import type { Tenants } from '../workspaces/tenants.ts'

export interface TenantRemoval {
  /** See `Tenants.removeIn`. The owners get an email with the reason. Throws `not_found`, `operator_tenant`. */
  remove(tenantId: string, reason: string, caller: Caller): Promise<void>
}
type Needs = Deps<'systemDatabase' | 'operator' | 'jobs' | 'people'> & {
  readonly audit: AuditRecorder
  readonly tenants: Tenants
}

export function createTenantRemoval({ systemDatabase, operator, jobs, people, audit, tenants }: Needs): TenantRemoval {
  return {
    async remove(tenantId, reason, caller) {
      if (tenantId === operator.tenantId) throw workspaceProblems.operator_tenant()
      const actor = actorOf(caller)
      await systemDatabase.acrossTenants('an operator deletes any workspace').transaction(async unit => {
        const { name } = await tenantTable.get(unit, { id: tenantId }, { lock: true })
        const ownerIds = (await people.owners(tenantId)).map(({ userId }) => userId)
        await tenants.removeIn(unit, tenantId, actor)
        await jobs.enqueue('identity.tenant_deletion', { name, reason, ownerIds }, { tenantId: operator.tenantId })
        // The workspace's own log gets an entry, too, but nobody can read it any more.
        const details = { tenantId, name, reason }
        const entry = { action: 'tenant.deleted', actor, subject: tenantId, details }
        await audit.record(unit, { tenantId: operator.tenantId, ...entry })
      })
    },
  }
}
