/** Endpoints in request bodies, replies and recipes. */
import {
  bodyOf,
  idPattern,
  Nullable,
  named,
  OneOf,
  type RecordOf,
  Time,
  Type,
  table,
  Writable,
} from '@larder-dev/larder/kernel'
import { MAX_URL_LENGTH } from '@larder-dev/larder/kernel/internal'
import { ENDPOINT_STATUSES, PAUSE_REASONS } from '../domain/endpoint.ts'
import { PATTERN } from '../domain/event-patterns.ts'

const MAX_PATTERNS = 100

export const EndpointUrl = Type.String({
  minLength: 1,
  maxLength: MAX_URL_LENGTH,
  description: 'http or https, without credentials',
  examples: ['https://hooks.example.com/larder'],
})
export const EventPatterns = Type.Array(Type.String({ maxLength: 128, pattern: PATTERN }), {
  minItems: 1,
  maxItems: MAX_PATTERNS,
  description: 'Event types, or wildcards such as identity.* and identity.member.*; * matches all',
  examples: [['identity.*', 'content.page.published']],
})
export const EndpointDescription = Type.String({ maxLength: 500 })

const fields = {
  id: Type.String({ pattern: idPattern('whe') }),
  url: Writable(Type.String(), EndpointUrl),
  events: Writable(Type.Array(Type.String()), EventPatterns),
  description: Writable(Nullable(Type.String()), Type.Optional(Nullable(EndpointDescription))),
  status: OneOf(ENDPOINT_STATUSES),
  pause_reason: Nullable(
    OneOf(PAUSE_REASONS, {
      description: 'Paused by a caller, after five days of failures, or because the receiver returned 410',
    }),
  ),
  paused_at: Nullable(Time),
  failing_since: Nullable(
    Type.Unsafe<Date>({
      ...Time,
      description: 'The first failed attempt since the last success; null if the last attempt succeeded',
    }),
  ),
  managed_by: Nullable(Type.String({ description: 'recipe, or null for an endpoint that the API created' })),
  created_at: Time,
  updated_at: Time,
}
export const NewEndpoint = Type.Object(bodyOf(fields))
export const EndpointPatch = Type.Partial(NewEndpoint)

export const Endpoint = named('WebhookEndpoint', Type.Object(fields), {
  leavesOut: ['address', 'host', 'key', 'revision'],
})

export const Endpoints = named(
  'WebhookEndpointList',
  Type.Object({ data: Type.Array(Endpoint), next_cursor: Nullable(Type.String()) }),
)

export const endpointTable = table(
  'webhooks_endpoints',
  Type.Object({
    ...fields,
    host: Type.String(),
    address: Type.String(),
    /** Key in the recipe; null for endpoints of the API. */
    key: Nullable(Type.String()),
    revision: Type.Integer(),
  }),
  {
    what: 'webhook endpoint',
    defaults: { status: 'active', revision: 1 },
    hidden: { tenant_id: Type.String(), recipe_hash: Nullable(Type.String()) },
    revision: 'revision',
  },
)
export type EndpointRow = RecordOf<typeof endpointTable>
