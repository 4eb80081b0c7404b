import { common, type Deps, listOf, listQuery, pageLimit, route, Timestamp, Type } from '@larder-dev/larder/kernel'
import { readScope, retryScope } from '../domain/tenant-scope.ts'
import { EventEnvelope, Replay } from './event-schemas.ts'
import { TenantFilter } from './tenant-filter.ts'

const EventQuery = listQuery({
  'filter[type]': Type.Optional(Type.String({ maxLength: 200, description: 'For example `identity.user.created`' })),
  'filter[correlationId]': Type.Optional(
    Type.String({ minLength: 1, maxLength: 128, description: 'The ID of the request that caused the event' }),
  ),
  'filter[since]': Type.Optional(Timestamp),
  'filter[tenantId]': TenantFilter,
})

export const eventRoutes = ({ inspector }: Deps<'inspector'>) => [
  route({
    method: 'get',
    path: '/platform/events',
    operationId: 'listEvents',
    summary: 'Lists events with their deliveries, newest first.',
    allow: ['platform.event.read', 'platform.tenant.read_all'],
    query: EventQuery,
    replies: { 200: listOf(EventEnvelope) },
    handle: ({ query, caller, tenantId }) =>
      inspector.events.list({
        tenantId: readScope(caller, tenantId, query['filter[tenantId]']),
        type: query['filter[type]'],
        correlationId: query['filter[correlationId]'],
        since: query['filter[since]'],
        limit: pageLimit(query),
        cursor: query.cursor,
      }),
  }),
  route({
    method: 'get',
    path: '/platform/events/:id',
    operationId: 'getEvent',
    summary: 'Returns an event with its deliveries.',
    allow: ['platform.event.read', 'platform.tenant.read_all'],
    replies: { 200: EventEnvelope },
    async handle({ params, caller, tenantId }) {
      const event = await inspector.events.get(params.id, readScope(caller, tenantId))
      if (!event) throw common.not_found({ what: 'event' })
      return event
    },
  }),
  route({
    method: 'post',
    path: '/platform/events/:id/replay',
    operationId: 'replayEvent',
    summary: 'Delivers an event again.',
    description: 'Restarts the deliveries that are not done, or all deliveries with `force`.',
    allow: ['platform.event.replay', 'platform.tenant.retry_all'],
    query: Type.Object({ force: Type.Optional(Type.Boolean()) }),
    replies: { 202: Replay },
    async handle({ params, query, caller, tenantId }) {
      const scope = { tenantId: retryScope(caller, tenantId), force: query.force }
      const deliveries = await inspector.events.replay(params.id, scope)
      if (deliveries === null) throw common.not_found({ what: 'event' })
      return { eventId: params.id, deliveries }
    },
  }),
]
