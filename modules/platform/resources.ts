import type { Registrations } from 'larder/kernel'

/** @param hasAuditLog whether a module of the recipe provides an audit log. */
export const resources = (hasAuditLog: boolean): Registrations['resources'] => [
  {
    name: 'modules',
    title: 'Modules',
    singular: 'Module',
    label: 'key',
    key: 'key',
    icon: 'blocks',
    operations: { list: 'listModules', get: 'getModule' },
    labels: { key: 'Name' },
    columns: ['key', 'summary', 'version', 'state', 'source'],
  },
  {
    name: 'events',
    title: 'Events',
    singular: 'Event',
    label: 'type',
    icon: 'zap',
    operations: { list: 'listEvents', get: 'getEvent' },
    columns: ['type', 'occurredAt', 'tenantId', 'actor.kind', 'actor.id', 'subject'],
    filters: ['filter[type]', 'filter[tenantId]'],
    labels: { 'actor.kind': 'Actor', tenantId: 'Workspace ID', 'filter[tenantId]': 'Workspace ID' },
    actions: [{ operation: 'replayEvent', title: 'Deliver again' }],
  },
  {
    name: 'dead-letters',
    title: 'Dead letters',
    singular: 'Dead letter',
    label: 'name',
    icon: 'mail-x',
    operations: { list: 'listDeadLetters' },
    columns: ['name', 'kind', 'eventType', 'attempts', 'lastError', 'tenantId'],
    filters: ['filter[kind]', 'filter[tenantId]'],
    labels: { tenantId: 'Workspace ID', 'filter[tenantId]': 'Workspace ID' },
    actions: [{ operation: 'retryDeadLetter', title: 'Retry' }],
  },
  ...(hasAuditLog
    ? [
        {
          name: 'audit',
          title: 'Audit log',
          singular: 'Audit entry',
          label: 'action',
          icon: 'scroll-text',
          operations: { list: 'listAuditRecords' },
          columns: ['action', 'createdAt', 'actor.kind', 'actor.userId', 'subject', 'tenantId'],
          filters: ['filter[action]', 'filter[userId]', 'filter[tenantId]'],
          labels: {
            'actor.kind': 'Actor',
            'actor.userId': 'User ID',
            tenantId: 'Workspace ID',
            'filter[tenantId]': 'Workspace ID',
          },
        },
      ]
    : []),
]
