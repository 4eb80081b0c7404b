import { Nullable, Type } from 'larder/kernel'

const Feature = Type.Object({
  featureId: Type.String(),
  key: Type.String(),
  enabled: Type.Boolean(),
  managedBy: Nullable(Type.String()),
})
const Override = Type.Object({ key: Type.String() })

export const events = {
  'features.feature.created': Feature,
  'features.feature.updated': Feature,
  'features.feature.deleted': Feature,
  'features.override.set': Override,
  'features.override.removed': Override,
}
