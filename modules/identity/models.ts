/** The model of the table that people read in a list with filters. All other statements are SQL. */
import type { Models } from 'larder/kernel'

export interface AuditRow {
  readonly id: string
  readonly tenantId: string
  readonly action: string
  readonly actor: {
    readonly kind: 'login' | 'apiKey' | 'system'
    readonly id: string
    readonly userId: string | null
    readonly impersonatedBy?: string
  }
  readonly subject: string | null
  readonly details: Record<string, unknown>
  readonly createdAt: Date
}

export const auditModel = (models: Models) =>
  models.define<AuditRow>(
    'IdentityAudit',
    types => ({
      id: { type: types.TEXT, primaryKey: true },
      tenantId: { type: types.TEXT, allowNull: false, field: 'tenant_id' },
      action: { type: types.TEXT, allowNull: false },
      actor: { type: types.JSONB, allowNull: false },
      subject: types.TEXT,
      details: { type: types.JSONB, allowNull: false },
      createdAt: { type: types.DATE, allowNull: false, field: 'created_at' },
    }),
    { tableName: 'identity_audit' },
  )
