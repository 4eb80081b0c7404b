import { defineModule } from '@larder-dev/larder/kernel'
import { actions } from './actions.ts'
import { events } from './events.ts'
import { webhookJobs } from './jobs.ts'
import { webhookListeners } from './listeners.ts'
import { policyOf, WebhooksOptions } from './options.ts'
import type {} from './ports.ts'
import { problems } from './problems.ts'
import { plan, reconcile } from './recipe/endpoints.ts'
import { sections } from './recipe/sections.ts'
import { validate } from './recipe/validate.ts'
import { resources } from './resources.ts'
import { deliveryRoutes } from './routes/deliveries.ts'
import { endpointRoutes } from './routes/endpoints.ts'
import { eventTypeRoutes } from './routes/event-types.ts'
import { secretRoutes } from './routes/secrets.ts'
import { countEndpoints } from './services/endpoint-service.ts'
import { createWebhooks } from './services/enqueue-service.ts'
import { erasePersonalData } from './services/personal-data-erasure.ts'
import { queueMetrics } from './services/queue-metrics.ts'
import { SECRET_COLUMN } from './services/secret-store.ts'

export default defineModule({
  name: 'webhooks',
  summary: 'Sends events to webhook endpoints and session events to their URLs, signed according to Standard Webhooks.',
  needs: [
    'database',
    'systemDatabase',
    'clock',
    'secrets',
    'log',
    'events',
    'operator',
    'product',
    'process',
    'registry',
    'caches',
    'theme',
    'outbound',
  ],
  optional: ['entitlements', 'mailer', 'people', 'tenantDirectory'],
  options: WebhooksOptions,
  sections,
  validate,
  permissions: {
    'webhooks.endpoint.read': 'View webhook endpoints',
    'webhooks.endpoint.create': 'Create webhook endpoints',
    'webhooks.endpoint.update': 'Change, pause and test webhook endpoints',
    'webhooks.endpoint.delete': 'Delete webhook endpoints',
    'webhooks.secret.read': 'View webhook signing secrets',
    'webhooks.secret.rotate': 'Rotate webhook signing secrets',
    'webhooks.delivery.read': 'View webhook deliveries',
    'webhooks.delivery.retry': 'Retry webhook deliveries',
  },
  problems,
  limits: ['webhooks.rotate', 'webhooks.test'],
  usage: { 'webhooks.endpoints': countEndpoints },
  events,
  actions,
  services: async () => (await import('./services.ts')).services,
  provides: {
    webhookTargets: ({ outbound }, options) => outbound.connections(policyOf(options)),
    webhooks: createWebhooks,
  },
  routes: deps => [...endpointRoutes(deps), ...eventTypeRoutes(deps), ...secretRoutes(deps), ...deliveryRoutes(deps)],
  resources: () => resources,
  names: () => [
    {
      prefix: 'whe',
      title: 'Webhook endpoint',
      resource: 'webhooks.endpoints',
      names: {
        allow: 'webhooks.endpoint.read',
        sql: 'select id, url as name from webhooks_endpoints where id = any ($1)',
      },
    },
  ],
  openapi: ({ eventCatalog }) => eventCatalog.openapi(),
  listeners: webhookListeners,
  jobs: webhookJobs,
  metrics: queueMetrics,
  erasePersonalData,
  stopTenant: ({ deliveries }) => deliveries.stopTenant,
  deleteTenant: ({ deliveries }) => deliveries.deleteEventsOf,
  sealedColumns: () => [SECRET_COLUMN],
  giveUpOutgoing: ({ deliveries }) => deliveries.giveUp,
  reconcile,
  plan,
  stop: async ({ sender, requests }) => {
    await sender.stop()
    requests.close()
  },
  migrations: new URL('./migrations/', import.meta.url),
  emails: new URL('./emails/', import.meta.url),
  locales: new URL('./locales/', import.meta.url),
})
