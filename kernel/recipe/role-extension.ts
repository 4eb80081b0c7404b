/** Roles that extend other roles. */

import { didYouMean, formatList } from '../base/index.ts'
import type { CheckContext } from './check-context.ts'
import { type Diagnostic, diagnosticAt } from './diagnostic.ts'
import type { LoadedModule } from './load.ts'
import type { RecipeValue } from './shape.ts'
import { type MapTree, valueLocation } from './tree.ts'

type Roles = RecipeValue['roles']
type Role = Roles[string]

const basesOf = ({ extends: bases }: Role): readonly string[] => (bases === undefined ? [] : [bases].flat())

/** Each role with its own permissions and those of the roles that it extends. The roles must be free of mistakes. */
export function withExtendedPermissions(roles: Roles, modules: readonly Pick<LoadedModule, 'module'>[]): Roles {
  const ofModules = rolesOf(modules)
  const permissionsOf = (key: string): readonly string[] => {
    const role = roles[key]
    if (!role) return ofModules.get(key)?.permissions ?? []
    return [...new Set([...basesOf(role).flatMap(permissionsOf), ...role.permissions])]
  }
  return Object.fromEntries(
    Object.entries(roles).map(([key, { extends: _, ...role }]) => [
      key,
      { ...role, permissions: [...permissionsOf(key)] },
    ]),
  )
}

const rolesOf = (modules: readonly Pick<LoadedModule, 'module'>[]) =>
  new Map(modules.flatMap(({ module }) => Object.entries(module.roles ?? {})))

/** Unknown roles, roles of another scope, and circles. */
export function extensionProblems({ roles }: RecipeValue, context: CheckContext): Diagnostic[] {
  const { tree, modules, complete, isValid } = context
  const ofModules = rolesOf(modules)
  const scopeOf = (key: string) =>
    Object.hasOwn(roles, key) ? roles[key]?.scope : (ofModules.get(key)?.scope ?? 'tenant')
  return Object.entries(roles).flatMap(([key, role]) => {
    if (!isValid(['roles', key, 'extends']) || !isValid(['roles', key])) return []
    return basesOf(role).flatMap((base, index) => {
      const report = (code: string, message: string, hint: string) => [at(tree, key, role, index, code, message, hint)]
      const known = [...Object.keys(roles), ...ofModules.keys()].filter(each => each !== key)
      if (!known.includes(base) && base !== key)
        return complete
          ? report(
              'unknown_role',
              `Unknown role "${base}"`,
              didYouMean(base, known) ?? `Roles are ${formatList(known)}`,
            )
          : []
      if (reaches(roles, base, key)) {
        const message = `Role "${key}" extends itself${base === key ? '' : `, because "${base}" extends it`}`
        return report('circular_roles', message, `Remove "${base}" here, or break the circle in another of its roles`)
      }
      return scopeOf(base) === role.scope
        ? []
        : report('invalid_grant', `Role "${base}" has another scope than "${key}"`, 'Extend a role of the same scope')
    })
  })
}

function reaches(roles: Roles, from: string, wanted: string, seen = new Set<string>()): boolean {
  if (from === wanted) return true
  const role = roles[from]
  if (!role || seen.has(from)) return false
  seen.add(from)
  return basesOf(role).some(base => reaches(roles, base, wanted, seen))
}

function at(tree: MapTree, key: string, role: Role, index: number, code: string, message: string, hint: string) {
  const path = ['roles', key, 'extends', ...(Array.isArray(role.extends) ? [index] : [])]
  return diagnosticAt(code, valueLocation(tree, path), path, message, hint)
}
