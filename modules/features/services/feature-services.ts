/** Wires the services of the features module. */
import type { Deps } from '@larder-dev/larder/kernel'
import { createEvaluationService, type EvaluationService } from './evaluation-service.ts'
import { createFlagCache, type FlagCache } from './flag-cache.ts'
import { createFlagHistory, type FlagHistory } from './flag-history.ts'
import { createFlagListing, type FlagListing } from './flag-listing.ts'
import { createFlagService, type FlagService } from './flag-service.ts'
import { createOverrideService, type OverrideService } from './override-service.ts'

export interface FeatureServices {
  readonly cache: FlagCache
  readonly evaluations: EvaluationService
  readonly flags: FlagService
  readonly history: FlagHistory
  readonly listing: FlagListing
  readonly overrides: OverrideService
}

type Needs = 'database' | 'systemDatabase' | 'clock' | 'events' | 'caches' | 'operator'

export function createFeatureServices(deps: Deps<Needs, 'entitlements' | 'tenantDirectory'>): FeatureServices {
  const cache = createFlagCache(deps)
  const listing = createFlagListing(deps)
  return {
    cache,
    evaluations: createEvaluationService(deps, cache),
    flags: createFlagService(deps, cache),
    history: createFlagHistory(deps, listing),
    listing,
    overrides: createOverrideService(deps, cache),
  }
}
