/** Every permission and role that the modules and the recipe declare. */

import type { AccessCatalogue, Definition, PermissionEntry, RoleEntry } from '../contract/index.ts'
import type { NamedModule } from './graph.ts'

export interface DeclaredRole {
  readonly name: string
  readonly description?: string
  readonly scope?: 'tenant' | 'platform'
  readonly permissions: readonly string[]
}

export function createAccess(
  entries: readonly NamedModule[],
  recipeRoles: Readonly<Record<string, DeclaredRole>>,
): AccessCatalogue {
  const permissions = entries.flatMap(({ module }) => permissionsOf(module))
  const grantsTo = (role: string) => entries.flatMap(({ module }) => module.grants?.[role] ?? [])
  const roles = [...entries.flatMap(({ module }) => rolesOf(module)), ...toRoles(recipeRoles, 'recipe')].map(role => ({
    ...role,
    permissions: [...role.permissions, ...grantsTo(role.key)],
  }))
  return { permissions: () => permissions, roles: () => roles }
}

export function permissionsOf(module: Definition): PermissionEntry[] {
  return Object.entries(module.permissions ?? {}).map(([key, spec]) => ({
    key,
    ...(typeof spec === 'string' ? { title: spec, scope: 'tenant' as const } : spec),
    module: module.name,
  }))
}

const rolesOf = (module: Definition): RoleEntry[] => toRoles(module.roles ?? {}, module.name)

function toRoles(roles: Readonly<Record<string, DeclaredRole>>, from: string): RoleEntry[] {
  return Object.entries(roles).map(([key, { name, description = null, scope = 'tenant', permissions }]) => ({
    key,
    name,
    description,
    scope,
    permissions,
    from,
  }))
}
