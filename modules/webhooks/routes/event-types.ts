import { consoleLocale, type Deps, named, route, Type } from '@larder-dev/larder/kernel'
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

type EventTypeDeps = Deps<'theme' | 'product'> & { readonly eventCatalog: EventCatalog }

export const eventTypeRoutes = ({ eventCatalog, theme, product }: EventTypeDeps) => [
  route({
    method: 'get',
    path: '/webhooks/event-types',
    operationId: 'listEventTypes',
    allow: 'webhooks.endpoint.read',
    summary: 'Lists the event types that endpoints can subscribe to.',
    description: 'Descriptions are in the language of `Accept-Language`.',
    replies: { 200: EventTypes },
    async handle({ request }) {
      const locale = consoleLocale(request, product)
      const types = eventCatalog.list()
      return { data: types.map(type => ({ ...type, description: theme.text(locale, type.description) })) }
    },
  }),
]
