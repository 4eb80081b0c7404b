/** Whose events a caller may look at: a tenant's, or null for everybody's. */
import type { Caller } from 'larder/kernel'
export function readReach(caller: Caller, tenantId: string | undefined, wanted?: string): string | null {
  return reach(caller.can('platform.tenant.read_all'), tenantId, wanted)
}

/** Whose deliveries and jobs a caller may start again: a tenant's, or null for everybody's. */
export function retryReach(caller: Caller, tenantId: string | undefined): string | null {
  return reach(caller.can('platform.tenant.retry_all'), tenantId)
}

function reach(everywhere: boolean, tenantId: string | undefined, wanted?: string): string | null {
  if (everywhere) return wanted ?? null
  // Null means everybody's, so a missing tenant must never become it.
  if (tenantId === undefined) throw new Error('a caller without the whole platform came without a tenant')
  return tenantId
}
