export const permissions = {
  'media.item.read': 'See and download files',
  'media.item.create': 'Upload files',
  'media.item.update': 'Rename files',
  'media.item.delete': 'Delete files',
} as const
