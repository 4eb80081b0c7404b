export const permissions = {
  'streams.stream.create': 'Create streams',
  'streams.stream.read': 'Read streams',
  'streams.stream.update': 'Change sources and layouts of streams',
  'streams.token.create': 'Create tokens of streams',
  'streams.token.read': 'Read tokens of streams',
  'streams.token.delete': 'Revoke tokens of streams',
} as const
