import { Nullable, named, type Static, Timestamp, Type } from '@larder-dev/larder/kernel'

export const Impersonation = named(
  'Impersonation',
  Type.Object({
    by: named(
      'ImpersonationOperator',
      Type.Object({ id: Type.String(), email: Type.String(), name: Nullable(Type.String()) }),
    ),
    reason: Type.String(),
    expiresAt: Timestamp,
  }),
)
export type Impersonation = Static<typeof Impersonation>
