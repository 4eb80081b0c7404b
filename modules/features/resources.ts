import type { Registrations } from '@larder-dev/larder/kernel'

export const resources: Registrations['resources'] = [
  {
    name: 'flags',
    title: 'Feature flags',
    singular: 'Feature flag',
    label: 'key',
    key: 'key',
    icon: 'flag',
    operations: { list: 'listFlags', get: 'getFlag', create: 'createFlag', update: 'updateFlag', delete: 'deleteFlag' },
    columns: ['key', 'name', 'enabled', 'type', 'default', 'override', 'updatedAt', 'managedBy'],
    fields: [
      'key',
      'scope',
      'name',
      'description',
      'enabled',
      'default',
      'rules',
      'bucketBy',
      'requires',
      'entitlement',
    ],
  },
]
