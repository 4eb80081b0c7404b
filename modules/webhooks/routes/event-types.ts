import { route, Type } from 'larder/kernel'
import type { EventCatalog } from '../services/event-catalog.ts'

const EventTypes = Type.Object({
  data: Type.Array(
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
})

export const eventTypeRoutes = ({ eventCatalog }: { readonly eventCatalog: EventCatalog }) => [
  route({
    method: 'get',
    path: '/webhooks/event-types',
    allow: 'webhooks.endpoint.read',
    summary: 'Lists the event types that endpoints can subscribe to.',
    replies: { 200: EventTypes },
    handle: async () => ({ data: [...eventCatalog.list()] }),
  }),
]
