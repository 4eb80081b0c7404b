/** The condition with which an event, a press or a delivery starts a run. */
import type { Deps } from '@larder-dev/larder/kernel'
import type { Automation } from '../../domain/definition/automation.ts'
import { matches, pathsOf } from '../../domain/values/condition.ts'
import type { Offer } from '../../domain/values/resolve.ts'

export interface StartCondition {
  /** @param offer without the product and the workspace. */
  matches(when: Automation['when'], tenantId: string, offer: Offer): Promise<boolean>
}

export function createStartCondition({ product, tenantDirectory }: Deps<'product', 'tenantDirectory'>): StartCondition {
  const { key, name, publicUrl } = product
  return {
    async matches(when, tenantId, offer) {
      const isNamed = pathsOf(when).some(([root]) => root === 'workspace')
      const workspace = isNamed ? await tenantDirectory?.get(tenantId) : undefined
      return matches(when, { ...offer, product: { key, name, publicUrl }, workspace })
    },
  }
}
