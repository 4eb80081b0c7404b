/** A tenant's own values of flags. */
import { Time, Type, table } from '@larder-dev/larder/kernel'
import type { Value } from '../domain/value.ts'

export const overrideTable = table(
  'features_overrides',
  Type.Object({ key: Type.String(), value: Type.Unsafe<Value>({}), createdAt: Time, updatedAt: Time }),
  { what: 'override', key: 'key', hidden: { tenantId: Type.String() } },
)
