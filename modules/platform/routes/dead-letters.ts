import { type Deps, listOf, listQuery, OneOf, pageLimit, route } from '@larder-dev/larder/kernel'
import { readScope, retryScope } from '../domain/tenant-scope.ts'
import { problems } from '../problems.ts'
import { DeadLetter, RetriedLetters, RetryMany } from '../records/dead-letter.ts'
import { listDeadLetters, retryDeadLetter } from '../services/dead-letters.ts'
import { TenantFilter } from './tenant-filter.ts'

export const deadLetterRoutes = ({ inspector }: Deps<'inspector'>) => [
  route({
    method: 'get',
    path: '/platform/dead-letters',
    operationId: 'listDeadLetters',
    summary: 'Lists deliveries and jobs that failed permanently.',
    allow: ['platform.dead_letter.read', 'platform.tenant.read_all'],
    query: listQuery(),
    filters: { kind: OneOf(['delivery', 'job']), tenantId: TenantFilter },
    replies: { 200: listOf(DeadLetter) },
    handle: ({ query, filters, caller, tenantId }) =>
      listDeadLetters(inspector, {
        ...query,
        ...filters,
        tenantId: readScope(caller, tenantId, filters.tenantId),
        limit: pageLimit(query),
      }),
  }),
  route({
    method: 'post',
    path: '/platform/dead-letters/retry',
    operationId: 'retryDeadLetters',
    summary: 'Retries up to 100 deliveries and jobs immediately.',
    allow: ['platform.dead_letter.retry', 'platform.tenant.retry_all'],
    body: RetryMany,
    replies: { 202: RetriedLetters },
    async handle({ body: { ids }, caller, tenantId }) {
      const scope = retryScope(caller, tenantId)
      const letters = await Promise.all(ids.map(id => retryDeadLetter(inspector, id, scope)))
      const data = letters.filter(letter => letter !== null)
      return { data, missing: ids.filter((_, index) => letters[index] === null) }
    },
  }),
  route({
    method: 'post',
    path: '/platform/dead-letters/:id/retry',
    operationId: 'retryDeadLetter',
    summary: 'Retries a delivery or a job immediately.',
    allow: ['platform.dead_letter.retry', 'platform.tenant.retry_all'],
    replies: { 202: DeadLetter },
    problems: [problems.not_dead],
    async handle({ params, caller, tenantId }) {
      const letter = await retryDeadLetter(inspector, params.id, retryScope(caller, tenantId))
      if (!letter) throw problems.not_dead()
      return letter
    },
  }),
]
