/** Signing secrets of workspaces and endpoints. */
import { Bytes, Nullable, Time, Type, table } from '@larder-dev/larder/kernel'

export const secretTable = table(
  'webhooks_secrets',
  Type.Object({
    id: Type.String(),
    /** Null for the secret of the workspace. */
    endpointId: Nullable(Type.String()),
    sealed: Bytes,
    createdAt: Time,
    /** Null for the current secret. A rotated one signs until this time. */
    expiresAt: Nullable(Time),
  }),
  { what: 'secret', hidden: { tenantId: Type.String() } },
)
