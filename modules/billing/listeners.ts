import { type Deps, listener } from '@larder-dev/larder/kernel'
import type { BillingDeps } from './services/billing-services.ts'

export const listeners = ({ billing, database }: BillingDeps & Deps<'database'>) => [
  listener(
    'identity.tenant.created',
    ({ tenantId }) => billing.subscriptionRows.create(database.tenant(tenantId), tenantId),
    { concurrent: true },
  ),
  listener('identity.tenant.deleted', ({ tenantId }) =>
    database.tenant(tenantId).transaction(unit => billing.subscriptions.cancelAtProvider(unit, tenantId)),
  ),
]
