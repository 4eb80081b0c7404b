import { type Deps, type Registrations, without } from '@larder-dev/larder/kernel'

/** A title, who may watch, and how; few people set the others. */
const BEFORE = ['title', 'visibility', 'stream_profile']
/** These fields of a session come last. */
const LAST_OF_SESSION = ['ttl_seconds', 'webhook_url', 'webhook_events', 'metadata'] as const
const AFTER = ['hide_viewer_count', ...LAST_OF_SESSION]
const ASKED_BEFORE = ['mode', 'stream_profile', ...LAST_OF_SESSION] as const

export const resources = ({ sessions }: Deps<'sessions'>): Registrations['resources'] => {
  const more = ['description', 'tags', ...Object.keys(without(sessions.schemas.body, ASKED_BEFORE)), ...AFTER]
  return [
    {
      name: 'streams',
      group: 'product',
      title: 'Streams',
      singular: 'Stream',
      label: 'code',
      icon: 'radio',
      operations: { list: 'listStreams', get: 'getStream', create: 'createStream' },
      columns: ['title', 'status', 'live_status', 'viewer_count', 'sources', 'visibility', 'code', 'created_at'],
      filters: ['filter[status]', 'filter[customer]'],
      search: 'filter[code]',
      fields: [...BEFORE, ...more],
      more,
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
      columns: ['label', 'uses', 'max_uses'],
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
}
