import { type Deps, type Registrations, without } from '@larder-dev/larder/kernel'

const BEFORE = ['title', 'description', 'visibility', 'tags']
/** These fields of a session come last. */
const LAST_OF_SESSION = ['ttl_seconds', 'webhook_url', 'webhook_events', 'metadata'] as const
const AFTER = ['hide_viewer_count', ...LAST_OF_SESSION]

export const resources = ({ sessions }: Deps<'sessions'>): Registrations['resources'] => [
  {
    name: 'streams',
    title: 'Streams',
    singular: 'Stream',
    label: 'code',
    icon: 'radio',
    operations: { list: 'listStreams', get: 'getStream', create: 'createStream' },
    columns: ['title', 'status', 'live_status', 'viewer_count', 'sources', 'visibility', 'code', 'created_at'],
    filters: ['filter[status]', 'filter[customer]'],
    search: 'filter[code]',
    fields: [...BEFORE, ...Object.keys(without(sessions.schemas.body, ['mode', ...LAST_OF_SESSION])), ...AFTER],
    states: {
      status: {
        created: { title: 'Waiting', tone: 'warning' },
        accepted: { title: 'In progress', tone: 'success' },
        ended: { title: 'Ended' },
        expired: { title: 'Expired' },
      },
      live_status: {
        idle: { title: 'Offline' },
        live: { title: 'Live', tone: 'success' },
        reconnecting: { title: 'Reconnecting', tone: 'warning' },
      },
      kind: {
        single: { title: 'One source' },
        horizontal: { title: 'Side by side' },
        vertical: { title: 'Stacked' },
        focus: { title: 'One large, others small' },
      },
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
    relations: [
      { resource: 'streams.tokens', parameters: { id: 'id' } },
      { resource: 'streams.sources', parameters: { id: 'id' } },
    ],
  },
  {
    name: 'tokens',
    title: 'Tokens',
    singular: 'Token',
    label: 'label',
    icon: 'ticket',
    within: 'streams.streams',
    operations: { list: 'listStreamTokens', create: 'createStreamToken', delete: 'revokeStreamToken' },
    columns: ['label', 'id', 'uses', 'max_uses'],
  },
  {
    name: 'sources',
    title: 'Sources',
    singular: 'Source',
    label: 'label',
    key: 'source_id',
    icon: 'video',
    within: 'streams.streams',
    operations: { list: 'listStreamSources', create: 'putStreamSource', delete: 'deleteStreamSource' },
    columns: ['label', 'source_id', 'kind', 'width', 'height', 'fps', 'updated_at'],
  },
]
