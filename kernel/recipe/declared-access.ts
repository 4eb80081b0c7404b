/** Permissions and roles, as modules and the recipe declare them. */

import type { Definition, PermissionEntry, RoleEntry } from '../contract/index.ts'

export interface DeclaredRole {
  readonly name: string
  readonly description?: string
  readonly scope?: 'tenant' | 'platform'
  readonly operatorOnly?: boolean
  readonly permissions: readonly string[]
}

export function permissionsOf(module: Definition): PermissionEntry[] {
  return Object.entries(module.permissions ?? {}).map(([key, spec]) => ({
    key,
    scope: 'tenant',
    ...(typeof spec === 'string' ? { title: spec } : spec),
    module: module.name,
  }))
}

export const rolesOf = (module: Definition): RoleEntry[] => toRoles(module.roles ?? {}, module.name)

/** @param from the module, or `recipe` */
export function toRoles(roles: Readonly<Record<string, DeclaredRole>>, from: string): RoleEntry[] {
  return Object.entries(roles).map(
    ([key, { name, description = null, scope = 'tenant', operatorOnly = false, permissions }]) => ({
      key,
      name,
      description,
      scope,
      operatorOnly,
      permissions,
      from,
    }),
  )
}
