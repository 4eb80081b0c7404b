import { defineModule } from 'larder/kernel'
import { createTargets, parseAllowedHosts } from './domain/targets.ts'
import { webhookJobs } from './jobs.ts'
import { webhookListeners } from './listeners.ts'
import { WebhooksOptions } from './options.ts'
import type {} from './ports.ts'
import { deliveryRoutes } from './routes/deliveries.ts'
import { secretRoutes } from './routes/secrets.ts'
import { connectTo, createDialer, createResolver } from './services/dialer.ts'
import { createWebhooks } from './services/enqueue-service.ts'
import { createHttpClient } from './services/http-client.ts'
import { createSender } from './services/sender.ts'

export default defineModule({
  name: 'webhooks',
  summary: 'Sends session events to webhook URLs, signed according to Standard Webhooks.',
  needs: ['database', 'systemDatabase', 'clock', 'secrets', 'log'],
  options: WebhooksOptions,
  permissions: {
    'webhooks.secret.read': 'View the webhook signing secret',
    'webhooks.secret.rotate': 'Rotate the webhook signing secret',
    'webhooks.delivery.read': 'View webhook deliveries',
    'webhooks.delivery.retry': 'Retry webhook deliveries',
  },
  limits: ['webhooks.rotate'],
  provides: {
    webhookTargets: (_, { allowHosts }) => createTargets(parseAllowedHosts(allowHosts)),
    webhookSender(deps, { allowHosts }) {
      const dial = createDialer(parseAllowedHosts(allowHosts), createResolver(), connectTo)
      return createSender(deps, createHttpClient(dial))
    },
    webhooks: createWebhooks,
  },
  routes: deps => [...secretRoutes(deps), ...deliveryRoutes(deps)],
  listeners: webhookListeners,
  jobs: webhookJobs,
  stop: ({ webhookSender }) => webhookSender.stop(),
  migrations: new URL('./migrations/', import.meta.url),
  locales: new URL('./locales/', import.meta.url),
})
