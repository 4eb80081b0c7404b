/** The data that the module keeps about a person, for the export of their account. */
import type { Deps, Registrations } from '@larder-dev/larder/kernel'
import { itemTable } from '../records/item.ts'

const EXPORTED = ['id', 'fileName', 'folder', 'mimeType', 'size', 'sha256', 'status', 'isPublic', 'createdAt'] as const

export const personalData =
  ({ database }: Deps<'database'>): Registrations['personalData'] =>
  async ({ tenantId, userId, limit }) => ({
    files: await itemTable.newest(database.tenant(tenantId), { createdBy: userId }, EXPORTED, limit),
  })
