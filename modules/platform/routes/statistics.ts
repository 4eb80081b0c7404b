import { consoleLocale, type Deps, listOf, route } from '@larder-dev/larder/kernel'
import { readScope } from '../domain/tenant-scope.ts'
import { ListedStatistic } from '../records/statistic.ts'
import type { Statistics } from '../services/statistics.ts'
import { TenantFilter } from './tenant-filter.ts'

type StatisticDeps = Deps<'product'> & { readonly statistics: Statistics }

export const statisticRoutes = ({ statistics, product }: StatisticDeps) => [
  route({
    method: 'get',
    path: '/platform/statistics',
    operationId: 'listStatistics',
    summary: 'Lists numbers of the last 14 days or 24 hours, such as sign-ups and emails.',
    description: 'In the language of `Accept-Language`.',
    allow: ['platform.statistic.read', 'platform.tenant.read_all'],
    filters: { tenantId: TenantFilter },
    replies: { 200: listOf(ListedStatistic) },
    handle: async ({ filters, caller, tenantId, request }) => ({
      data: await statistics.list(readScope(caller, tenantId, filters.tenantId), consoleLocale(request, product)),
      nextCursor: null,
    }),
  }),
]
