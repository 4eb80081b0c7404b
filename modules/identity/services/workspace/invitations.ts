/** Invitations: pending until accepted, revoked or expired. A tenant has at most one pending one per address. */
import {
  type Caller,
  common,
  type Deps,
  decodeCursor,
  emailKey,
  newId,
  type PageOf,
  pageLimit,
  together,
  toPage,
  type Unit,
  unlinked,
} from '@larder-dev/larder/kernel'
import { linkUrl, type MailToken } from '../../domain/links.ts'
import { iso, timeAt } from '../../domain/time.ts'
import type { IdentitySettings } from '../../options.ts'
import { problems } from '../../problems.ts'
import type { Invitation } from '../../records/invitation.ts'
import { type AuditRecorder, actorOf } from '../access/audit-log.ts'
import type { RightsService } from '../access/rights.ts'
import { type InvitationRow, isExpired, toInvitation } from './invitation-record.ts'
import { appendResend, limitResends, resendCutoff } from './resend-limit.ts'
import { assertSeatAvailable, requireSeat } from './seats.ts'
import { lockTenant } from './tenant-record.ts'

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
}
export interface Invitations {
  /** `created` is false if a pending invitation was sent again with a new link. */
  invite(
    tenantId: string,
    invitation: NewInvitation,
    caller: Caller,
  ): Promise<{ readonly invitation: Invitation; readonly created: boolean }>
  resend(tenantId: string, id: string, sendEmail: boolean, caller: Caller): Promise<Invitation>
  revoke(tenantId: string, id: string, caller: Caller): Promise<void>
  /** Newest first. */
  list(tenantId: string, query: InvitationQuery): Promise<PageOf<Invitation>>
  /** Returns null if the link is no longer valid. */
  emailContent(tenantId: string, link: MailToken): Promise<InvitationEmail | null>
}
type Needs = Deps<'database' | 'events' | 'clock' | 'secrets' | 'product', 'entitlements'> & {
  readonly audit: AuditRecorder
  readonly rights: RightsService
  readonly settings: IdentitySettings
}

export function createInvitations(deps: Needs): Invitations {
  const { database, events, clock, secrets, product, audit, rights, settings } = deps

  async function assertNotMember(unit: Unit, tenantId: string, email: string): Promise<void> {
    const { rowCount } = await unit.query(
      `select 1 from identity_members m join identity_users u on u.id = m.user_id
       where m.tenant_id = $1 and u.email_key = $2`,
      [tenantId, emailKey(email)],
    )
    if (rowCount > 0) throw problems.already_member()
  }

  async function upsertPending(
    unit: Unit,
    tenantId: string,
    { email, roles, locale }: NewInvitation,
    invitedBy: string,
    resent: boolean,
  ): Promise<InvitationRow> {
    const { rows } = await unit.query<InvitationRow>(
      `insert into identity_invitations
         (tenant_id, id, email, email_key, roles, invited_by, expires_at, created_at, updated_at, resent_at, locale)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $8, $9, $11)
       on conflict (tenant_id, email_key) where status = 'pending' do update
       set email = excluded.email, roles = excluded.roles, version = identity_invitations.version + 1,
         invited_by = excluded.invited_by, expires_at = excluded.expires_at, updated_at = excluded.updated_at,
         resent_at = ${appendResend('$8', '$10')}, locale = coalesce(excluded.locale, identity_invitations.locale)
       returning *`,
      [
        tenantId,
        newId('inv'),
        email,
        emailKey(email),
        roles,
        invitedBy,
        timeAt(clock, settings.invitationTtl),
        timeAt(clock),
        resent ? [timeAt(clock)] : [],
        resendCutoff(deps),
        locale ?? null,
      ],
    )
    return rows[0] as InvitationRow
  }

  async function announce(
    unit: Unit,
    row: InvitationRow,
    change: 'created' | 'resent',
    sendEmail: boolean,
    caller: Caller,
  ): Promise<void> {
    const { id: invitationId, tenant_id: tenantId, email, roles, version, invited_by: invitedBy } = row
    await audit.record(unit, {
      tenantId,
      action: `invitation.${change}`,
      actor: actorOf(caller),
      subject: invitationId,
      details: { email, roles },
    })
    const payload = { invitationId, email, roles, version, invitedBy, sendEmail }
    await events.publish(`identity.invitation.${change}`, { tenantId, subject: invitationId, payload })
  }

  /** Returns the link only if no email is sent. It isn't stored, so it can't be read again. */
  const withLink = (row: InvitationRow, sendEmail: boolean): Invitation => ({
    ...toInvitation(row, clock.now()),
    ...(sendEmail ? {} : { link: linkUrl(product.publicUrl, secrets, 'invitation', row) }),
  })

  async function lockPending(unit: Unit, tenantId: string, id: string): Promise<InvitationRow> {
    const {
      invitations: { rows },
    } = await together({
      lock: lockTenant(unit, tenantId),
      invitations: unit.query<InvitationRow>(
        'select * from identity_invitations where tenant_id = $1 and id = $2 for update',
        [tenantId, id],
      ),
    })
    const [row] = rows
    if (!row) throw common.not_found({ what: 'invitation' })
    if (row.status !== 'pending') throw problems.invitation_closed({ status: row.status })
    return row
  }

  return {
    async invite(tenantId, invitation, caller) {
      const { email, roles, sendEmail = true } = invitation
      return database.tenant(tenantId).transaction(async unit => {
        const {
          limit: { resent },
        } = await together({
          lock: lockTenant(unit, tenantId),
          assignable: rights.assertAssignable(tenantId, roles),
          grantable: rights.assertCallerCanGrant(caller, tenantId, roles),
          newcomer: assertNotMember(unit, tenantId, email),
          seat: assertSeatAvailable(unit, deps, tenantId, email),
          limit: limitResends(unit, deps, tenantId, email),
        })
        const row = await upsertPending(unit, tenantId, invitation, caller.userId, resent)
        const created = row.version === 1
        await announce(unit, row, created ? 'created' : 'resent', sendEmail, caller)
        return { invitation: withLink(row, sendEmail), created }
      })
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
        const now = new Date(clock.now())
        const expiresAt = new Date(clock.now() + settings.invitationTtl)
        await unit.defer([
          [
            `update identity_invitations set version = version + 1, expires_at = $3, updated_at = $4,
               resent_at = ${appendResend('$4', '$5')} where tenant_id = $1 and id = $2`,
            [tenantId, id, expiresAt.toISOString(), now.toISOString(), resendCutoff(deps)],
          ],
        ])
        const row = { ...before, version: before.version + 1, expires_at: expiresAt, updated_at: now }
        await announce(unit, row, 'resent', sendEmail, caller)
        return withLink(row, sendEmail)
      })
    },

    async revoke(tenantId, id, caller) {
      await database.tenant(tenantId).transaction(async unit => {
        await lockPending(unit, tenantId, id)
        await unit.defer([
          [
            `update identity_invitations set status = 'revoked', version = version + 1, updated_at = $3
             where tenant_id = $1 and id = $2`,
            [tenantId, id, timeAt(clock)],
          ],
        ])
        await audit.record(unit, { tenantId, action: 'invitation.revoked', actor: actorOf(caller), subject: id })
        await events.publish('identity.invitation.revoked', { tenantId, subject: id, payload: { invitationId: id } })
      })
    },

    async list(tenantId, query) {
      const [before = null] = decodeCursor(query.cursor, 1) ?? []
      const limit = pageLimit(query)
      const { rows } = await database.tenant(tenantId).query<InvitationRow>(
        `select * from identity_invitations
         where tenant_id = $1 and ($2::text is null or id < $2) and ($3::text is null or $3 =
           case when status = 'pending' and expires_at <= $4 then 'expired' else status end)
         order by id desc limit $5`,
        [tenantId, before, query['filter[status]'] ?? null, timeAt(clock), limit + 1],
      )
      const { data, nextCursor } = toPage(rows, limit, row => [row.id])
      return { data: data.map(row => toInvitation(row, clock.now())), nextCursor }
    },

    async emailContent(tenantId, { id, version }) {
      const { rows } = await database.tenant(tenantId).query<InvitationEmail & { expires_at: Date }>(
        `select t.name as tenant, coalesce(u.name, u.email) as inviter, i.expires_at, i.locale
         from identity_invitations i join identity_tenants t on t.tenant_id = i.tenant_id
         left join identity_users u on u.id = i.invited_by
         where i.tenant_id = $1 and i.id = $2 and i.version = $3 and i.status = 'pending'`,
        [tenantId, id, version],
      )
      const [row] = rows
      if (!row) return null
      const { tenant, inviter, locale } = row
      // An address in place of a name stays as it is, so that it can be copied.
      const from = inviter?.includes('@') ? inviter : inviter && unlinked(inviter)
      return { tenant: unlinked(tenant), inviter: from, locale, expiresAt: iso(row.expires_at) }
    },
  }
}
