import { type Deps, listQuery, OneOf, route, Type } from 'larder/kernel'
import { STATUSES } from '../domain/delivery.ts'
import { createDeliveries } from '../services/delivery-service.ts'
import { Deliveries, Delivery, DeliveryDetails } from './delivery-schemas.ts'

export function deliveryRoutes(deps: Deps<'database' | 'systemDatabase' | 'clock'>) {
  const deliveries = createDeliveries(deps)
  return [
    route({
      method: 'get',
      path: '/webhooks/deliveries',
      allow: 'webhooks.delivery.read',
      summary: 'Lists the webhook deliveries of the workspace, newest first.',
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
      summary: 'Returns a webhook delivery with its attempts.',
      replies: { 200: DeliveryDetails },
      handle: ({ params, tenantId }) => deliveries.get(tenantId, params.id),
    }),
    route({
      method: 'post',
      path: '/webhooks/deliveries/:id/retry',
      allow: 'webhooks.delivery.retry',
      summary: 'Sends a webhook again, regardless of its status.',
      replies: { 202: Delivery },
      handle: ({ params, tenantId }) => deliveries.retry(tenantId, params.id),
    }),
  ]
}
