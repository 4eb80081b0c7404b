/** The roles of a recipe: they name permissions that exist, and redefine none. */

import { covers } from '../base/index.ts'
import type { PermissionEntry } from '../contract/index.ts'
import { permissionsOf } from './declared-access.ts'
import { type Diagnostic, diagnosticAt } from './diagnostic.ts'
import type { Found } from './found.ts'
import { unknownPermission } from './graph.ts'
import type { LoadedModule } from './load.ts'
import type { RecipeValue } from './shape.ts'
import { keyLocation, type MapTree, valueLocation } from './tree.ts'

/** The specification fixes what they may. */
const BUILT_IN_ROLES = ['tenant.owner', 'tenant.member']

export function roleProblems({ roles }: RecipeValue, { tree, modules, lost, intact }: Found): Diagnostic[] {
  if (!intact(['roles'])) return []
  const known = modules.flatMap(({ module }) => permissionsOf(module))
  return Object.entries(roles).flatMap(([key, role]) => [
    ...redefined(key, modules, tree),
    ...(intact(['roles', key, 'permissions']) ? namedBy(role) : []).flatMap((pattern, index) => {
      const path = ['roles', key, 'permissions', index]
      const fault = intact(path) ? grantProblem(key, pattern, role.scope, known) : undefined
      if (!fault || (lost && !known.some(entry => area(entry.key) === area(pattern)))) return []
      return [diagnosticAt('invalid_grant', valueLocation(tree, path), path, fault.message, fault.fix)]
    }),
  ])
}

/** A recipe that stands on one that cannot be read may have its permissions there: that they are missing is not told. */
const namedBy = ({ permissions }: { permissions?: readonly string[] }): readonly string[] => permissions ?? []

const area = (permission: string): string => permission.split('.')[0] as string

function redefined(key: string, modules: readonly LoadedModule[], tree: MapTree): Diagnostic[] {
  const owner = modules.find(({ module }) => key in (module.roles ?? {}))
  if (!owner && !BUILT_IN_ROLES.includes(key)) return []
  const message = `the role '${key}' comes with ${owner ? `the module '${owner.key}'` : 'Larder'}: a recipe cannot redefine it`
  return [
    diagnosticAt(
      'role_redefined',
      keyLocation(tree, ['roles', key]),
      ['roles', key],
      message,
      'choose another key for your role',
    ),
  ]
}

function grantProblem(
  role: string,
  pattern: string,
  scope: 'tenant' | 'platform',
  known: readonly PermissionEntry[],
): { message: string; fix?: string } | undefined {
  const matched = known.filter(({ key }) => covers(pattern, key))
  if (matched.length === 0)
    return unknownPermission(
      role,
      pattern,
      known.map(({ key }) => key),
    )
  if (matched.some(entry => entry.scope === scope)) return undefined
  const other = scope === 'tenant' ? 'platform' : 'tenant'
  return {
    message: `role '${role}' is of scope ${scope}, and '${pattern}' of scope ${other}`,
    fix: `give the role scope: ${other}, or take the permission out`,
  }
}
