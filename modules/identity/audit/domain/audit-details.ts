/** Details of audit entries, as people read them. Pure. */
import { defineTexts, type LocalText } from '@larder-dev/larder/kernel'

const LABELS: Readonly<Record<string, string>> = defineTexts({
  email: 'Email',
  name: 'Name',
  slug: 'Slug',
  roles: 'Roles',
  previous: 'Roles before',
  planKey: 'Plan',
  previousPlanKey: 'Plan before',
  key: 'Kind of credits',
  fields: 'Changed',
  permissions: 'Permissions',
  expiresAt: 'Expires',
  reason: 'Reason given',
  operator: 'Operator',
  cause: 'Cause',
  method: 'Sign-in method',
  label: 'Name',
  domain: 'Domain',
  issuer: 'Issuer',
})
const CAUSES: Readonly<Record<string, string>> = defineTexts({
  ended: 'Ended',
  expired: 'Expired',
  revoked: 'Permission lost',
})
const ALL_PERMISSIONS = defineTexts({ all: 'All permissions' }).all
/** Further permissions are counted. */
const MAX_PERMISSIONS = 3

export interface AuditFact {
  /** English. */
  readonly label: string
  /** RFC 3339; set for times only. */
  readonly date?: string
  /** Texts of the product: names of roles, titles of permissions. */
  readonly texts?: readonly LocalText[]
  /** What a person typed. */
  readonly value?: string
}
export interface Names {
  role(key: string): string
  /** Undefined for a pattern. */
  permission(key: string): LocalText | undefined
}

/** Leaves out empty values, and IDs, which are shown as names elsewhere. */
export const auditFacts = (details: Readonly<Record<string, unknown>>, names: Names): readonly AuditFact[] =>
  Object.entries(details).flatMap(([key, value]) => {
    if (value === null || key.endsWith('Id')) return []
    return { label: LABELS[key] ?? titleOf(key), ...shown(key, value, names) }
  })

function shown(key: string, value: unknown, names: Names): Omit<AuditFact, 'label'> {
  if (key === 'expiresAt') return { date: String(value) }
  if (key === 'cause') return { texts: [CAUSES[String(value)] ?? String(value)] }
  if (!Array.isArray(value)) return { value: typeof value === 'string' ? value : JSON.stringify(value) }
  const keys = value.map(String)
  if (keys.length === 0) return { texts: ['–'] }
  if (key === 'fields') return { texts: keys.map(each => LABELS[each] ?? titleOf(each)) }
  if (key !== 'permissions') return { texts: keys.map(names.role) }
  const titles = keys.map(each => (each === '*' ? ALL_PERMISSIONS : (names.permission(each) ?? each)))
  const more = titles.length - MAX_PERMISSIONS
  return { texts: [...titles.slice(0, MAX_PERMISSIONS), ...(more > 0 ? [`+${more}`] : [])] }
}

/** `createdAt` → `Created at`. */
function titleOf(key: string): string {
  const words = key.replace(/([a-z])([A-Z])/g, (_, before: string, after: string) => `${before} ${after.toLowerCase()}`)
  return words.charAt(0).toUpperCase() + words.slice(1).replaceAll('_', ' ')
}
