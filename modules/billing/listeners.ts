import { type Deps, listener } from '@larder-dev/larder/kernel'
import type { BillingServices } from './services.ts'

type ListenerDeps = Deps<'database'> & Pick<BillingServices, 'subscriptionRows' | 'subscriptions'>

export const listeners = ({ database, subscriptionRows, subscriptions }: ListenerDeps) => [
  listener('identity.tenant.created', ({ tenantId }) => subscriptionRows.create(database.tenant(tenantId), tenantId), {
    concurrent: true,
  }),
  listener('identity.tenant.deleted', ({ tenantId }) =>
    database.tenant(tenantId).transaction(unit => subscriptions.cancelAtProvider(unit, tenantId)),
  ),
]
