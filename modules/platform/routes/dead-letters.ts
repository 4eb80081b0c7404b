import { type Deps, listOf, listQuery, OneOf, pageLimit, route, Type } from 'larder/kernel'
import { readReach, retryReach } from '../domain/tenant-scope.ts'
import { problems } from '../problems.ts'
import { DeadLetter, OfTenant } from '../schemas.ts'
import { listDead, retryDead } from '../services/dead-letters.ts'

const DeadLetterQuery = listQuery({
  'filter[kind]': Type.Optional(OneOf(['delivery', 'job'])),
  'filter[tenantId]': OfTenant,
})

export const deadLetterRoutes = ({ inspector }: Deps<'inspector'>) => [
  route({
    method: 'get',
    path: '/platform/dead-letters',
    summary: 'Deliveries and jobs that were given up',
    allow: ['platform.dead_letter.read', 'platform.tenant.read_all'],
    query: DeadLetterQuery,
    replies: { 200: listOf(DeadLetter) },
    handle: ({ query, caller, tenantId }) =>
      listDead(inspector, {
        tenantId: readReach(caller, tenantId, query['filter[tenantId]']),
        kind: query['filter[kind]'],
        limit: pageLimit(query),
        cursor: query.cursor,
      }),
  }),
  route({
    method: 'post',
    path: '/platform/dead-letters/:id/retry',
    summary: 'Try a delivery or a job again, now',
    allow: ['platform.dead_letter.retry', 'platform.tenant.retry_all'],
    replies: { 202: DeadLetter },
    problems: [problems.not_dead],
    async handle({ params, caller, tenantId }) {
      const letter = await retryDead(inspector, params.id, retryReach(caller, tenantId))
      if (!letter) throw problems.not_dead()
      return letter
    },
  }),
]
