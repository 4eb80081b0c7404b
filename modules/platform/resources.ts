import type { Registrations } from '@larder-dev/larder/kernel'
import type { PublicEvent } from '@larder-dev/larder/kernel/internal'

/** What happened, by event type. */
export const eventWords = (events: readonly PublicEvent[]): Registrations['words'][string] =>
  Object.fromEntries(events.map(({ type, description }) => [type, description]))

interface Given {
  /** Whether a module of the recipe provides an audit log. */
  readonly hasAuditLog: boolean
  readonly publicEvents: readonly PublicEvent[]
}

export const resources = ({ hasAuditLog, publicEvents }: Given): Registrations['resources'] => [
  {
    name: 'modules',
    group: 'platform',
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
    columns: ['type', 'occurredAt', 'tenantId', 'actor.id', 'subject'],
    states: {
      type: Object.fromEntries(
        publicEvents.map(({ type, description }) => [type, { title: description, tone: 'plain' }]),
      ),
    },
    filters: ['filter[type]', 'filter[correlationId]', 'filter[tenantId]'],
    labels: {
      'filter[correlationId]': 'Request ID',
      subject: 'Object',
      'actor.id': 'Actor',
    },
    actions: [{ operation: 'replayEvent', title: 'Deliver again' }],
  },
  {
    name: 'dead-letters',
    title: 'Failed events',
    singular: 'Failed event',
    label: 'name',
    icon: 'mail-x',
    operations: { list: 'listDeadLetters' },
    columns: ['name', 'kind', 'eventType', 'attempts', 'lastError', 'tenantId'],
    filters: ['filter[kind]', 'filter[tenantId]'],
    actions: [
      { operation: 'retryDeadLetter', title: 'Retry' },
      { operation: 'retryDeadLetters', title: 'Retry several', on: 'list' },
    ],
  },
  {
    name: 'jobs',
    title: 'Jobs',
    singular: 'Job',
    label: 'name',
    icon: 'cog',
    operations: { list: 'listJobs' },
    columns: ['name', 'state', 'lastError', 'runAt', 'finishedAt', 'attempts', 'tenantId'],
    states: { state: { failed: { title: 'Failed', tone: 'danger' }, dead: { title: 'Dead', tone: 'danger' } } },
    filters: ['filter[name]', 'filter[state]', 'filter[tenantId]'],
  },
  {
    name: 'schedules',
    title: 'Job types',
    singular: 'Job type',
    label: 'name',
    key: 'name',
    icon: 'calendar-clock',
    operations: { list: 'listJobTypes' },
    columns: ['name', 'every', 'lastResult', 'lastError', 'lastRunAt', 'nextRunAt', 'waiting', 'running', 'dead'],
    states: {
      lastResult: {
        succeeded: { title: 'Succeeded', tone: 'success' },
        failed: { title: 'Failed', tone: 'danger' },
      },
    },
    relations: [{ resource: 'platform.jobs', parameters: { 'filter[name]': 'name' } }],
  },
  ...(hasAuditLog
    ? [
        {
          name: 'audit',
          title: 'Audit log',
          singular: 'Audit entry',
          label: 'summary',
          icon: 'scroll-text',
          operations: { list: 'listAuditRecords' },
          columns: ['summary', 'createdAt', 'actor.id', 'tenantId'],
          filters: ['filter[action]', 'filter[userId]', 'filter[tenantId]'],
          labels: {
            summary: 'What happened',
            subject: 'Object',
            'actor.id': 'Actor',
            'filter[userId]': 'Person',
          },
        },
      ]
    : []),
]
