import { consoleLocale, type Deps, listOf, listQuery, route, Type } from '@larder-dev/larder/kernel'
import { readScope } from '../domain/tenant-scope.ts'
import { AuditRecord } from './audit-schemas.ts'
import { TenantFilter } from './tenant-filter.ts'

/** Absent if no module of the recipe provides an audit log. */
export const auditRoutes = ({ auditLog, product }: Deps<'product', 'auditLog'>) =>
  auditLog
    ? [
        route({
          method: 'get',
          path: '/platform/audit',
          operationId: 'listAuditRecords',
          summary: 'Lists changes to members, roles, API keys and logins, newest first.',
          allow: ['platform.audit.read', 'platform.tenant.read_all'],
          query: listQuery({
            'filter[action]': Type.Optional(Type.String({ maxLength: 64 })),
            'filter[userId]': Type.Optional(Type.String({ maxLength: 64 })),
          }),
          filters: { tenantId: TenantFilter },
          replies: { 200: listOf(AuditRecord) },
          async handle({ query, filters, caller, tenantId, request }) {
            const scope = readScope(caller, tenantId, filters.tenantId)
            const { data, nextCursor } = await auditLog.list(scope, query)
            return { data: await auditLog.describe(caller, data, consoleLocale(request, product)), nextCursor }
          },
        }),
      ]
    : []
