/** Which rows and fields a caller may read and write. Pure. */
import type { Caller } from '@larder-dev/larder/kernel'
import { type AccessCatalogue, anyCovers, covers } from '@larder-dev/larder/kernel/internal'
import { type Action, type Collection, type Field, SIGNED_IN } from '../declarations/collection.ts'
import type { Condition } from '../declarations/condition.ts'

/** Every row, or those that match one of the conditions. */
export type RowAccess = 'all' | readonly Condition[]
const NO_ROWS: RowAccess = []

/**
 * Decides for every way to read or write rows. A role or a permission counts for the rows of the workspace that the caller
 * is in: for those of a shared collection, in the operator's workspace only.
 */
export interface AccessRules {
  /** The rows that an action is open to; without a caller, to people who are not signed in. @param owner their tenant. */
  rows(collection: Collection, action: Action, caller: Caller | undefined, owner: string): RowAccess
  /** Those of them that a role, a permission or a membership opens, and not only `anyone` or `signedIn`. */
  granted(collection: Collection, action: Action, caller: Caller | undefined, owner: string): RowAccess
  /** Nobody can read private fields. */
  mayRead(collection: Collection, field: Field, caller: Caller | undefined, owner: string): boolean
  mayWrite(collection: Collection, field: Field, caller: Caller | undefined, owner: string): boolean
}

/** The rules of code, which acts without a caller. */
export const UNLIMITED: AccessRules = {
  rows: () => 'all',
  granted: () => 'all',
  mayRead: () => true,
  mayWrite: (_collection, { type }) => type !== 'computed',
}

export const OWNER = 'tenant.owner'
/** On shared rows: everybody with a membership in any workspace. */
export const MEMBER = 'tenant.member'

export const permissionOf = ({ name }: Pick<Collection, 'name'>, action: Action): string =>
  `collections.${name}.${action}`

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

  /** Whether a key of a workspace may be used where everybody of a kind may read. A person may. */
  const coversKey = (collection: Collection, { kind, permissions }: Caller): boolean =>
    kind !== 'apiKey' || anyCovers(permissions, permissionOf(collection, 'read'))

  /** Whether a role that is held in any workspace opens shared rows and their fields. */
  const isMember = (collection: Collection, caller: Caller): boolean =>
    collection.scope === 'shared' && Boolean(caller.memberId) && coversKey(collection, caller)

  /** `signedIn` never opens the rows of a workspace to people of another one. */
  const isSignedIn = (collection: Collection, caller: Caller | undefined, owner: string): boolean =>
    caller !== undefined &&
    !caller.isSuspended &&
    (collection.scope === 'shared' || caller.tenantId === owner) &&
    coversKey(collection, caller)

  function granted(collection: Collection, action: Action, caller: Caller | undefined, owner: string): RowAccess {
    if (!caller) return NO_ROWS
    const access = caller.tenantId === owner ? grantedRows(collection, action, caller) : NO_ROWS
    const ofMembers = action === 'read' ? collection.access.actions.read[MEMBER] : undefined
    if (access === 'all' || !ofMembers || access.includes(ofMembers) || !isMember(collection, caller)) return access
    return simplified([...access, ofMembers])
  }

  function holds(
    collection: Collection,
    wanted: readonly string[] | undefined,
    caller: Caller | undefined,
    owner: string,
  ): boolean {
    if (wanted === undefined) return true
    if (!caller) return false
    if (wanted.includes(SIGNED_IN) && isSignedIn(collection, caller, owner)) return true
    if (wanted.includes(MEMBER) && isMember(collection, caller)) return true
    return caller.tenantId === owner && caller.roles.some(role => role === OWNER || wanted.includes(role))
  }

  return {
    granted,
    rows(collection, action, caller, owner) {
      const access = granted(collection, action, caller, owner)
      if (action === 'create' && !caller && collection.access.guests) return simplified([collection.access.guests])
      if (action !== 'read' || access === 'all') return access
      const { anyone, signedIn } = collection.access
      const opened = [anyone, isSignedIn(collection, caller, owner) ? signedIn : undefined]
      return simplified([...access, ...opened.filter(condition => condition !== undefined)])
    },
    mayRead(collection, field, caller, owner) {
      if (field.private || field.readRoles === undefined) return !field.private
      // The roles of a key are those of its creator, whatever limits the key.
      return caller !== undefined && coversKey(collection, caller) && holds(collection, field.readRoles, caller, owner)
    },
    mayWrite: (collection, field, caller, owner) =>
      !field.readOnly && holds(collection, field.writeRoles, caller, owner),
  }
}

/** An empty condition matches every row. */
const simplified = (conditions: readonly Condition[]): RowAccess =>
  conditions.some(condition => Object.keys(condition).length === 0) ? 'all' : conditions
