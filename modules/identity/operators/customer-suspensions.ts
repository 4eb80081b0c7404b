/** Suspends customers of a product of people and reinstates them. Repeated calls have no further effect. */
import { type Caller, common, type Deps, together } from '@larder-dev/larder/kernel'
import type { AuditRecorder } from '../audit/audit-log.ts'
import { isCustomer } from '../domain/customers.ts'
import { timeAt } from '../domain/time.ts'
import type { IdentitySettings } from '../options.ts'
import { memberProblems } from '../workspaces/members/problems.ts'
import type { AccessChanges } from '../workspaces/roles/access-changes.ts'
import { lockTenant } from '../workspaces/tenant-record.ts'
import type { Customers } from './customers.ts'
import { recordOperatorAction } from './operator-actions.ts'
import type { Customer } from './records/people.ts'

export interface CustomerSuspensions {
  /** Ends the customer's access at once, in all processes. Throws `not_found`, and `not_a_customer` for staff. */
  suspend(memberId: string, reason: string, caller: Caller): Promise<Customer>
  /** Throws `not_found` and `not_a_customer`. */
  reinstate(memberId: string, reason: string, caller: Caller): Promise<Customer>
}
interface Row {
  readonly user_id: string
  readonly roles: readonly string[]
  readonly suspended_at: Date | null
}
interface Change {
  readonly action: 'suspended' | 'reinstated'
  readonly reason: string
  readonly caller: Caller
}

type Needs = Deps<'systemDatabase' | 'events' | 'clock' | 'operator'> & {
  readonly audit: AuditRecorder
  readonly accessChanges: AccessChanges
  readonly customers: Customers
  readonly settings: Pick<IdentitySettings, 'customerRole'>
}

export function createCustomerSuspensions(deps: Needs): CustomerSuspensions {
  const { systemDatabase, events, clock, operator, audit, accessChanges, customers, settings } = deps
  const { tenantId } = operator
  const recordAction = recordOperatorAction(audit, tenantId)

  /** The tenant's lock serializes concurrent calls, also with changes of the customer's roles. */
  const change = (memberId: string, { action, reason, caller }: Change): Promise<Customer> =>
    systemDatabase.acrossTenants('an operator suspends and reinstates any customer').transaction(async unit => {
      const { found } = await together({
        lock: lockTenant(unit, tenantId),
        found: unit.query<Row>(
          'select user_id, roles, suspended_at from identity_members where tenant_id = $1 and id = $2',
          [tenantId, memberId],
        ),
      })
      const [member] = found.rows
      if (!member) throw common.not_found({ what: 'customer' })
      if (!isCustomer(settings, member.roles)) throw memberProblems.not_a_customer()
      const isSuspended = action === 'suspended'
      if ((member.suspended_at !== null) === isSuspended) return customers.get(memberId)
      const { user_id: userId } = member
      const [at, stored] = isSuspended ? [timeAt(clock), reason] : [null, null]
      await unit.query(
        'update identity_members set suspended_at = $3, suspension_reason = $4, updated_at = $5 where tenant_id = $1 and id = $2',
        [tenantId, memberId, at, stored, timeAt(clock)],
      )
      const recorded = {
        caller,
        tenantId,
        action: `customer.${action}`,
        subject: memberId,
        details: { userId, reason },
      }
      await recordAction(unit, recorded)
      const payload = { memberId, userId, reason }
      await events.publish(`identity.customer.${action}`, { tenantId, subject: memberId, payload })
      if (isSuspended) accessChanges.revoked({ userId })
      return customers.get(memberId)
    })

  return {
    suspend: (memberId, reason, caller) => change(memberId, { action: 'suspended', reason, caller }),
    reinstate: (memberId, reason, caller) => change(memberId, { action: 'reinstated', reason, caller }),
  }
}
