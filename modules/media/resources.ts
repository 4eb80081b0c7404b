import type { Registrations } from 'larder/kernel'

export const resources: Registrations['resources'] = [
  {
    name: 'items',
    title: 'Files',
    singular: 'File',
    label: 'fileName',
    icon: 'image',
    operations: { list: 'listMediaItems', get: 'getMediaItem', update: 'updateMediaItem', delete: 'deleteMediaItem' },
    columns: ['fileName', 'mimeType', 'size', 'status', 'rejection.detail', 'createdBy', 'createdAt'],
    filters: ['filter[status]', 'filter[mimeType]'],
    sort: 'sort',
    labels: { 'rejection.detail': 'Rejection reason', mimeType: 'Media type', 'filter[mimeType]': 'Media type' },
  },
]
