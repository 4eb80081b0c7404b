import type { Registrations } from '@larder-dev/larder/kernel'

export const resources: Registrations['resources'] = [
  {
    name: 'flags',
    group: 'product',
    title: 'Feature flags',
    singular: 'Feature flag',
    label: 'key',
    key: 'key',
    icon: 'flag',
    operations: { list: 'listFlags', get: 'getFlag', create: 'createFlag', update: 'updateFlag', delete: 'deleteFlag' },
    labels: { bucketBy: 'Split by', default: 'Default value', entitlement: 'Limit of the plan' },
    columns: ['key', 'name', 'enabled', 'type', 'default', 'override', 'updatedAt', 'managedBy'],
    states: {
      managedBy: { recipe: { title: 'From the recipe' }, operator: { title: 'Every workspace' } },
      bucketBy: {
        tenant: { title: 'ID of the workspace', tone: 'plain' },
        userId: { title: 'ID of the person', tone: 'plain' },
        targetingKey: { title: 'Key that the application sends', tone: 'plain' },
      },
    },
    more: ['description', 'enabled', 'rules', 'bucketBy', 'requires', 'entitlement'],
    fields: [
      'name',
      'key',
      'default',
      'scope',
      'description',
      'enabled',
      'rules',
      'bucketBy',
      'requires',
      'entitlement',
    ],
  },
]
