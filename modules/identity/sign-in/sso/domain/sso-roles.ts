/** Roles that follow from the groups of a provider. Pure. */
import type { RoleMapping } from '../records.ts'

type Claims = Readonly<Record<string, unknown>>

const MAX_GROUPS = 1000
/** The limit of a name of a group, as in the mappings. */
const MAX_LENGTH = 256
/** The attribute of SAML that Entra ID sends instead of too many groups. */
const GROUPS_LINK = 'http://schemas.microsoft.com/claims/groups.link'

/** Values of the groups claim: a list of texts, or one text. Null if there are too many, also for the provider. */
export function groupsOf(claims: Claims, name: string): readonly string[] | null {
  const value = claims[name]
  const sent = (Array.isArray(value) ? value : [value]).filter(each => typeof each === 'string' && each !== '')
  // No mapping names a longer one.
  const values = sent.filter(each => each.length <= MAX_LENGTH)
  if (sent.length > MAX_GROUPS || (sent.length === 0 && areLeftOut(claims, name))) return null
  return values
}

/** Whether the claim is elsewhere (OpenID Connect Core 5.6.2), which is how Entra ID leaves it out, or in other ways of it. */
function areLeftOut({ _claim_names: elsewhere, hasgroups, [GROUPS_LINK]: link }: Claims, name: string): boolean {
  const isElsewhere = typeof elsewhere === 'object' && elsewhere !== null && name in elsewhere
  return isElsewhere || String(hasgroups) === 'true' || link !== undefined
}

interface Mapped {
  readonly mappings: readonly RoleMapping[]
  /** Null if they are unknown. */
  readonly groups: readonly string[] | null
  readonly defaultRole: string
}

/** The roles of a new member. */
export function firstRoles({ mappings, groups, defaultRole }: Mapped): readonly string[] {
  const mapped = mappings.filter(({ group }) => groups?.includes(group)).map(({ role }) => role)
  return mapped.length > 0 ? [...new Set(mapped)] : [defaultRole]
}

/** Groups decide about the roles that the mappings name. Others stay, and all if the groups are unknown. */
export function nextRoles(current: readonly string[], mapped: Mapped): readonly string[] {
  const { mappings, groups } = mapped
  if (mappings.length === 0 || groups === null) return current
  const held = new Set(mappings.filter(({ group }) => groups.includes(group)).map(({ role }) => role))
  const named = new Set(mappings.map(({ role }) => role))
  const kept = current.filter(role => !named.has(role) || held.has(role))
  const roles = [...kept, ...[...held].filter(role => !kept.includes(role))]
  return roles.length > 0 ? roles : [mapped.defaultRole]
}
