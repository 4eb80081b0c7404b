import { Nullable, type RecordOf, Timestamp, Type, table } from '@larder-dev/larder/kernel'

interface StoredActor {
  readonly kind: 'login' | 'apiKey' | 'system'
  readonly id: string
  readonly userId: string | null
  readonly impersonatedBy?: string | undefined
}

export const auditTable = table(
  'identity_audit',
  Type.Object({
    id: Type.String(),
    tenantId: Type.String(),
    action: Type.String(),
    actor: Type.Unsafe<StoredActor>({ type: 'object' }),
    subject: Nullable(Type.String()),
    details: Type.Unsafe<Readonly<Record<string, unknown>>>({ type: 'object' }),
    createdAt: Timestamp,
  }),
  { what: 'audit entry' },
)
export type AuditRow = RecordOf<typeof auditTable>
