/** Which plan each tenant has, kept for a second at most and dropped when it changes, here or elsewhere. */
import { type Deps, SECOND } from 'larder/kernel'
import type { TenantPlan } from '../ports.ts'

/** Message on this channel: `{ tenantId }`, whose plan is another now. */
export const CHANGED = 'billing.changed'
const MOST = 10_000

export interface PlanMemory {
  of(tenantId: string): Promise<TenantPlan>
  stop(): void
}

export function createPlanMemory(
  { bus, clock }: Deps<'bus' | 'clock'>,
  load: (tenantId: string) => Promise<TenantPlan>,
): PlanMemory {
  const kept = new Map<string, { readonly plan: TenantPlan; readonly until: number }>()
  let age = 0
  const stop = bus.subscribe(
    CHANGED,
    message => {
      age++
      kept.delete(String((message as { tenantId?: unknown } | null)?.tenantId))
    },
    () => {
      age++
      kept.clear()
    },
  )
  return {
    stop,
    async of(tenantId) {
      const found = kept.get(tenantId)
      if (found && found.until > clock.now()) return found.plan
      const [began, until] = [age, clock.now() + SECOND]
      const plan = await load(tenantId)
      // What was read before a change must not be kept after it.
      if (began !== age) return plan
      const [oldest] = kept.keys()
      if (kept.size >= MOST && oldest !== undefined) kept.delete(oldest)
      kept.delete(tenantId)
      kept.set(tenantId, { plan, until })
      return plan
    },
  }
}
