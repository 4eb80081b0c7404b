/** Checks the roles of a recipe. */

import { covers } from '../base/index.ts'
import type { PermissionEntry } from '../contract/index.ts'
import type { CheckContext } from './check-context.ts'
import { permissionsOf } from './declared-access.ts'
import { type Diagnostic, diagnosticAt } from './diagnostic.ts'
import { unknownPermission } from './graph.ts'
import type { LoadedModule } from './load.ts'
import type { RecipeValue } from './shape.ts'
import { keyLocation, type MapTree, valueLocation } from './tree.ts'

/** Their permissions are fixed. */
const BUILT_IN_ROLES = ['tenant.owner', 'tenant.member']

export function roleProblems({ roles }: RecipeValue, { tree, modules, complete, isValid }: CheckContext): Diagnostic[] {
  if (!isValid(['roles'])) return []
  const known = modules.flatMap(({ module }) => permissionsOf(module))
  // A role can get its permissions from the access rules of collections.
  const granted = new Set(modules.flatMap(({ module }) => Object.keys(module.grants ?? {})))
  return Object.entries(roles).flatMap(([key, role]) => {
    const redefinition = redefined(key, modules, tree)
    return [
      ...redefinition,
      ...(redefinition.length === 0 &&
      role?.permissions?.length === 0 &&
      role.extends === undefined &&
      !granted.has(key)
        ? [emptyRole(key, tree)]
        : []),
      ...(isValid(['roles', key, 'permissions']) ? permissionsIn(role) : []).flatMap((pattern, index) => {
        const path = ['roles', key, 'permissions', index]
        const problem = isValid(path) ? grantProblem(key, pattern, role.scope, known) : undefined
        if (!problem || (!complete && !known.some(entry => area(entry.key) === area(pattern)))) return []
        return [diagnosticAt('invalid_grant', valueLocation(tree, path), path, problem.message, problem.fix)]
      }),
    ]
  })
}

/** A base recipe that can't be read may contain the permissions. */
const permissionsIn = ({ permissions }: { permissions?: readonly string[] }): readonly string[] => permissions ?? []

const area = (permission: string): string => permission.split('.')[0] as string

function redefined(key: string, modules: readonly LoadedModule[], tree: MapTree): Diagnostic[] {
  const owner = modules.find(({ module }) => key in (module.roles ?? {}))
  if (!owner && !BUILT_IN_ROLES.includes(key)) return []
  const message = `Role "${key}" is defined by ${owner ? `module "${owner.key}"` : 'Larder'} and cannot be redefined`
  return [
    diagnosticAt('role_redefined', keyLocation(tree, ['roles', key]), ['roles', key], message, 'Choose another key'),
  ]
}

const emptyRole = (key: string, tree: MapTree): Diagnostic =>
  diagnosticAt(
    'empty_role',
    valueLocation(tree, ['roles', key, 'permissions']),
    ['roles', key, 'permissions'],
    `Role "${key}" has no permissions`,
    'Add permissions, or remove the role',
    'warning',
  )

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
    message: `Role "${role}" has scope ${scope}, but "${pattern}" has scope ${other}`,
    fix: `Set scope: ${other} on the role, or remove the permission`,
  }
}
