import type { Registrations } from '@larder-dev/larder/kernel'

export const resources: Registrations['resources'] = [
  {
    name: 'items',
    group: 'content',
    title: 'Files',
    singular: 'File',
    label: 'fileName',
    icon: 'image',
    operations: { list: 'listMediaItems', get: 'getMediaItem', update: 'updateMediaItem', delete: 'deleteMediaItem' },
    columns: ['fileName', 'mimeType', 'size', 'status', 'rejection.detail', 'createdBy', 'createdAt'],
    filters: ['filter[status]', 'filter[mimeType]'],
    search: 'q',
    sort: 'sort',
    states: {
      status: {
        pending: { title: 'Waiting for upload', tone: 'warning' },
        uploaded: { title: 'Waiting for checks' },
        processing: { title: 'Checking', tone: 'warning' },
        ready: { title: 'Ready', tone: 'success' },
        rejected: { title: 'Quarantined', tone: 'danger' },
        expired: { title: 'Upload expired', tone: 'danger' },
      },
      reason: {
        not_scanned: { title: 'The file is larger than the virus scanner accepts.' },
        scanner_unavailable: { title: 'The virus scanner can’t be reached. The check is repeated automatically.' },
      },
    },
    actions: [
      { operation: 'publishMediaItem', title: 'Publish image' },
      {
        operation: 'unpublishMediaItem',
        title: 'Make private',
        danger: true,
        confirm: 'Pages that show this image will have a gap. Make it private?',
      },
    ],
    labels: { 'rejection.detail': 'Rejection reason', mimeType: 'Media type', 'filter[mimeType]': 'Media type' },
  },
]
