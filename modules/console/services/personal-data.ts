/** What the module keeps about a person: the views that they saved. */
import { type Deps, listener, type Registrations } from '@larder-dev/larder/kernel'

/** What the export of their account contains. */
export const personalData =
  ({ database }: Deps<'database'>): Registrations['personalData'] =>
  async ({ tenantId, userId, limit }) => {
    const { rows } = await database.tenant(tenantId).query<object>(
      `select id, list, name, shared, state, created_at as "createdAt" from console_views
       where created_by = $1 order by id desc limit $2`,
      [userId, limit],
    )
    return { savedViews: rows }
  }

/** Deletes the private views of a former member, which nobody else can see. */
export const forgetMember = ({ database }: Deps<'database'>) =>
  listener('identity.member.removed', async ({ tenantId, payload: { userId } }) => {
    await database.tenant(tenantId).query('delete from console_views where created_by = $1 and not shared', [userId])
  })
