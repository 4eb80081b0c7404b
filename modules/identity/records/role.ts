import { named, OneOf, type Static, Type } from '@larder-dev/larder/kernel'

export const Permission = named(
  'Permission',
  Type.Object({
    key: Type.String({ description: '`area.resource.action`' }),
    title: Type.String(),
    scope: OneOf(['tenant', 'platform']),
    module: Type.String(),
  }),
)

export const Role = named(
  'Role',
  Type.Object({
    key: Type.String(),
    name: Type.String(),
    scope: OneOf(['tenant', 'platform']),
    permissions: Type.Array(Type.String()),
    builtIn: Type.Boolean(),
  }),
)
export type Role = Static<typeof Role>
