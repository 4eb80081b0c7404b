import { Nullable, type RecordOf, Timestamp, Type, table } from '@larder-dev/larder/kernel'

export interface StoredActor {
  readonly kind: 'login' | 'apiKey' | 'system'
  readonly id: string
  readonly userId: string | null
  readonly impersonatedBy?: string | undefined
}

export const auditFields = {
  id: Type.String(),
  tenantId: Type.String(),
  action: Type.String(),
  actor: Type.Unsafe<StoredActor>({ type: 'object' }),
  subject: Nullable(Type.String()),
  details: Type.Unsafe<Readonly<Record<string, unknown>>>({ type: 'object' }),
  createdAt: Timestamp,
}
export const auditTable = table('identity_audit', Type.Object(auditFields), { what: 'audit entry' })
export type AuditRow = RecordOf<typeof auditTable>
