import { Nullable, named, OneOf, type RecordOf, type Static, Timestamp, Type, table } from '@larder-dev/larder/kernel'

export const Permission = named(
  'Permission',
  Type.Object({
    key: Type.String({ description: '`area.resource.action`' }),
    title: Type.String(),
    scope: OneOf(['tenant', 'platform']),
    module: Type.String(),
  }),
  { leavesOut: ['operatorOnly'] },
)

export const Role = named(
  'Role',
  Type.Object({
    key: Type.String(),
    name: Type.String(),
    description: Nullable(Type.String({ description: 'What the role is for; null for custom roles' })),
    scope: OneOf(['tenant', 'platform']),
    permissions: Type.Array(Type.String()),
    builtIn: Type.Boolean(),
  }),
)
export type Role = Static<typeof Role>

/** Roles that workspaces define. */
export const roleTable = table(
  'identity_roles',
  Type.Object({ key: Type.String(), name: Type.String(), permissions: Type.Array(Type.String()) }),
  { what: 'role', key: 'key', hidden: { tenantId: Type.String(), createdAt: Timestamp, updatedAt: Timestamp } },
)
export type CustomRole = RecordOf<typeof roleTable>
