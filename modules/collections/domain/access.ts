/** Which rows and fields a caller may read and write. Pure. */
import { type AccessCatalogue, anyCovers, type Caller, covers } from '@larder-dev/larder/kernel'
import type { Action, Collection, Field } from './collection.ts'
import type { Condition } from './condition.ts'

/** Every row, or those that match one of the conditions. */
export type RowAccess = 'all' | readonly Condition[]
const NO_ROWS: RowAccess = []

export interface AccessRules {
  /** Rows of the tenant that an action is open to; without a caller, to people who are not signed in. */
  rows(collection: Collection, action: Action, caller: Caller | undefined): RowAccess
  /** Whether the caller may read who created rows. Those who read only what is open to anyone may not. */
  mayReadAuthor(collection: Collection, caller: Caller | undefined): boolean
  /** Nobody can read private fields. */
  mayRead(field: Field, caller: Caller | undefined): boolean
  mayWrite(field: Field, caller: Caller | undefined): boolean
}

/** For code, which acts without a caller. */
export const UNLIMITED: AccessRules = {
  rows: () => 'all',
  mayReadAuthor: () => true,
  mayRead: () => true,
  mayWrite: ({ type }) => type !== 'computed',
}

export const OWNER = 'tenant.owner'

export function createAccessRules(
  catalogue: AccessCatalogue,
  permissionOf: (collection: Collection, action: Action) => string,
): AccessRules {
  const roles = new Map(catalogue.roles().map(role => [role.key, role]))
  /** Permissions of a role; undefined for a role of one tenant. */
  function permissionsOf(role: string): readonly string[] | undefined {
    const known = roles.get(role)
    return known?.scope === 'platform' ? [] : known?.permissions
  }

  /** An action that is named for a role is limited to its condition. Another role opens every row. */
  function grantedRows(collection: Collection, action: Action, caller: Caller): RowAccess {
    const permission = permissionOf(collection, action)
    if (!caller.can(permission)) return NO_ROWS
    if (caller.roles.includes(OWNER)) return 'all'
    const named = collection.access.actions[action]
    const conditions: Condition[] = []
    const accounted: string[] = []
    for (const role of caller.roles) {
      const condition = Object.hasOwn(named, role) ? named[role] : undefined
      const permissions = permissionsOf(role) ?? []
      accounted.push(...permissions)
      if (condition) conditions.push(condition)
      else if (anyCovers(permissions, permission)) return 'all'
    }
    // Permissions of roles that the tenant defined itself.
    const others = caller.permissions.filter(pattern => !accounted.some(known => covers(known, pattern)))
    return anyCovers(others, permission) ? 'all' : simplified(conditions)
  }

  const holds = (caller: Caller | undefined, wanted: readonly string[] | undefined): boolean =>
    wanted === undefined || (caller?.roles.some(role => role === OWNER || wanted.includes(role)) ?? false)

  return {
    rows(collection, action, caller) {
      const granted = caller ? grantedRows(collection, action, caller) : NO_ROWS
      const { anyone } = collection.access
      if (action !== 'read' || anyone === undefined || granted === 'all') return granted
      return simplified([...granted, anyone])
    },
    mayReadAuthor: (collection, caller) =>
      collection.access.anyone === undefined || (caller?.can(permissionOf(collection, 'read')) ?? false),
    mayRead: (field, caller) => !field.private && holds(caller, field.readRoles),
    mayWrite: (field, caller) => !field.readOnly && holds(caller, field.writeRoles),
  }
}

/** An empty condition matches every row. */
const simplified = (conditions: readonly Condition[]): RowAccess =>
  conditions.some(condition => Object.keys(condition).length === 0) ? 'all' : conditions
