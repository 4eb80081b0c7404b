import { type Deps, listOf, listQuery, route, Timestamp, Type } from 'larder/kernel'
import { AuditEntry } from './audit-schemas.ts'

export const auditRoutes = ({ identity }: Deps<'identity'>) => [
  route({
    method: 'get',
    path: '/identity/audit',
    operationId: 'listAuditEntries',
    summary: 'Lists changes to members, roles, API keys and logins, newest first.',
    allow: 'identity.audit.read',
    query: listQuery({
      'filter[action]': Type.Optional(Type.String({ maxLength: 64 })),
      'filter[userId]': Type.Optional(Type.String({ maxLength: 64 })),
      'filter[since]': Type.Optional(Timestamp),
      'filter[until]': Type.Optional(Timestamp),
    }),
    replies: { 200: listOf(AuditEntry) },
    handle: ({ tenantId, query }) => identity.audit.list(tenantId, query),
  }),
]
