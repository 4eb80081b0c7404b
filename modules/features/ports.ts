/** Ports, events and channels of features: types only. */
import type { PayloadsOf } from '@larder-dev/larder/kernel'
import type { Subject } from './domain/attributes.ts'
import type { Value, Widened } from './domain/value.ts'
import type { events } from './events.ts'

/** Evaluates flags for other modules. */
export interface FeatureFlags {
  /** The value for the subject; `fallback` if no flag of this type has the key. */
  value<T extends Value>(key: string, fallback: T, subject: Subject): Promise<Widened<T>>
}

declare module '@larder-dev/larder/kernel' {
  interface Ports {
    features: FeatureFlags
  }
  interface Events extends PayloadsOf<typeof events> {}
  interface Channels {
    /** The tenant whose flags or overrides changed; null for flags of the recipe, which apply to every tenant. */
    'features.changed': { tenantId: string | null }
  }
}
