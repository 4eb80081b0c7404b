import { common, type Deps, type Step, type Unit } from '@larder-dev/larder/kernel'
import type { StoredTenant, Tenant } from './records.ts'

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

/** Adds the plan if a module provides entitlements. */
export async function withPlan({ entitlements }: Deps<never, 'entitlements'>, tenant: Tenant): Promise<Tenant> {
  return entitlements ? { ...tenant, planKey: (await entitlements.of(tenant.id)).planKey } : tenant
}

/** Adds the plans of all tenants in one statement. */
export async function withPlans<T extends StoredTenant>(
  { entitlements }: Deps<never, 'entitlements'>,
  tenants: readonly T[],
): Promise<(T & Tenant)[]> {
  const keys = await entitlements?.planKeys(tenants.map(({ id }) => id))
  return tenants.map(tenant => ({ ...tenant, planKey: keys?.get(tenant.id) ?? null }))
}

export function requireTenant<T>(row: T | undefined): T {
  if (row === undefined) throw common.not_found({ what: 'workspace' })
  return row
}
