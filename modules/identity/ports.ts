/** What identity gives, tells and does later: types alone. */
import type { Authenticator, PageOf } from 'larder/kernel'
import type { AuditQuery, LoggedEntry } from './services/audit.ts'
import type { Identity } from './services/identity.ts'

export interface InvitationSent {
  invitationId: string
  email: string
  roles: string[]
  /** Of the link: a newer one makes it void. */
  version: number
  /** User id; an invitation is in the name of a person even where a key sent it. */
  invitedBy: string
  sendEmail: boolean
}

/** A member, as other modules may know them. */
export interface TenantPerson {
  readonly userId: string
  readonly name: string | null
  readonly email: string
  readonly locale: string | null
}
export interface People {
  /** Those of these users who are members of the tenant now, in no order. */
  members(tenantId: string, userIds: readonly string[]): Promise<readonly TenantPerson[]>
  /** Members whose name or e-mail has `words` in it, by name; '' is all of them. */
  find(tenantId: string, asked: { readonly words: string; readonly limit: number }): Promise<readonly TenantPerson[]>
}

/** Who changed members, roles, keys and logins. */
export interface AuditLog {
  /** Newest first; of every tenant where that is null. */
  list(tenantId: string | null, query: AuditQuery): Promise<PageOf<LoggedEntry>>
}

declare module 'larder/kernel' {
  interface Ports {
    auditLog: AuditLog
    authenticator: Authenticator
    /** The services behind identity's own routes and pages. */
    identity: Identity
    people: People
  }
  interface Events {
    'identity.user.created': { userId: string; email: string; name: string | null; locale: string | null }
    'identity.password.changed': { userId: string; how: 'changed' | 'reset' }
    'identity.email.verified': { userId: string }
    'identity.tenant.created': { tenantId: string; name: string; slug: string; ownerId: string }
    'identity.tenant.updated': { tenantId: string; name: string; slug: string }
    'identity.tenant.deleted': { tenantId: string }
    'identity.invitation.created': InvitationSent
    'identity.invitation.resent': InvitationSent
    'identity.invitation.revoked': { invitationId: string }
    'identity.member.joined': { memberId: string; userId: string; roles: string[] }
    'identity.member.removed': { memberId: string; userId: string }
    'identity.member.roles_changed': { memberId: string; userId: string; roles: string[]; previous: string[] }
  }
  interface Jobs {
    /** Tells the owner of an address how to set a new password, if there is one. */
    'identity.password_reset': { email: string }
    'identity.verify_email': { userId: string }
    'identity.sweep': Record<string, never>
  }
}
