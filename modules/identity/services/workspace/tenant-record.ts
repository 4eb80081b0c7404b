import { common, type Deps, type Unit } from '@larder-dev/larder/kernel'
import { iso } from '../../domain/time.ts'
import type { Tenant } from '../../records/tenant.ts'

export interface TenantRow {
  tenant_id: string
  name: string
  slug: string
  created_at: Date
  updated_at: Date
}

export const TENANT_COLUMNS = 'tenant_id, name, slug, created_at, updated_at'

/** Serializes changes to the members, roles and invitations of a tenant. */
export async function lockTenant(unit: Unit, tenantId: string): Promise<void> {
  const { rows } = await unit.query<{ tenant_id: string }>(
    'select tenant_id from identity_tenants where tenant_id = $1 for no key update',
    [tenantId],
  )
  requireTenant(rows[0])
}

export const toTenant = (row: TenantRow): Tenant => ({
  id: row.tenant_id,
  name: row.name,
  slug: row.slug,
  // Plans belong to another module; see withPlan.
  planKey: null,
  createdAt: iso(row.created_at),
  updatedAt: iso(row.updated_at),
})

/** Adds a plan that was read with the tenant. */
export const onPlan = (tenant: Tenant, plan: { readonly planKey: string } | undefined): Tenant => ({
  ...tenant,
  planKey: plan?.planKey ?? null,
})

/** Adds the plan if a module provides entitlements. */
export async function withPlan({ entitlements }: Deps<never, 'entitlements'>, tenant: Tenant): Promise<Tenant> {
  return entitlements ? { ...tenant, planKey: (await entitlements.of(tenant.id)).planKey } : tenant
}

/** Adds the plans of all tenants in one statement. */
export async function withPlans(
  { entitlements }: Deps<never, 'entitlements'>,
  tenants: readonly Tenant[],
): Promise<Tenant[]> {
  const keys = await entitlements?.planKeys(tenants.map(({ id }) => id))
  return tenants.map(tenant => ({ ...tenant, planKey: keys?.get(tenant.id) ?? null }))
}

export function requireTenant<T>(row: T | undefined): T {
  if (row === undefined) throw common.not_found({ what: 'workspace' })
  return row
}
