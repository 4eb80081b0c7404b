import type { Caller } from '@larder-dev/larder/kernel'

/** The tenant whose records the caller can read, or null for all tenants. */
export function readScope(caller: Caller, tenantId: string | undefined, filter?: string): string | null {
  return scope(caller.can('platform.tenant.read_all'), tenantId, filter)
}

/** The tenant whose deliveries and jobs the caller can retry, or null for all tenants. */
export function retryScope(caller: Caller, tenantId: string | undefined): string | null {
  return scope(caller.can('platform.tenant.retry_all'), tenantId)
}

function scope(allTenants: boolean, tenantId: string | undefined, filter?: string): string | null {
  if (allTenants) return filter ?? null
  // Null means all tenants, so a missing tenant must not become null.
  if (tenantId === undefined) throw new Error('a caller without platform permission has no tenant')
  return tenantId
}
