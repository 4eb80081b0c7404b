/** The port `access`: every permission and role that the modules of the recipe registered, and the roles of the recipe. */
import { once } from '../base/index.ts'
import type { AccessCatalogue, PermissionEntry, RoleEntry } from '../contract/index.ts'
import { type DeclaredRole, toRoles } from '../recipe/index.ts'
import type { Container } from './container.ts'

type Grants = Readonly<Record<string, readonly string[]>>

/** @param modules keys, in the order of the recipe. @param container is read when the port is first asked. */
export function createAccess(
  modules: readonly string[],
  container: () => Pick<Container, 'registration'>,
  recipeRoles: Readonly<Record<string, DeclaredRole>>,
): AccessCatalogue {
  const registered = <T>(kind: string): T[] =>
    modules.flatMap(key => {
      const value = container().registration(key, kind)
      return value === undefined ? [] : [value as T]
    })
  const permissions = once(() => registered<readonly PermissionEntry[]>('permissions').flat())
  const roles = once(() => {
    const grants = registered<Grants>('grants')
    return [...registered<readonly RoleEntry[]>('roles').flat(), ...toRoles(recipeRoles, 'recipe')].map(role => ({
      ...role,
      permissions: [...role.permissions, ...grants.flatMap(granted => granted[role.key] ?? [])],
    }))
  })
  return { permissions, roles }
}
