export const permissions = {
  'features.feature.read': 'Read features and their rules',
  'features.feature.create': 'Add features',
  'features.feature.update': 'Change features, and set overrides',
  'features.feature.delete': 'Delete features',
  'features.feature.evaluate': 'Ask what features are worth',
  'features.override.grant': { title: 'Override features of any tenant, sold ones too', scope: 'platform' },
} as const
