/** Audit entries in sentences. Pure. */
import type { AuditEntry } from '../../data/api-types.ts'
import { bilingual, type Language } from '../../locales/bilingual.ts'
import { fill } from '../../locales/index.ts'

type Sentences = Readonly<Record<string, string>>

const SENTENCES: Readonly<Record<Language, Sentences>> = bilingual({
  'tenant.created': ['{actor} created the workspace', '{actor} hat den Workspace erstellt'],
  'tenant.updated': ['{actor} changed the workspace', '{actor} hat den Workspace geändert'],
  'tenant.deleted': ['{actor} deleted the workspace', '{actor} hat den Workspace gelöscht'],
  'tenant.suspended': ['{actor} suspended the workspace', '{actor} hat den Workspace gesperrt'],
  'tenant.resumed': ['{actor} resumed the workspace', '{actor} hat den Workspace freigegeben'],
  'subscription.changed': ['{actor} changed the plan', '{actor} hat den Tarif geändert'],
  'credits.granted': ['{actor} granted credits', '{actor} hat Guthaben gutgeschrieben'],
  'credits.taken_back': ['{actor} took credits back', '{actor} hat Guthaben zurückgenommen'],
  'email.resent': ['{actor} sent an email again', '{actor} hat eine E-Mail erneut gesendet'],
  'member.joined': ['{about} joined the workspace', '{about} ist dem Workspace beigetreten'],
  'member.roles_changed': ['{actor} changed the roles of {about}', '{actor} hat die Rollen von {about} geändert'],
  'member.profile_changed': ['{actor} changed the details of {about}', '{actor} hat die Angaben von {about} geändert'],
  'member.removed': ['{actor} removed {about}', '{actor} hat {about} entfernt'],
  'invitation.created': ['{actor} invited {about}', '{actor} hat {about} eingeladen'],
  'invitation.resent': [
    '{actor} sent the invitation of {about} again',
    '{actor} hat die Einladung von {about} erneut gesendet',
  ],
  'invitation.revoked': ['{actor} revoked an invitation', '{actor} hat eine Einladung widerrufen'],
  'invitation.accepted': ['{actor} accepted an invitation', '{actor} hat eine Einladung angenommen'],
  'role.created': ['{actor} created the role {about}', '{actor} hat die Rolle {about} erstellt'],
  'role.updated': ['{actor} changed the role {about}', '{actor} hat die Rolle {about} geändert'],
  'role.deleted': ['{actor} deleted the role {about}', '{actor} hat die Rolle {about} gelöscht'],
  'api_key.created': ['{actor} created the API key {about}', '{actor} hat den API-Schlüssel {about} erstellt'],
  'api_key.updated': ['{actor} changed the API key {about}', '{actor} hat den API-Schlüssel {about} geändert'],
  'api_key.deleted': ['{actor} revoked the API key {about}', '{actor} hat den API-Schlüssel {about} widerrufen'],
  'operator.claimed': ['{actor} claimed the installation', '{actor} hat die Installation übernommen'],
  'password.changed': ['{actor} changed their password', '{actor} hat das eigene Passwort geändert'],
  'password.reset': ['{actor} reset their password', '{actor} hat das eigene Passwort zurückgesetzt'],
  'password.requested': [
    '{actor} sent {about} a password reset',
    '{actor} hat {about} einen Link zum Zurücksetzen des Passworts gesendet',
  ],
  'email.requested': ['{actor} requested a new email address', '{actor} hat eine neue E-Mail-Adresse beantragt'],
  'email.changed': ['{actor} changed their email address', '{actor} hat die eigene E-Mail-Adresse geändert'],
  'email.verification_sent': [
    '{actor} sent {about} a confirmation email',
    '{actor} hat {about} eine Bestätigungs-E-Mail gesendet',
  ],
  'impersonation.started': ['{operator} started acting as {about}', '{operator} handelt jetzt als {about}'],
  'impersonation.ended': ['{operator} stopped acting as {about}', '{operator} handelt nicht mehr als {about}'],
  'user.deleted': ['{actor} deleted an account', '{actor} hat ein Konto gelöscht'],
  'user.profile_changed': ['{actor} changed the details of {about}', '{actor} hat die Angaben von {about} geändert'],
  'login.created': ['{actor} signed in', '{actor} hat sich angemeldet'],
  'login.ended': ['{actor} ended a login', '{actor} hat eine Anmeldung beendet'],
  'login.all_ended': ['{actor} ended all logins of {about}', '{actor} hat alle Anmeldungen von {about} beendet'],
  'login.others_ended': [
    '{actor} ended the other logins of {about}',
    '{actor} hat die anderen Anmeldungen von {about} beendet',
  ],
})
interface Words {
  readonly system: string
  readonly aUser: string
  readonly someone: string
}

/** @param names of users by their id. */
export function sentenceOf(entry: AuditEntry, names: ReadonlyMap<string, string>, language: Language, words: Words) {
  const { actor, action } = entry
  const who = actor.userId === null ? words.system : (names.get(actor.userId) ?? words.aUser)
  const operator = typeof entry.details.operator === 'string' ? entry.details.operator : words.someone
  const about = aboutOf(entry, names, words)
  return fill(SENTENCES[language][action] ?? `{actor}: ${action}`, { actor: who, about, operator })
}

function aboutOf(entry: AuditEntry, names: ReadonlyMap<string, string>, words: Words): string {
  const { details, subject } = entry
  for (const value of [details.email, details.name]) if (typeof value === 'string') return value
  for (const id of [details.userId, subject]) {
    const name = typeof id === 'string' ? names.get(id) : undefined
    if (name !== undefined) return name
  }
  return typeof details.userId === 'string' || subject?.startsWith('usr_') ? words.aUser : (subject ?? words.someone)
}

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
export function changesOf({ action, details }: AuditEntry, shown: Shown): string {
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
