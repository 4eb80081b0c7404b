/** Deleted accounts whose data is being erased. */
import { Nullable, Timestamp, Type, table } from '@larder-dev/larder/kernel'

export const erasureTable = table(
  'identity_erasures',
  Type.Object({
    userId: Type.String(),
    emails: Type.Array(Type.String()),
    name: Nullable(Type.String()),
    /** Tenants in which the user acted, or that invited them. */
    tenantIds: Type.Array(Type.String()),
    requestedAt: Timestamp,
  }),
  { what: 'erasure', key: 'userId' },
)
