/** Suspends workspaces and resumes them. Repeated calls have no further effect. */
import { type Caller, type Deps, together, type Unit } from '@larder-dev/larder/kernel'
import type { AuditRecorder } from '../audit/audit-log.ts'
import { workspaceProblems } from '../workspaces/problems.ts'
import type { AccessChanges } from '../workspaces/roles/access-changes.ts'
import { lockTenant } from '../workspaces/tenant-record.ts'
import type { Directory } from './directory.ts'
import { recordOperatorAction } from './operator-actions.ts'
import type { TenantSummary } from './records/admin.ts'

export interface Suspensions {
  /** Ends the access of the members and of the public at once, in all processes. Throws `not_found`, `operator_tenant`. */
  suspend(tenantId: string, reason: string, caller: Caller): Promise<TenantSummary>
  /** Events, jobs and webhooks that waited go on. Throws `not_found`. */
  resume(tenantId: string, reason: string, caller: Caller): Promise<TenantSummary>
}

type Needs = Deps<
  'database' | 'systemDatabase' | 'tenantSuspension' | 'events' | 'clock' | 'operator' | 'caches' | 'bus'
> & {
  readonly audit: AuditRecorder
  readonly accessChanges: AccessChanges
  readonly directory: Directory
}

export function createSuspensions(deps: Needs): Suspensions {
  const { database, systemDatabase, tenantSuspension, events, clock, operator, caches, bus } = deps
  const { audit, accessChanges, directory } = deps
  const recordAction = recordOperatorAction(audit, operator.tenantId)

  /** The lock serializes concurrent calls, also with the deletion of the workspace. */
  const withLock = (
    tenantId: string,
    apply: () => Promise<boolean>,
    changed: (unit: Unit) => Promise<void>,
  ): Promise<TenantSummary> =>
    systemDatabase.acrossTenants('an operator suspends and resumes any workspace').transaction(async unit => {
      const { isChanged, tenant } = await together({
        lock: lockTenant(unit, tenantId),
        isChanged: apply(),
        tenant: directory.tenant(tenantId),
      })
      if (isChanged) await changed(unit)
      return tenant
    })

  /** The event belongs to the operator's workspace, because events of a suspended one wait. */
  async function announce(
    unit: Unit,
    change: 'suspended' | 'resumed',
    { tenantId, reason, caller }: { readonly tenantId: string; readonly reason: string; readonly caller: Caller },
  ): Promise<void> {
    const action = `tenant.${change}`
    await recordAction(unit, { caller, tenantId, action, subject: tenantId, details: { reason } })
    const payload = { tenantId, reason }
    await events.publish(`identity.tenant.${change}`, { tenantId: operator.tenantId, subject: tenantId, payload })
  }

  function endAccess(tenantId: string): void {
    accessChanges.revoked({ tenantId })
    database.afterCommit(() => {
      caches.dropTenant(tenantId)
      bus.publish('tenants.suspended', { tenantId })
    })
  }

  return {
    async suspend(tenantId, reason, caller) {
      if (tenantId === operator.tenantId) throw workspaceProblems.operator_tenant()
      const at = new Date(clock.now())
      return withLock(
        tenantId,
        () => tenantSuspension.suspend(tenantId, { reason, at }),
        async unit => {
          await announce(unit, 'suspended', { tenantId, reason, caller })
          endAccess(tenantId)
        },
      )
    },
    resume: (tenantId, reason, caller) =>
      withLock(
        tenantId,
        () => tenantSuspension.resume(tenantId),
        unit => announce(unit, 'resumed', { tenantId, reason, caller }),
      ),
  }
}
