/** Caches each tenant's plan for one second. A message on the bus drops the entry in every process. */
import { type Deps, SECOND } from 'larder/kernel'
import type { TenantPlan } from '../ports.ts'

const MAX_ENTRIES = 10_000

export interface PlanCache {
  of(tenantId: string): Promise<TenantPlan>
  stop(): void
}

/**
 * Concurrent lookups don't share one query: a query that waits behind an advisory lock in one transaction would block
 * the holder of that lock in another.
 */
export function createPlanCache(
  { bus, clock }: Deps<'bus' | 'clock'>,
  load: (tenantId: string) => Promise<TenantPlan>,
): PlanCache {
  const entries = new Map<string, { readonly plan: TenantPlan; readonly expiresAt: number }>()
  let generation = 0
  const stop = bus.subscribe(
    'billing.changed',
    ({ tenantId }) => {
      generation++
      entries.delete(tenantId)
    },
    () => {
      generation++
      entries.clear()
    },
  )
  return {
    stop,
    async of(tenantId) {
      const entry = entries.get(tenantId)
      if (entry && entry.expiresAt > clock.now()) return entry.plan
      const [startGeneration, expiresAt] = [generation, clock.now() + SECOND]
      const plan = await load(tenantId)
      // A plan that was read before a change must not be cached after it.
      if (startGeneration !== generation) return plan
      const [oldest] = entries.keys()
      if (entries.size >= MAX_ENTRIES && oldest !== undefined) entries.delete(oldest)
      entries.delete(tenantId)
      entries.set(tenantId, { plan, expiresAt })
      return plan
    },
  }
}
