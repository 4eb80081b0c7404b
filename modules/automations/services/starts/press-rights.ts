/** Who may press a button: beyond the permission, which a role with a pattern such as `*` has for every button. */
import { type Caller, type Deps, once } from '@larder-dev/larder/kernel'
import { anyCovers } from '@larder-dev/larder/kernel/internal'
import type { DeclaredButton } from '../../domain/definition/declared.ts'
import { pressPermission } from '../../domain/names.ts'

export interface PressRights {
  /**
   * Members with a role of the button, owners, and members with a role that the workspace defined itself and gave the
   * permission. A key has the roles of its creator.
   */
  mayPress(caller: Caller, key: string, button: DeclaredButton): boolean
}

const OWNER = 'tenant.owner'

export function createPressRights({ access }: Deps<'access'>): PressRights {
  const declared = once(() => new Map(access.roles().map(role => [role.key, role.permissions])))
  return {
    mayPress(caller, key, { roles }) {
      const permission = pressPermission(key)
      if (!caller.can(permission)) return false
      if (caller.roles.some(role => role === OWNER || roles.includes(role))) return true
      const ofRecipe = caller.roles.flatMap(role => declared().get(role) ?? [])
      const ofWorkspace = caller.permissions.filter(pattern => !anyCovers(ofRecipe, pattern))
      return anyCovers(ofWorkspace, permission)
    },
  }
}
