/** Invitations: pending until accepted, revoked or expired. A tenant has at most one pending one per address. */
import { type Caller, type Deps, newId, type PageOf, Problem, together, type Unit } from '@larder-dev/larder/kernel'
import { emailKey, unlinked } from '@larder-dev/larder/kernel/internal'
import { type AuditActor, type AuditRecorder, actorOf } from '../../audit/audit-log.ts'
import { isCustomer } from '../../domain/customers.ts'
import { assertInPerson } from '../../domain/in-person.ts'
import { linkUrl, type MailToken } from '../../domain/links.ts'
import { iso, timeAt } from '../../domain/time.ts'
import type { IdentitySettings } from '../../options.ts'
import type { RightsService } from '../roles/rights.ts'
import { lockTenant } from '../tenant-record.ts'
import { isExpired, toInvitation } from './invitation-record.ts'
import { memberProblems } from './problems.ts'
import { type Invitation, invitationTable, type StoredInvitation } from './records/invitation.ts'
import { appendResend, limitResends, recentResends } from './resend-limit.ts'
import { assertSeatAvailable, requireSeat } from './seats.ts'

export interface NewInvitation {
  readonly email: string
  readonly roles: readonly string[]
  readonly sendEmail?: boolean
  /** By default the language of the account with this address, if there is one. */
  readonly locale?: string
}
export interface InvitationQuery {
  readonly limit?: number
  readonly cursor?: string
  readonly 'filter[status]'?: Invitation['status']
}
/** Data of the invitation email. */
export interface InvitationEmail {
  readonly tenant: string
  /** Null if the inviter is no longer a member. */
  readonly inviter: string | null
  readonly expiresAt: string
  readonly locale: string | null
  /** ID of the inviter's user; null if their account was deleted. */
  readonly invitedBy: string | null
}
export interface Invitations {
  /** `created` is false if a pending invitation was sent again with a new link. */
  invite(
    tenantId: string,
    invitation: NewInvitation,
    caller: Caller,
  ): Promise<{ readonly invitation: Invitation; readonly created: boolean }>
  /** Returns null for a member. The roles aren't checked against what somebody may grant. */
  inviteBySystem(tenantId: string, invitation: NewInvitation, actor: AuditActor): Promise<Invitation | null>
  resend(tenantId: string, id: string, sendEmail: boolean, caller: Caller): Promise<Invitation>
  revoke(tenantId: string, id: string, caller: Caller): Promise<void>
  /** Newest first. */
  list(tenantId: string, query: InvitationQuery): Promise<PageOf<Invitation>>
  /** Returns null if the link is no longer valid. */
  emailContent(tenantId: string, link: MailToken): Promise<InvitationEmail | null>
}
/** `invitedBy` of invitations that no person sent. */
const SYSTEM_INVITER = 'system'
interface Inviter {
  readonly userId: string
  readonly actor: AuditActor
  /** Throws unless the roles may be granted. */
  grantable(): Promise<void>
}
type Needs = Deps<'database' | 'events' | 'clock' | 'secrets' | 'product', 'entitlements'> & {
  readonly audit: AuditRecorder
  readonly rights: RightsService
  readonly settings: IdentitySettings
}

/** `status` of `Invitation`. Parameters: the status, the time. */
const HAS_STATUS = `$1 = case when status = 'pending' and expires_at <= $2 then 'expired' else status end`
/** Sends a pending invitation of the address again. */
const REPLACE_PENDING = `on conflict (tenant_id, email_key) where status = 'pending' do update
  set email = excluded.email, roles = excluded.roles, mailed = excluded.mailed, version = identity_invitations.version + 1,
    invited_by = excluded.invited_by, expires_at = excluded.expires_at, updated_at = excluded.updated_at,
    resent_at = ${appendResend('excluded.updated_at')}, locale = coalesce(excluded.locale, identity_invitations.locale)
  returning ${invitationTable.columns('identity_invitations')}`

export function createInvitations(deps: Needs): Invitations {
  const { database, events, clock, secrets, product, audit, rights, settings } = deps

  /** A customer can be invited to the staff. */
  async function assertNotMember(unit: Unit, tenantId: string, email: string): Promise<void> {
    const { rows } = await unit.query<{ roles: string[] }>(
      `select m.roles from identity_members m join identity_users u on u.id = m.user_id
       where m.tenant_id = $1 and u.email_key = $2`,
      [tenantId, emailKey(email)],
    )
    if (rows.some(({ roles }) => !isCustomer(settings, roles))) throw memberProblems.already_member()
  }

  async function upsertPending(
    unit: Unit,
    tenantId: string,
    { email, roles, locale, sendEmail: mailed = true }: NewInvitation,
    invitedBy: string,
    resent: boolean,
  ): Promise<StoredInvitation> {
    const now = timeAt(clock)
    const values = {
      tenantId,
      id: newId('inv'),
      email,
      emailKey: emailKey(email),
      roles,
      invitedBy,
      locale: locale ?? null,
      mailed,
      expiresAt: timeAt(clock, settings.invitationTtl),
      createdAt: now,
      updatedAt: now,
      resentAt: resent ? [new Date(now)] : [],
    }
    const [row] = await invitationTable.query(unit, ...invitationTable.insertStep(values, REPLACE_PENDING))
    return row as StoredInvitation
  }

  async function announce(
    unit: Unit,
    row: StoredInvitation,
    change: 'created' | 'resent',
    sendEmail: boolean,
    actor: AuditActor,
  ): Promise<void> {
    const { id: invitationId, tenantId, email, roles, version, invitedBy } = row
    await audit.record(unit, {
      tenantId,
      action: `invitation.${change}`,
      actor,
      subject: invitationId,
      details: { email, roles },
    })
    const payload = { invitationId, email, roles, version, invitedBy, sendEmail }
    await events.publish(`identity.invitation.${change}`, { tenantId, subject: invitationId, payload })
  }

  /** Returns the link only if no email is sent. It isn't stored, so it can't be read again. */
  const withLink = (row: StoredInvitation, sendEmail: boolean): Invitation => ({
    ...toInvitation(row, clock.now()),
    ...(sendEmail ? {} : { link: linkUrl(product.publicUrl, secrets, 'invitation', row) }),
  })

  async function lockPending(unit: Unit, tenantId: string, id: string): Promise<StoredInvitation> {
    const { invitation } = await together({
      lock: lockTenant(unit, tenantId),
      invitation: invitationTable.get(unit, { tenantId, id }, { lock: true }),
    })
    if (invitation.status !== 'pending') throw memberProblems.invitation_closed({ status: invitation.status })
    return invitation
  }

  async function send(
    tenantId: string,
    invitation: NewInvitation,
    { userId, actor, grantable }: Inviter,
  ): Promise<{ readonly invitation: Invitation; readonly created: boolean }> {
    const { email, roles, sendEmail = true } = invitation
    return database.tenant(tenantId).transaction(async unit => {
      const {
        limit: { resent },
      } = await together({
        lock: lockTenant(unit, tenantId),
        assignable: rights.assertAssignable(tenantId, roles),
        grantable: grantable(),
        newcomer: assertNotMember(unit, tenantId, email),
        seat: assertSeatAvailable(unit, deps, tenantId, email),
        limit: limitResends(unit, deps, tenantId, email),
      })
      const row = await upsertPending(unit, tenantId, invitation, userId, resent)
      const created = row.version === 1
      await announce(unit, row, created ? 'created' : 'resent', sendEmail, actor)
      return { invitation: withLink(row, sendEmail), created }
    })
  }

  return {
    async invite(tenantId, invitation, caller) {
      const grantable = async () => {
        await rights.assertCallerCanGrant(caller, tenantId, invitation.roles)
        // Whoever is invited stays after the impersonation.
        assertInPerson(caller)
      }
      return send(tenantId, invitation, { userId: caller.userId, actor: actorOf(caller), grantable })
    },

    async inviteBySystem(tenantId, invitation, actor) {
      const isMember = memberProblems.already_member.code
      const sent = send(tenantId, invitation, { userId: SYSTEM_INVITER, actor, grantable: async () => {} })
      return sent.then(
        ({ invitation }) => invitation,
        error => (Problem.is(error) && error.code === isMember ? null : Promise.reject(error)),
      )
    },

    async resend(tenantId, id, sendEmail, caller) {
      return database.tenant(tenantId).transaction(async unit => {
        const before = await lockPending(unit, tenantId, id)
        await together({
          grantable: rights.assertCallerCanGrant(caller, tenantId, before.roles),
          // An expired invitation has no seat any more.
          seat: isExpired(before, clock.now()) ? requireSeat(deps, tenantId) : undefined,
          limit: limitResends(unit, deps, tenantId, before.email),
        })
        // An email reaches whom the workspace has invited; the link would reach the operator.
        if (!sendEmail) assertInPerson(caller)
        const patch = {
          version: before.version + 1,
          mailed: sendEmail,
          expiresAt: timeAt(clock, settings.invitationTtl),
          updatedAt: timeAt(clock),
          resentAt: [...recentResends(before.resentAt, deps), new Date(clock.now())],
        }
        await unit.defer([invitationTable.updateStep({ tenantId, id }, patch)])
        const row = { ...before, ...patch }
        await announce(unit, row, 'resent', sendEmail, actorOf(caller))
        return withLink(row, sendEmail)
      })
    },

    async revoke(tenantId, id, caller) {
      await database.tenant(tenantId).transaction(async unit => {
        const { version, email } = await lockPending(unit, tenantId, id)
        const patch = { status: 'revoked', version: version + 1, updatedAt: timeAt(clock) } as const
        await unit.defer([invitationTable.updateStep({ tenantId, id }, patch)])
        const entry = {
          tenantId,
          action: 'invitation.revoked',
          actor: actorOf(caller),
          subject: id,
          details: { email },
        }
        await audit.record(unit, entry)
        await events.publish('identity.invitation.revoked', { tenantId, subject: id, payload: { invitationId: id } })
      })
    },

    async list(tenantId, query) {
      const { limit, cursor, 'filter[status]': status } = query
      const { data, nextCursor } = await invitationTable.page(database.tenant(tenantId), {
        limit,
        cursor,
        where: { tenantId },
        and: status === undefined ? [] : [[HAS_STATUS, [status, timeAt(clock)]]],
      })
      return { data: data.map(row => toInvitation(row, clock.now())), nextCursor }
    },

    async emailContent(tenantId, { id, version }) {
      const { rows } = await database.tenant(tenantId).query<InvitationEmail & { expires_at: Date }>(
        `select t.name as tenant, coalesce(u.name, u.email) as inviter, i.expires_at, i.locale, u.id as "invitedBy"
         from identity_invitations i join identity_tenants t on t.tenant_id = i.tenant_id
         left join identity_users u on u.id = i.invited_by
         where i.tenant_id = $1 and i.id = $2 and i.version = $3 and i.status = 'pending'`,
        [tenantId, id, version],
      )
      const [row] = rows
      if (!row) return null
      const { tenant, inviter, locale, invitedBy } = row
      // An address in place of a name stays as it is, so that it can be copied.
      const from = inviter?.includes('@') ? inviter : inviter && unlinked(inviter)
      return { tenant: unlinked(tenant), inviter: from, locale, invitedBy, expiresAt: iso(row.expires_at) }
    },
  }
}
