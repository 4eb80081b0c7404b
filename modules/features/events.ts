import { Nullable, named, publicEvent, Type } from '@larder-dev/larder/kernel'

const Feature = named(
  'FeatureEventData',
  Type.Object({
    featureId: Type.String(),
    key: Type.String(),
    enabled: Type.Boolean(),
    managedBy: Nullable(Type.String()),
  }),
)
const Override = named('OverrideEventData', Type.Object({ key: Type.String() }))

export const events = {
  'features.feature.created': publicEvent('A feature flag was created.', Feature),
  'features.feature.updated': publicEvent('A feature flag was updated.', Feature),
  'features.feature.deleted': publicEvent('A feature flag was deleted.', Feature),
  'features.override.set': publicEvent('An override of a feature flag was set.', Override),
  'features.override.removed': publicEvent('An override of a feature flag was removed.', Override),
}
