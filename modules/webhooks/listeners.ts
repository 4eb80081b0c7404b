import { type Deps, listener } from 'larder/kernel'
import { createDeliveries } from './services/delivery-service.ts'

const SESSION_EVENTS = [
  'sessions.session.created',
  'sessions.session.accepted',
  'sessions.session.ended',
  'sessions.session.expired',
] as const

export const webhookListeners = (deps: Deps<'database' | 'systemDatabase' | 'clock' | 'webhooks'>) => [
  ...SESSION_EVENTS.map(type => listener(type, event => deps.webhooks.enqueue(event), { concurrent: true })),
  listener('identity.tenant.deleted', ({ tenantId }) => createDeliveries(deps).deleteTenantData(tenantId)),
]
