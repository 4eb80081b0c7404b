import type { Registrations } from '@larder-dev/larder/kernel'

const PAUSE_REASON_WORDS = {
  manual: { title: 'By a person' },
  failing: { title: 'All attempts failed' },
  gone: { title: 'The receiver no longer exists' },
}
const DEAD_REASON_WORDS = {
  gone: { title: 'The receiver no longer exists' },
  refused: { title: 'The address is not allowed' },
  exhausted: { title: 'All attempts failed' },
  paused: { title: 'The endpoint was paused' },
  deleted: { title: 'The endpoint was deleted' },
}

export const resources: Registrations['resources'] = [
  {
    name: 'endpoints',
    group: 'product',
    title: 'Webhook endpoints',
    singular: 'Webhook endpoint',
    label: 'url',
    icon: 'webhook',
    operations: {
      list: 'listWebhookEndpoints',
      get: 'getWebhookEndpoint',
      create: 'createWebhookEndpoint',
      update: 'updateWebhookEndpoint',
      delete: 'deleteWebhookEndpoint',
    },
    columns: ['url', 'events', 'status', 'pause_reason', 'failing_since', 'created_at', 'managed_by'],
    filters: ['filter[status]', 'filter[event]'],
    states: {
      pause_reason: PAUSE_REASON_WORDS,
      managed_by: { recipe: { title: 'From the recipe', tone: 'plain' } },
    },
    actions: [
      {
        operation: 'pauseWebhookEndpoint',
        title: 'Pause',
        danger: true,
        confirm: 'Stop sending events to this endpoint?',
      },
      { operation: 'resumeWebhookEndpoint', title: 'Resume' },
      { operation: 'redeliverWebhooks', title: 'Send missed events' },
      {
        operation: 'rotateWebhookEndpointSecret',
        title: 'Rotate the secret',
        danger: true,
        confirm: 'Receivers must verify signatures with the new secret. Rotate it?',
      },
    ],
    relations: [{ resource: 'webhooks.deliveries', parameters: { 'filter[endpoint_id]': 'id' } }],
  },
  {
    name: 'deliveries',
    title: 'Deliveries',
    singular: 'Delivery',
    label: 'type',
    icon: 'send',
    operations: { list: 'listWebhookDeliveries', get: 'getWebhookDelivery' },
    columns: ['type', 'url', 'status', 'attempt_count', 'response_status', 'error', 'created_at', 'delivered_at'],
    filters: ['filter[status]', 'filter[type]', 'filter[endpoint_id]', 'filter[session_id]'],
    states: { reason: DEAD_REASON_WORDS },
    labels: { endpoint_id: 'Webhook endpoint', 'filter[endpoint_id]': 'Webhook endpoint' },
    actions: [{ operation: 'retryWebhookDelivery', title: 'Retry' }],
  },
  {
    name: 'event-types',
    title: 'Event types',
    singular: 'Event type',
    label: 'type',
    key: 'type',
    icon: 'list',
    operations: { list: 'listEventTypes' },
    columns: ['type', 'description'],
  },
]
