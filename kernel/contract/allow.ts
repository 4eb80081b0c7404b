/** Evaluates `allow`: permissions, patterns and its other values. Pure. */

import { anyCovers } from '../base/index.ts'
import type { Caller } from './caller.ts'
import type { AccessCatalogue, Membership, Principal } from './ports.ts'
import type { Allow, AllowKeyword } from './route.ts'

export type OpenKeyword = Exclude<AllowKeyword, 'user'>
const OPEN: readonly string[] = ['public', 'joinToken', 'signature'] satisfies OpenKeyword[]

/** A parsed `allow`. */
export interface Guard {
  readonly permissions: readonly string[]
  readonly user: boolean
  /** Values that grant access to anyone. */
  readonly open: readonly string[]
  readonly apiKeys: boolean
  /** True if a credential that isn't accepted is ignored instead of refused. */
  readonly ignoresRefused: boolean
  /** True if only permissions grant access: the request must name a tenant. */
  readonly tenant: boolean
  /** Whether `x-tenant-id` may name a tenant that the caller doesn't belong to. */
  readonly foreignTenant: boolean
}

export function guardOf(allow: Allow, apiKeys = true, foreignTenant = false): Guard {
  const words: readonly string[] = typeof allow === 'string' ? [allow] : allow
  const open = words.filter(word => OPEN.includes(word))
  const permissions = words.filter(word => word !== 'user' && !OPEN.includes(word))
  const user = words.includes('user')
  const isOpen = open.length > 0
  return { permissions, user, open, apiKeys, ignoresRefused: isOpen && !user, tenant: !user && !isOpen, foreignTenant }
}

export const allowValues = (allow: Allow): readonly string[] => (typeof allow === 'string' ? [allow] : allow)

/** Where permissions count. */
export interface Scopes {
  readonly scopeOf: ReadonlyMap<string, 'tenant' | 'platform'>
  readonly operatorOnly: ReadonlySet<string>
  readonly operatorTenantId: string
}
export function scopesOf(access: AccessCatalogue, operatorTenantId: string): Scopes {
  const permissions = access.permissions()
  return {
    scopeOf: new Map(permissions.map(({ key, scope }) => [key, scope])),
    operatorOnly: new Set(permissions.flatMap(({ key, operatorOnly }) => (operatorOnly ? key : []))),
    operatorTenantId,
  }
}

/** Tenant roles never grant permissions of scope platform, and an API key has at most the permissions it names. */
export function may(
  { scopeOf, operatorOnly, operatorTenantId }: Scopes,
  principal: Principal,
  member: Membership,
  permission: string,
): boolean {
  if (member.suspended === 'customer') return false
  const scope = scopeOf.get(permission)
  if (scope === undefined || (operatorOnly.has(permission) && member.tenantId !== operatorTenantId)) return false
  const ceiling = principal.permissions
  if (scope === 'platform')
    return anyCovers(member.platformPermissions, permission) && (ceiling === null || ceiling.includes(permission))
  if (member.suspended) return false
  return anyCovers(member.permissions, permission) && (ceiling === null || anyCovers(ceiling, permission))
}

/** The value of `allow` that grants access, permissions first; undefined if none does. */
export function grantedTo(guard: Guard, caller: Caller): string | undefined {
  const held = guard.permissions.find(permission => caller.can(permission))
  return held ?? (guard.user ? 'user' : guard.open[0])
}
