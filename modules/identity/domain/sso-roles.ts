/** Roles that follow from the groups of a provider. Pure. */
import type { RoleMapping } from '../records/sso.ts'

const MAX_GROUPS = 1000

/** Values of the groups claim: a list of texts, or one text. */
export function groupsOf(claims: Readonly<Record<string, unknown>>, name: string): readonly string[] {
  const value = claims[name]
  const values = Array.isArray(value) ? value : [value]
  return values.filter(each => typeof each === 'string' && each !== '').slice(0, MAX_GROUPS)
}

interface Mapped {
  readonly mappings: readonly RoleMapping[]
  readonly groups: readonly string[]
  readonly defaultRole: string
}

/** Of a new member. */
export function firstRoles({ mappings, groups, defaultRole }: Mapped): readonly string[] {
  const mapped = mappings.filter(({ group }) => groups.includes(group)).map(({ role }) => role)
  return mapped.length > 0 ? [...new Set(mapped)] : [defaultRole]
}

/** Groups decide about the roles that the mappings name. Others stay. */
export function nextRoles(current: readonly string[], mapped: Mapped): readonly string[] {
  const { mappings, groups } = mapped
  if (mappings.length === 0) return current
  const held = new Set(mappings.filter(({ group }) => groups.includes(group)).map(({ role }) => role))
  const named = new Set(mappings.map(({ role }) => role))
  const kept = current.filter(role => !named.has(role) || held.has(role))
  const roles = [...kept, ...[...held].filter(role => !kept.includes(role))]
  return roles.length > 0 ? roles : [mapped.defaultRole]
}
