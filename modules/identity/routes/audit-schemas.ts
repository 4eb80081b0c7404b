import { idPattern, Nullable, OneOf, Timestamp, Type } from 'larder/kernel'

export const AuditEntry = Type.Object({
  id: Type.String({ pattern: idPattern('aud') }),
  action: Type.String(),
  actor: Type.Object({
    kind: OneOf(['login', 'apiKey', 'system']),
    id: Type.String(),
    userId: Nullable(Type.String()),
  }),
  subject: Nullable(Type.String()),
  details: Type.Record(Type.String(), Type.Unknown()),
  createdAt: Timestamp,
})
