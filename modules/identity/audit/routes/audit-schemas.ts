import { idPattern, Nullable, named, OneOf, Timestamp, Type } from '@larder-dev/larder/kernel'

export const AuditEntry = named(
  'AuditEntry',
  Type.Object({
    id: Type.String({ pattern: idPattern('aud') }),
    action: Type.String(),
    actor: named(
      'AuditActor',
      Type.Object({
        kind: OneOf(['login', 'apiKey', 'system']),
        id: Type.String(),
        userId: Nullable(Type.String()),
        impersonatedBy: Nullable(Type.String({ description: 'User ID of the operator who acted as the user' })),
      }),
    ),
    subject: Nullable(Type.String()),
    details: Type.Record(Type.String(), Type.Unknown()),
    users: Nullable(
      Type.Record(Type.String(), Type.String(), {
        description:
          "Names or addresses of the users in the operator's log, by ID, with `identity.user.read_all`; null in other logs",
      }),
    ),
    createdAt: Timestamp,
  }),
  { leavesOut: ['tenantId'] },
)
