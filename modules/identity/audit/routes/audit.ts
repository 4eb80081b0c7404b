import { listOf, listQuery, route, Timestamp, Type } from '@larder-dev/larder/kernel'
import type { AuditRecord } from '../../ports.ts'
import type { AuditRecorder } from '../audit-log.ts'
import { usersOf } from '../domain/audit-sentences.ts'
import { AuditEntry } from './audit-schemas.ts'

export const auditRoutes = ({ audit }: { readonly audit: AuditRecorder }) => [
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
    async handle({ caller, tenantId, query }) {
      const { data, nextCursor } = await audit.list(tenantId, query)
      const names = await audit.userNames(caller, tenantId, data)
      return { data: data.map(entry => ({ ...entry, users: names && namedIn(entry, names) })), nextCursor }
    },
  }),
]

const namedIn = (entry: AuditRecord, names: ReadonlyMap<string, string>): Record<string, string> =>
  Object.fromEntries(
    usersOf(entry).flatMap(id => {
      const name = names.get(id)
      return name === undefined ? [] : [[id, name]]
    }),
  )
