/** What features gives, tells and does later: types alone. */
import type { Features } from './services/feature-services.ts'

export interface FeatureNotice {
  featureId: string
  key: string
  enabled: boolean
  managedBy: string | null
}

declare module 'larder/kernel' {
  interface Ports {
    /** What flags are worth, and the services behind features' own routes. */
    features: Features
  }
  interface Events {
    'features.feature.created': FeatureNotice
    'features.feature.updated': FeatureNotice
    'features.feature.deleted': FeatureNotice
    'features.override.set': { key: string }
    'features.override.removed': { key: string }
  }
}
