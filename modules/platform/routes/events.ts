import { common, type Deps, listOf, listQuery, pageLimit, route, Type } from 'larder/kernel'
import { readReach, retryReach } from '../domain/tenant-scope.ts'
import { EventEnvelope, OfTenant, Replay } from '../schemas.ts'

const EventQuery = listQuery({
  'filter[type]': Type.Optional(Type.String({ maxLength: 200, description: 'e.g. identity.user.created' })),
  'filter[tenantId]': OfTenant,
})

export const eventRoutes = ({ inspector }: Deps<'inspector'>) => [
  route({
    method: 'get',
    path: '/platform/events',
    summary: 'Events, newest first, with what became of them',
    allow: ['platform.event.read', 'platform.tenant.read_all'],
    query: EventQuery,
    replies: { 200: listOf(EventEnvelope) },
    handle: ({ query, caller, tenantId }) =>
      inspector.events.list({
        tenantId: readReach(caller, tenantId, query['filter[tenantId]']),
        type: query['filter[type]'],
        limit: pageLimit(query),
        cursor: query.cursor,
      }),
  }),
  route({
    method: 'get',
    path: '/platform/events/:id',
    summary: 'One event and its deliveries',
    allow: ['platform.event.read', 'platform.tenant.read_all'],
    replies: { 200: EventEnvelope },
    async handle({ params, caller, tenantId }) {
      const event = await inspector.events.get(params.id, readReach(caller, tenantId))
      if (!event) throw common.not_found({ what: 'event' })
      return event
    },
  }),
  route({
    method: 'post',
    path: '/platform/events/:id/replay',
    summary: 'Deliver an event again',
    description: 'To the handlers that did not finish it; with force to all of them.',
    allow: ['platform.event.replay', 'platform.tenant.retry_all'],
    query: Type.Object({ force: Type.Optional(Type.Boolean()) }),
    replies: { 202: Replay },
    async handle({ params, query, caller, tenantId }) {
      const reach = { tenantId: retryReach(caller, tenantId), force: query.force }
      const deliveries = await inspector.events.replay(params.id, reach)
      if (deliveries === null) throw common.not_found({ what: 'event' })
      return { eventId: params.id, deliveries }
    },
  }),
]
