import { named, route, Type } from '@larder-dev/larder/kernel'
import type { EventCatalog } from '../services/event-catalog.ts'

const EventTypes = named(
  'EventTypeList',
  Type.Object({
    data: Type.Array(
      named(
        'EventType',
        Type.Object({
          type: Type.String({ examples: ['identity.member.joined'] }),
          description: Type.String(),
          schema: Type.Unsafe<Readonly<Record<string, unknown>>>({
            type: 'object',
            additionalProperties: true,
            description: 'JSON Schema of the request body',
          }),
        }),
      ),
    ),
  }),
)

export const eventTypeRoutes = ({ eventCatalog }: { readonly eventCatalog: EventCatalog }) => [
  route({
    method: 'get',
    path: '/webhooks/event-types',
    operationId: 'listEventTypes',
    allow: 'webhooks.endpoint.read',
    summary: 'Lists the event types that endpoints can subscribe to.',
    replies: { 200: EventTypes },
    handle: async () => ({ data: [...eventCatalog.list()] }),
  }),
]
