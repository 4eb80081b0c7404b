import type { Models } from 'larder/kernel'
import type { Suppression } from './services/suppression-list.ts'

/** An entry of the suppression list. `upsert` requires the tenant under its column name. */
export interface SuppressionRow extends Suppression {
  readonly tenant_id: string
}

export const suppressionModel = (models: Models) =>
  models.define<SuppressionRow>(
    'CommsSuppression',
    types => ({
      id: { type: types.TEXT, primaryKey: true },
      tenant_id: { type: types.TEXT, allowNull: false },
      email: { type: types.TEXT, allowNull: false },
      category: { type: types.TEXT, allowNull: false },
      reason: { type: types.TEXT, allowNull: false },
      expiresAt: { type: types.DATE, field: 'expires_at' },
      createdAt: { type: types.DATE, allowNull: false, field: 'created_at' },
      updatedAt: { type: types.DATE, allowNull: false, field: 'updated_at' },
    }),
    { tableName: 'comms_suppression', timestamps: false },
  )
