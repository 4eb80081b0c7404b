import { listQuery, OneOf, route, Type, together } from '@larder-dev/larder/kernel'
import { STATUSES } from '../domain/delivery.ts'
import { problems } from '../problems.ts'
import { Deliveries, Delivery, DeliveryDetails } from '../records/delivery.ts'
import type { WebhookServices } from '../services.ts'

export function deliveryRoutes({ endpoints, deliveries }: Pick<WebhookServices, 'endpoints' | 'deliveries'>) {
  const byStatusAndType = { status: OneOf(STATUSES), type: Type.String({ maxLength: 128 }) }
  return [
    route({
      method: 'get',
      path: '/webhooks/deliveries',
      operationId: 'listWebhookDeliveries',
      allow: 'webhooks.delivery.read',
      summary: 'Lists the webhook deliveries of the workspace, newest first.',
      query: listQuery(),
      filters: {
        ...byStatusAndType,
        session_id: Type.String({ maxLength: 64 }),
        endpoint_id: Type.String({ maxLength: 64 }),
      },
      replies: { 200: Deliveries },
      async handle({ query, filters, tenantId }) {
        const { data, nextCursor } = await deliveries.list(tenantId, { ...query, ...filters })
        return { data, next_cursor: nextCursor }
      },
    }),
    route({
      method: 'get',
      path: '/webhooks/endpoints/:id/deliveries',
      operationId: 'listWebhookEndpointDeliveries',
      allow: 'webhooks.delivery.read',
      summary: 'Lists the deliveries of an endpoint, newest first.',
      query: listQuery(),
      filters: byStatusAndType,
      replies: { 200: Deliveries },
      async handle({ query, filters, params, tenantId }) {
        const {
          page: { data, nextCursor },
        } = await together({
          endpoint: endpoints.get(tenantId, params.id),
          page: deliveries.list(tenantId, { ...query, ...filters, endpoint_id: params.id }),
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
