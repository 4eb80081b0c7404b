import { type Deps, listOf, listQuery, route, Type } from 'larder/kernel'
import { readReach } from '../domain/tenant-scope.ts'
import { AuditRecord, OfTenant } from '../schemas.ts'

/** None where no module of the recipe keeps such a log. */
export const auditRoutes = ({ auditLog }: Partial<Deps<'auditLog'>>) =>
  auditLog
    ? [
        route({
          method: 'get',
          path: '/platform/audit',
          summary: 'Who changed members, roles, keys and logins, newest first',
          allow: ['platform.audit.read', 'platform.tenant.read_all'],
          query: listQuery({
            'filter[action]': Type.Optional(Type.String({ maxLength: 64 })),
            'filter[userId]': Type.Optional(Type.String({ maxLength: 64 })),
            'filter[tenantId]': OfTenant,
          }),
          replies: { 200: listOf(AuditRecord) },
          handle: ({ query, caller, tenantId }) =>
            auditLog.list(readReach(caller, tenantId, query['filter[tenantId]']), query),
        }),
      ]
    : []
