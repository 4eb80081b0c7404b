import { type Registrations, without } from '@larder-dev/larder/kernel'
import { SessionRecord } from './records.ts'

/** Lists don't have these, or have them at a fixed place. */
const LISTED = Object.keys(
  without(SessionRecord.properties, [
    'id',
    'code',
    'mode',
    'stream_profile',
    'audio_enabled',
    'customer',
    'metadata',
    'status',
    'workspace_id',
    'created_at',
    'expires_at',
    'accepted_at',
    'ended_at',
    'end_reason',
    'viewer_protocols',
    'recommended_settings',
  ]),
)

export const resources: Registrations['resources'] = [
  {
    name: 'sessions',
    group: 'product',
    title: 'Sessions',
    singular: 'Session',
    label: 'code',
    icon: 'screen-share',
    operations: { list: 'listSessions', get: 'getSession', create: 'createSession' },
    columns: ['code', 'mode', 'status', 'customer', ...LISTED, 'created_at', 'ended_at'],
    filters: ['filter[status]', 'filter[mode]', 'filter[customer]'],
    search: 'filter[code]',
    states: {
      mode: { screenshare: { title: 'Screen sharing' }, stream: { title: 'Stream' } },
      status: {
        created: { title: 'Waiting', tone: 'warning' },
        accepted: { title: 'In progress', tone: 'success' },
        ended: { title: 'Ended' },
        expired: { title: 'Expired' },
      },
      end_reason: { owner: { title: 'A member' }, max_duration: { title: 'Maximum duration' } },
    },
    refreshSeconds: 5,
    actions: [
      {
        operation: 'endSession',
        title: 'End session',
        danger: true,
        confirm: 'End this session for everyone?',
        when: { status: ['created', 'accepted'] },
      },
    ],
  },
]
