import { type Deps, HOUR, listQuery, OneOf, route, Type } from 'larder/kernel'
import { createDeliveries } from '../services/delivery-service.ts'
import { Deliveries, Delivery, DeliveryDetails, RotatedSecret, Secret, STATUSES } from './delivery-schemas.ts'
import { createSecretStore } from '../services/secret-store.ts'

export function webhookRoutes(deps: Deps<'database' | 'clock' | 'secrets'>) {
  const store = createSecretStore(deps)
  const deliveries = createDeliveries(deps)
  return [
    route({
      method: 'get',
      path: '/webhooks/secret',
      allow: 'webhooks.secret.read',
      summary: 'The secret that signs the webhooks of this workspace (Standard Webhooks 1.0.0).',
      replies: { 200: Secret },
      handle: async ({ tenantId }) => ({ secret: await store.current(tenantId) }),
    }),
    route({
      method: 'post',
      path: '/webhooks/secret/rotate',
      allow: 'webhooks.secret.rotate',
      summary: 'Replaces the secret; for 24 hours both sign.',
      replies: { 200: RotatedSecret },
      limits: [{ name: 'webhooks.rotate', points: 20, window: HOUR, by: 'principal' }],
      handle: ({ tenantId }) => store.rotate(tenantId),
    }),
    route({
      method: 'get',
      path: '/webhooks/deliveries',
      allow: 'webhooks.delivery.read',
      summary: 'Webhooks of this workspace, newest first, with what became of them.',
      query: listQuery({
        'filter[status]': Type.Optional(OneOf(STATUSES)),
        'filter[session_id]': Type.Optional(Type.String({ maxLength: 64 })),
        'filter[type]': Type.Optional(Type.String({ maxLength: 64 })),
      }),
      replies: { 200: Deliveries },
      async handle({ query, tenantId }) {
        const { data, nextCursor } = await deliveries.list(tenantId, {
          limit: query.limit,
          cursor: query.cursor,
          status: query['filter[status]'],
          session: query['filter[session_id]'],
          type: query['filter[type]'],
        })
        return { data, next_cursor: nextCursor }
      },
    }),
    route({
      method: 'get',
      path: '/webhooks/deliveries/:id',
      allow: 'webhooks.delivery.read',
      summary: 'A webhook with its attempts.',
      replies: { 200: DeliveryDetails },
      handle: ({ params, tenantId }) => deliveries.get(tenantId, params.id),
    }),
    route({
      method: 'post',
      path: '/webhooks/deliveries/:id/retry',
      allow: 'webhooks.delivery.retry',
      summary: 'Sends a webhook again, whatever became of it.',
      replies: { 202: Delivery },
      handle: ({ params, tenantId }) => deliveries.retry(tenantId, params.id),
    }),
  ]
}
