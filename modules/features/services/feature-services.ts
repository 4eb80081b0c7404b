/** The services of features, made once. */
import type { Deps } from 'larder/kernel'
import { createEvaluator } from './evaluation-service.ts'
import { createFlags } from './flag-service.ts'
import { createListing } from './flag-listing.ts'
import { createMemory } from './flag-cache.ts'
import { createOverrides } from './override-service.ts'

export const NEEDS = ['database', 'clock', 'events', 'bus', 'operator'] as const
export const WANTS = ['entitlements', 'identity'] as const
export type FeaturesNeeds = (typeof NEEDS)[number]

export function createFeatures(deps: Deps<FeaturesNeeds, (typeof WANTS)[number]>) {
  const memory = createMemory(deps)
  const evaluator = createEvaluator(deps, memory)
  return {
    memory,
    evaluator,
    flags: createFlags(deps, memory),
    listing: createListing(deps),
    overrides: createOverrides(deps, memory),
    /** The value of a flag for somebody; `fallback` where there is no such flag of this type. */
    value: evaluator.value,
  }
}
export type Features = ReturnType<typeof createFeatures>
