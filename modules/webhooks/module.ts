import { defineModule, job, listener, SECOND } from 'larder/kernel'
import { createWebhooks } from './announce.ts'
import { createAllowed, createTargets } from './core/targets.ts'
import { createDeliveries } from './deliveries.ts'
import { connectTo, createDialer, createResolve } from './net/connect.ts'
import { createPost } from './net/post.ts'
import { WebhooksOptions } from './options.ts'
import type {} from './ports.ts'
import { webhookRoutes } from './routes.ts'
import { createSender } from './sender.ts'

const SESSION_EVENTS = [
  'sessions.session.created',
  'sessions.session.accepted',
  'sessions.session.ended',
  'sessions.session.expired',
] as const

export default defineModule({
  name: 'webhooks',
  summary: 'Sends session events to webhook URLs, signed according to Standard Webhooks.',
  needs: ['database', 'clock', 'secrets', 'log'],
  options: WebhooksOptions,
  permissions: {
    'webhooks.secret.read': 'Read the secret that signs webhooks',
    'webhooks.secret.rotate': 'Replace the secret that signs webhooks',
    'webhooks.delivery.read': 'Read what became of webhooks',
    'webhooks.delivery.retry': 'Send webhooks again',
  },
  limits: ['webhooks.rotate'],
  provides: {
    webhookTargets: (_, { allowHosts }) => createTargets(createAllowed(allowHosts)),
    webhookSender(deps, { allowHosts }) {
      const dial = createDialer(createAllowed(allowHosts), createResolve(), connectTo)
      return createSender(deps, createPost(dial))
    },
    webhooks: createWebhooks,
  },
  routes: webhookRoutes,
  listeners: deps => [
    ...SESSION_EVENTS.map(type => listener(type, event => deps.webhooks.announce(event), { concurrent: true })),
    listener('identity.tenant.deleted', ({ tenantId }) => createDeliveries(deps).forgetTenant(tenantId)),
  ],
  jobs: deps => [
    job('webhooks.send', { every: '2s', timeout: 5 * SECOND, run: async () => deps.webhookSender.wake() }),
    job('webhooks.sweep', { every: '1h', run: (_, { signal }) => createDeliveries(deps).sweep(signal) }),
  ],
  stop: ({ webhookSender }) => webhookSender.stop(),
  migrations: new URL('./migrations/', import.meta.url),
  locales: new URL('./locales/', import.meta.url),
})
