import { listQuery, OneOf, route, Type, together } from '@larder-dev/larder/kernel'
import { STATUSES } from '../domain/delivery.ts'
import { problems } from '../problems.ts'
import { Deliveries, Delivery, DeliveryDetails } from '../records/delivery.ts'
import type { WebhookServices } from '../services.ts'

export function deliveryRoutes({ endpoints, deliveries }: Pick<WebhookServices, 'endpoints' | 'deliveries'>) {
  const byStatusAndType = {
    'filter[status]': Type.Optional(OneOf(STATUSES)),
    'filter[type]': Type.Optional(Type.String({ maxLength: 128 })),
  }
  return [
    route({
      method: 'get',
      path: '/webhooks/deliveries',
      operationId: 'listWebhookDeliveries',
      allow: 'webhooks.delivery.read',
      summary: 'Lists the webhook deliveries of the workspace, newest first.',
      query: listQuery({
        ...byStatusAndType,
        'filter[session_id]': Type.Optional(Type.String({ maxLength: 64 })),
        'filter[endpoint_id]': Type.Optional(Type.String({ maxLength: 64 })),
      }),
      replies: { 200: Deliveries },
      async handle({ query, tenantId }) {
        const { data, nextCursor } = await deliveries.list(tenantId, {
          limit: query.limit,
          cursor: query.cursor,
          status: query['filter[status]'],
          session_id: query['filter[session_id]'],
          endpoint_id: query['filter[endpoint_id]'],
          type: query['filter[type]'],
        })
        return { data, next_cursor: nextCursor }
      },
    }),
    route({
      method: 'get',
      path: '/webhooks/endpoints/:id/deliveries',
      operationId: 'listWebhookEndpointDeliveries',
      allow: 'webhooks.delivery.read',
      summary: 'Lists the deliveries of an endpoint, newest first.',
      query: listQuery(byStatusAndType),
      replies: { 200: Deliveries },
      async handle({ query, params, tenantId }) {
        const {
          page: { data, nextCursor },
        } = await together({
          endpoint: endpoints.get(tenantId, params.id),
          page: deliveries.list(tenantId, {
            limit: query.limit,
            cursor: query.cursor,
            status: query['filter[status]'],
            endpoint_id: params.id,
            type: query['filter[type]'],
          }),
        })
        return { data, next_cursor: nextCursor }
      },
    }),
    route({
      method: 'get',
      path: '/webhooks/deliveries/:id',
      operationId: 'getWebhookDelivery',
      allow: 'webhooks.delivery.read',
      summary: 'Returns a webhook delivery with its attempts.',
      replies: { 200: DeliveryDetails },
      handle: ({ params, tenantId }) => deliveries.get(tenantId, params.id),
    }),
    route({
      method: 'post',
      path: '/webhooks/deliveries/:id/retry',
      operationId: 'retryWebhookDelivery',
      allow: 'webhooks.delivery.retry',
      summary: 'Sends a webhook again, regardless of its status.',
      replies: { 202: Delivery },
      problems: [problems.endpoint_paused, problems.endpoint_deleted],
      handle: ({ params, tenantId }) => deliveries.retry(tenantId, params.id),
    }),
  ]
}
