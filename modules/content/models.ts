import type { Models } from 'larder/kernel'
import type { Redirect } from './records/redirect.ts'

export interface RedirectRow extends Redirect {
  readonly tenantId: string
}

export const redirectModel = (models: Models) =>
  models.define<RedirectRow>(
    'ContentRedirect',
    ({ TEXT, INTEGER, DATE }) => ({
      id: { type: TEXT, primaryKey: true },
      tenantId: TEXT,
      from: { type: TEXT, field: 'source' },
      to: { type: TEXT, field: 'target' },
      status: INTEGER,
      managedBy: TEXT,
      createdAt: DATE,
      updatedAt: DATE,
    }),
    { tableName: 'content_redirects' },
  )
