import { type Deps, listener } from '@larder-dev/larder/kernel'
import { workspaceOf } from './domain/subject.ts'
import type { BillingServices } from './services.ts'

type ListenerDeps = Deps<'database'> & Pick<BillingServices, 'subjects' | 'subscriptionRows' | 'subscriptions'>

export const listeners = ({ database, subjects, subscriptionRows, subscriptions }: ListenerDeps) => [
  listener(
    'identity.tenant.created',
    ({ tenantId }) => subscriptionRows.create(database.tenant(tenantId), workspaceOf(tenantId)),
    {
      concurrent: true,
    },
  ),
  listener('identity.tenant.deleted', ({ tenantId }) =>
    database.tenant(tenantId).transaction(unit => subscriptions.cancelAtProvider(unit, workspaceOf(tenantId))),
  ),
  listener('identity.member.removed', async ({ tenantId, payload: { memberId, userId } }) => {
    const customer = subjects.of({ tenantId, memberId, userId })
    if (!customer.memberId) return
    await database.tenant(tenantId).transaction(unit => subscriptions.cancelAtProvider(unit, customer))
  }),
]
