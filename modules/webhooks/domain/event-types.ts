/** The event types that endpoints can subscribe to, as JSON Schema and as OpenAPI. Pure. */
import { type LocalText, named, pickText, type Registrations, Type } from '@larder-dev/larder/kernel'
import { nameOf, type PublicEvent } from '@larder-dev/larder/kernel/internal'
import type { TSchema } from 'typebox'
import { webhookType } from './payload.ts'

/** Sent on request, to one endpoint. */
export const TEST_TYPE = 'webhooks.endpoint.test'

export interface EventType {
  readonly type: string
  readonly description: LocalText
  /** JSON Schema of the request body. */
  readonly schema: TSchema
}

const Text = { type: 'string' }
const Time = { type: 'string', format: 'date-time' }
const Id = { ...Text, description: 'Also the header webhook-id; the same for every attempt' }
const SentAt = { type: 'integer', description: 'Unix time of this attempt in seconds' }

/** `sessions.session.created` → `SessionCreated`. */
const schemaName = (type: string): string =>
  type
    .split(/[._]/)
    .slice(1)
    .map(word => word.charAt(0).toUpperCase() + word.slice(1))
    .join('')

function bodySchema(type: string, payload: TSchema, name = `${schemaName(type)}Event`): TSchema {
  return named(
    name,
    Type.Unsafe({
      type: 'object',
      required: ['id', 'type', 'event_id', 'occurred_at', 'sent_at', 'tenant_id', 'subject', 'data'],
      properties: {
        id: Id,
        type: { const: type },
        event_id: { ...Text, description: 'The same for every endpoint' },
        occurred_at: Time,
        sent_at: SentAt,
        tenant_id: { ...Text, description: 'The workspace of the event' },
        subject: { type: ['string', 'null'], description: 'ID of the resource that the event is about' },
        data: nameOf(payload) === undefined ? named(`${name}Data`, payload) : payload,
      },
    }),
  )
}

export const toEventType = ({ type, description, schema, name }: PublicEvent): EventType => ({
  type,
  description,
  schema: bodySchema(type, schema, name),
})

const TestData = Type.Object({ endpoint_id: Type.String() })
export const TEST_EVENT: EventType = {
  type: TEST_TYPE,
  description: 'A test of one endpoint.',
  schema: bodySchema(TEST_TYPE, TestData),
}

/** The body of a session webhook: the fields of the event without an envelope. */
export function toSessionWebhook({ type, description, schema }: PublicEvent): EventType {
  const { properties = {}, required = [] } = schema as { properties?: object; required?: readonly string[] }
  const name = webhookType(type)
  return {
    type: name,
    description: `${pickText(description, 'en', 'en')} Sent to the webhook_url of the session.`,
    schema: named(
      `${schemaName(type)}Webhook`,
      Type.Unsafe({
        type: 'object',
        required: ['id', 'type', 'occurred_at', 'sent_at', ...required],
        properties: { id: Id, type: { const: name }, occurred_at: Time, sent_at: SentAt, ...properties },
      }),
    ),
  }
}

const HEADERS = [
  ['webhook-id', Text, 'The `id` of the body'],
  ['webhook-timestamp', Text, 'Unix time of this attempt in seconds'],
  ['webhook-signature', Text, 'Standard Webhooks 1.0.0: `v1,` and the base64 of HMAC-SHA256'],
] as const

/** A webhook in the OpenAPI document. */
export const toWebhookDocs = ({ description, schema }: EventType): Registrations['openapi']['webhooks'][string] => ({
  summary: pickText(description, 'en', 'en'),
  tags: ['webhooks'],
  parameters: HEADERS.map(([name, type, text]) => ({
    name,
    in: 'header',
    required: true,
    description: text,
    schema: type,
  })),
  body: schema,
  responses: {
    '2XX': { description: 'Received' },
    410: { description: 'Send no more webhooks to this URL' },
    default: { description: 'Failed; the webhook is sent again later' },
  },
})
