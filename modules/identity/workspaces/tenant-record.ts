import { common, type Deps, type Step, type Unit } from '@larder-dev/larder/kernel'
import { isCustomer } from '../domain/customers.ts'
import type { IdentitySettings } from '../options.ts'
import type { Membership, StoredTenant, Tenant } from './records.ts'

type Optional = Deps<never, 'entitlements'>
/** A workspace or a customer of it. */
export type PlanHolder = Parameters<NonNullable<Optional['entitlements']>['of']>[0]

/**
 * Serializes changes to the members, roles and invitations of a tenant.
 *
 * Whoever locks more than one row locks tenants first, then members, then users, each in order of their ids, and only then
 * what belongs to a user: keys, logins, identities. Any other order could end in a deadlock, which is a 503.
 */
export async function lockTenant(unit: Unit, tenantId: string): Promise<void> {
  const { rows } = await unit.query<{ tenant_id: string }>(
    'select tenant_id from identity_tenants where tenant_id = $1 for no key update',
    [tenantId],
  )
  requireTenant(rows[0])
}

/** Locks these members, or all, with their users. Needs the tenant's lock. */
export const lockMembersStep = (tenantId: string, memberIds: readonly string[] | null): Step => [
  'select identity_lock_members($1, $2)',
  [tenantId, memberIds],
]

/** Adds a plan that was read with the tenant; see `withPlan`. */
export const onPlan = (tenant: StoredTenant, plan?: { readonly planKey: string }): Tenant => ({
  ...tenant,
  planKey: plan?.planKey ?? null,
})

/** Whose plan a member has: their own as a customer, and that of the workspace otherwise. */
export const planHolderOf = (
  settings: Pick<IdentitySettings, 'customerRole'>,
  { id: memberId, tenantId, userId, roles }: Pick<Membership, 'id' | 'tenantId' | 'userId' | 'roles'>,
): PlanHolder => (isCustomer(settings, roles) ? { tenantId, memberId, userId } : tenantId)

/** Adds the plan if a module provides entitlements. */
export async function withPlan({ entitlements }: Optional, tenant: Tenant, holder: PlanHolder): Promise<Tenant> {
  return entitlements ? { ...tenant, planKey: (await entitlements.of(holder)).planKey } : tenant
}

/** Adds the plans of all tenants in one statement. */
export async function withPlans<T extends StoredTenant>(
  { entitlements }: Optional,
  tenants: readonly T[],
  holderOf: (tenant: T) => PlanHolder = ({ id }) => id,
): Promise<(T & Tenant)[]> {
  const holders = tenants.map(holderOf)
  const keys = await entitlements?.planKeys(holders)
  const planKeyOf = (holder: PlanHolder = '') =>
    keys?.get(typeof holder === 'string' ? holder : holder.memberId) ?? null
  return tenants.map((tenant, index) => ({ ...tenant, planKey: planKeyOf(holders[index]) }))
}

export function requireTenant<T>(row: T | undefined): T {
  if (row === undefined) throw common.not_found({ what: 'workspace' })
  return row
}
