/** What the module keeps about a person: the views that they saved. */
import { type Deps, listener, type Registrations } from '@larder-dev/larder/kernel'
import { viewTable } from '../records/view.ts'

const EXPORTED = ['id', 'list', 'name', 'shared', 'state', 'createdAt'] as const

/** What the export of their account contains. */
export const personalData =
  ({ database }: Deps<'database'>): Registrations['personalData'] =>
  async ({ tenantId, userId, limit }) => ({
    savedViews: await viewTable.newest(database.tenant(tenantId), { createdBy: userId }, EXPORTED, limit),
  })

/** Deletes the private views of a former member, which nobody else can see. */
export const forgetMember = ({ database }: Deps<'database'>) =>
  listener('identity.member.removed', async ({ tenantId, payload: { userId } }) => {
    await database.tenant(tenantId).query('delete from console_views where created_by = $1 and not shared', [userId])
  })
