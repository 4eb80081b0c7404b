import { Nullable, named, OneOf, type Static, Time, Timestamp, Type, table } from '@larder-dev/larder/kernel'
import { DEAD_REASONS, MAX_LOGGED_ATTEMPTS, STATUSES } from '../domain/delivery.ts'

const Integer = Type.Integer()
const Text = Type.String()

const fields = {
  id: Type.String({ description: 'Sent as the header webhook-id; the same for every attempt' }),
  event_id: Text,
  type: Text,
  endpoint_id: Nullable(Type.String({ description: 'Null for the webhook_url of a session' })),
  subject: Nullable(Type.String({ description: 'ID of the resource that the event is about' })),
  session_id: Nullable(Type.String({ description: 'Null for endpoints' })),
  sequence: Nullable(Type.Integer({ description: 'Null for endpoints' })),
  url: Text,
  status: OneOf(STATUSES),
  reason: Nullable(
    OneOf(DEAD_REASONS, {
      description:
        'Why the delivery is dead: the receiver returned 410, its address is not allowed, every attempt failed, or the endpoint was paused or deleted',
    }),
  ),
  attempt_count: Integer,
  next_attempt_at: Nullable(Time),
  response_status: Nullable(Integer),
  error: Nullable(Text),
  created_at: Time,
  delivered_at: Nullable(Time),
}

export const Delivery = named('WebhookDelivery', Type.Object(fields), {
  leavesOut: ['event_tenant_id', 'occurred_at', 'payload', 'attempts'],
})
export type DeliveryRecord = Static<typeof Delivery>

export const deliveryTable = table('webhooks_deliveries', Type.Object(fields), {
  what: 'delivery',
  columns: { attempt_count: 'attempts' },
  hidden: {
    tenant_id: Text,
    /** The tenant of the event; another one than `tenant_id` in deliveries to endpoints of the recipe. */
    event_tenant_id: Nullable(Text),
    host: Text,
    address: Text,
    payload: Type.Unsafe<object>({ type: 'object' }),
    occurred_at: Time,
    updated_at: Time,
    /** Failed attempts since the delivery was queued. */
    failures: Integer,
  },
})

export const DeliveryDetails = named(
  'WebhookDeliveryDetails',
  Type.Object({
    ...fields,
    payload: Type.Unsafe<Record<string, unknown>>({
      type: 'object',
      additionalProperties: true,
      description: 'The request body, with sent_at of the last attempt',
    }),
    attempts: Type.Array(
      named(
        'WebhookAttempt',
        Type.Object({
          number: Integer,
          at: Timestamp,
          duration_ms: Integer,
          status: Nullable(Integer),
          error: Nullable(Text),
          answer: Nullable(Type.String({ description: 'The first 1 KiB of the response body' })),
        }),
      ),
      { description: `The latest ${MAX_LOGGED_ATTEMPTS}, in their order` },
    ),
  }),
  { leavesOut: ['event_tenant_id', 'occurred_at'] },
)
export type DeliveryWithAttempts = Static<typeof DeliveryDetails>

export const Deliveries = named(
  'WebhookDeliveryList',
  Type.Object({ data: Type.Array(Delivery), next_cursor: Nullable(Text) }),
)
