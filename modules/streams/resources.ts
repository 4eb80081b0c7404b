import type { Registrations } from '@larder-dev/larder/kernel'

export const resources: Registrations['resources'] = [
  {
    name: 'streams',
    title: 'Streams',
    singular: 'Stream',
    label: 'code',
    icon: 'radio',
    operations: { list: 'listStreams', get: 'getStream', create: 'createStream' },
    columns: ['code', 'title', 'status', 'visibility', 'viewer_count', 'customer', 'created_at', 'expires_at'],
    filters: ['filter[status]', 'filter[customer]'],
    search: 'filter[code]',
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
