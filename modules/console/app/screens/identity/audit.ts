/** What an audit entry says beside its sentence. Pure. */
import type { AuditRecord } from '../../data/api-types.ts'
import { fill } from '../../locales/index.ts'

interface Shown {
  readonly roleName: (key: string) => string
  readonly date: (at: string) => string
  readonly label: (property: string) => string
  readonly cause: Readonly<Record<string, string>>
  /** `{count} permissions`, and all of them. */
  readonly permissions: string
  readonly allPermissions: string
}

/** What the sentence doesn't say: properties with their titles; roles before and after. */
export function changesOf({ action, details }: AuditRecord, shown: Shown): string {
  const { email, name, roles, previous, permissions, slug, expiresAt, reason, cause } = details
  const roleNames = (keys: readonly unknown[]) => keys.map(key => shown.roleName(String(key))).join(', ') || '–'
  const titled = (property: string, value: string) => `${shown.label(property)}: ${value}`
  const parts: string[] = []
  if (typeof name === 'string' && (typeof email === 'string' || action.startsWith('tenant.')))
    parts.push(titled('name', name))
  if (typeof slug === 'string') parts.push(titled('slug', slug))
  if (Array.isArray(details.fields)) parts.push(details.fields.map(field => shown.label(String(field))).join(', '))
  if (Array.isArray(roles))
    parts.push(
      titled('roles', Array.isArray(previous) ? `${roleNames(previous)} → ${roleNames(roles)}` : roleNames(roles)),
    )
  if (permissions === null || (Array.isArray(permissions) && permissions.includes('*')))
    parts.push(titled('permissions', shown.allPermissions))
  else if (Array.isArray(permissions))
    parts.push(
      permissions.length === 1
        ? titled('permissions', String(permissions[0]))
        : fill(shown.permissions, { count: String(permissions.length) }),
    )
  if (typeof details.planKey === 'string')
    parts.push(titled('planKey', `${details.previousPlanKey ?? '–'} → ${details.planKey}`))
  if (typeof details.amount === 'number') parts.push(titled('amount', `${details.amount} ${details.key ?? ''}`.trim()))
  if (typeof expiresAt === 'string') parts.push(titled('expiresAt', shown.date(expiresAt)))
  if (typeof reason === 'string') parts.push(titled('reason', reason))
  if (typeof cause === 'string') parts.push(shown.cause[cause] ?? cause)
  return parts.join(' · ')
}
