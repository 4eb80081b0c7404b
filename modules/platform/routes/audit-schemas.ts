import { Nullable, Timestamp, Type } from 'larder/kernel'

const Text = Type.String()

export const AuditRecord = Type.Object({
  id: Text,
  tenantId: Text,
  action: Text,
  actor: Type.Object({ kind: Text, id: Text, userId: Nullable(Text) }),
  subject: Nullable(Text),
  details: Type.Record(Type.String(), Type.Unknown()),
  createdAt: Timestamp,
})
