/** Private services of features. */
import type { ServicesOf } from '@larder-dev/larder/kernel'
import { createEvaluationService } from './services/evaluation-service.ts'
import { createFlagCache } from './services/flag-cache.ts'
import { createFlagHistory } from './services/flag-history.ts'
import { createFlagListing } from './services/flag-listing.ts'
import { createFlagService } from './services/flag-service.ts'
import { createOverrideService } from './services/override-service.ts'

export const services = {
  evaluations: createEvaluationService,
  flagCache: createFlagCache,
  flagHistory: createFlagHistory,
  flagListing: createFlagListing,
  flags: createFlagService,
  overrides: createOverrideService,
}
export type FeatureServices = ServicesOf<typeof services>
