/** Audit entries in sentences. Pure. */
import type { AuditEntry } from '../../data/api-types.ts'
import { fill, type Language } from '../../locales/index.ts'

type Sentences = Readonly<Record<string, string>>

const en: Sentences = {
  'tenant.created': '{actor} created the workspace',
  'tenant.updated': '{actor} changed the workspace',
  'tenant.deleted': '{actor} deleted the workspace',
  'tenant.suspended': '{actor} suspended the workspace',
  'tenant.resumed': '{actor} resumed the workspace',
  'subscription.changed': '{actor} changed the plan',
  'credits.granted': '{actor} granted credits',
  'credits.taken_back': '{actor} took credits back',
  'email.resent': '{actor} sent an email again',
  'member.joined': '{about} joined the workspace',
  'member.roles_changed': '{actor} changed the roles of {about}',
  'member.profile_changed': '{actor} changed the details of {about}',
  'member.removed': '{actor} removed {about}',
  'invitation.created': '{actor} invited {about}',
  'invitation.resent': '{actor} sent the invitation of {about} again',
  'invitation.revoked': '{actor} revoked an invitation',
  'invitation.accepted': '{actor} accepted an invitation',
  'role.created': '{actor} created the role {about}',
  'role.updated': '{actor} changed the role {about}',
  'role.deleted': '{actor} deleted the role {about}',
  'api_key.created': '{actor} created the API key {about}',
  'api_key.updated': '{actor} changed the API key {about}',
  'api_key.deleted': '{actor} revoked the API key {about}',
  'operator.claimed': '{actor} claimed the installation',
  'password.changed': '{actor} changed their password',
  'password.reset': '{actor} reset their password',
  'password.requested': '{actor} sent {about} a password reset',
  'email.requested': '{actor} requested a new email address',
  'email.changed': '{actor} changed their email address',
  'email.verification_sent': '{actor} sent {about} a confirmation email',
  'impersonation.started': '{operator} started acting as {about}',
  'impersonation.ended': '{operator} stopped acting as {about}',
  'user.deleted': '{actor} deleted an account',
  'user.profile_changed': '{actor} changed the details of {about}',
  'login.created': '{actor} signed in',
  'login.ended': '{actor} ended a login',
  'login.all_ended': '{actor} ended all logins of {about}',
  'login.others_ended': '{actor} ended the other logins of {about}',
}
const de: Sentences = {
  'tenant.created': '{actor} hat den Workspace erstellt',
  'tenant.updated': '{actor} hat den Workspace geändert',
  'tenant.deleted': '{actor} hat den Workspace gelöscht',
  'tenant.suspended': '{actor} hat den Workspace gesperrt',
  'tenant.resumed': '{actor} hat den Workspace freigegeben',
  'subscription.changed': '{actor} hat den Tarif geändert',
  'credits.granted': '{actor} hat Guthaben gutgeschrieben',
  'credits.taken_back': '{actor} hat Guthaben zurückgenommen',
  'email.resent': '{actor} hat eine E-Mail erneut gesendet',
  'member.joined': '{about} ist dem Workspace beigetreten',
  'member.roles_changed': '{actor} hat die Rollen von {about} geändert',
  'member.profile_changed': '{actor} hat die Angaben von {about} geändert',
  'member.removed': '{actor} hat {about} entfernt',
  'invitation.created': '{actor} hat {about} eingeladen',
  'invitation.resent': '{actor} hat die Einladung von {about} erneut gesendet',
  'invitation.revoked': '{actor} hat eine Einladung widerrufen',
  'invitation.accepted': '{actor} hat eine Einladung angenommen',
  'role.created': '{actor} hat die Rolle {about} erstellt',
  'role.updated': '{actor} hat die Rolle {about} geändert',
  'role.deleted': '{actor} hat die Rolle {about} gelöscht',
  'api_key.created': '{actor} hat den API-Schlüssel {about} erstellt',
  'api_key.updated': '{actor} hat den API-Schlüssel {about} geändert',
  'api_key.deleted': '{actor} hat den API-Schlüssel {about} widerrufen',
  'operator.claimed': '{actor} hat die Installation übernommen',
  'password.changed': '{actor} hat das eigene Passwort geändert',
  'password.reset': '{actor} hat das eigene Passwort zurückgesetzt',
  'password.requested': '{actor} hat {about} einen Link zum Zurücksetzen des Passworts gesendet',
  'email.requested': '{actor} hat eine neue E-Mail-Adresse beantragt',
  'email.changed': '{actor} hat die eigene E-Mail-Adresse geändert',
  'email.verification_sent': '{actor} hat {about} eine Bestätigungs-E-Mail gesendet',
  'impersonation.started': '{operator} handelt jetzt als {about}',
  'impersonation.ended': '{operator} handelt nicht mehr als {about}',
  'user.deleted': '{actor} hat ein Konto gelöscht',
  'user.profile_changed': '{actor} hat die Angaben von {about} geändert',
  'login.created': '{actor} hat sich angemeldet',
  'login.ended': '{actor} hat eine Anmeldung beendet',
  'login.all_ended': '{actor} hat alle Anmeldungen von {about} beendet',
  'login.others_ended': '{actor} hat die anderen Anmeldungen von {about} beendet',
}
const SENTENCES: Readonly<Record<Language, Sentences>> = { en, de }
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
