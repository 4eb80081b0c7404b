import { common, type Deps, listOf, listQuery, pageLimit, route, Timestamp, Type } from '@larder-dev/larder/kernel'
import { readScope, retryScope } from '../domain/tenant-scope.ts'
import { EventEnvelope, Replay } from './event-schemas.ts'
import { TenantFilter } from './tenant-filter.ts'

const filters = {
  type: Type.String({ maxLength: 200, description: 'For example `identity.user.created`' }),
  correlationId: Type.String({
    minLength: 1,
    maxLength: 128,
    description: 'The ID of the request that caused the event',
  }),
  since: Timestamp,
  tenantId: TenantFilter,
}

export const eventRoutes = ({ inspector }: Deps<'inspector'>) => [
  route({
    method: 'get',
    path: '/platform/events',
    operationId: 'listEvents',
    summary: 'Lists events with their deliveries, newest first.',
    allow: ['platform.event.read', 'platform.tenant.read_all'],
    query: listQuery(),
    filters,
    replies: { 200: listOf(EventEnvelope) },
    handle: ({ query, filters, caller, tenantId }) =>
      inspector.events.list({
        ...query,
        ...filters,
        tenantId: readScope(caller, tenantId, filters.tenantId),
        limit: pageLimit(query),
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
