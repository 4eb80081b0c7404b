import type { Registrations } from '@larder-dev/larder/kernel'

export const resources: Registrations['resources'] = [
  {
    name: 'sessions',
    title: 'Sessions',
    singular: 'Session',
    label: 'code',
    icon: 'screen-share',
    operations: { list: 'listSessions', get: 'getSession', create: 'createSession' },
    columns: ['code', 'mode', 'status', 'customer', 'purpose', 'created_at', 'expires_at', 'ended_at', 'end_reason'],
    filters: ['filter[status]', 'filter[mode]', 'filter[customer]'],
    search: 'filter[code]',
    actions: [
      { operation: 'endSession', title: 'End session', danger: true, confirm: 'End this session for everyone?' },
    ],
  },
]
