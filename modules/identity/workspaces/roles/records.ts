import {
  bodyOf,
  Nullable,
  named,
  OneOf,
  type RecordOf,
  type Static,
  Timestamp,
  Type,
  table,
  Writable,
} from '@larder-dev/larder/kernel'
import { Name, NewRoleKey, Permissions } from '../../domain/fields.ts'

export const Permission = named(
  'Permission',
  Type.Object({
    key: Type.String({ description: '`area.resource.action`' }),
    title: Type.String(),
    scope: OneOf(['tenant', 'platform']),
    module: Type.String(),
  }),
  { leavesOut: ['operatorOnly', 'customers'] },
)

const stored = {
  key: Type.String(),
  name: Writable(Type.String(), Name),
  permissions: Writable(Type.Array(Type.String()), Permissions),
}
export const NewRole = Type.Object({ key: NewRoleKey, ...bodyOf(stored) })
export const RolePatch = Type.Partial(Type.Object(bodyOf(stored)))

export const Role = named(
  'Role',
  Type.Object({
    ...stored,
    description: Nullable(Type.String({ description: 'What the role is for; null for custom roles' })),
    scope: OneOf(['tenant', 'platform']),
    builtIn: Type.Boolean(),
  }),
)
export type Role = Static<typeof Role>

/** Roles that workspaces define. */
export const roleTable = table('identity_roles', Type.Object(stored), {
  what: 'role',
  key: 'key',
  hidden: { tenantId: Type.String(), createdAt: Timestamp, updatedAt: Timestamp },
})
export type CustomRole = RecordOf<typeof roleTable>
