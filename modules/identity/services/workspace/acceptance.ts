/** Accepting an invitation. */
import { type Caller, common, type Deps, emailKey, together, type Unit } from '@larder-dev/larder/kernel'
import { type MailToken, readLinkToken } from '../../domain/links.ts'
import { timeAt } from '../../domain/time.ts'
import { problems } from '../../problems.ts'
import type { Membership, Tenant } from '../../records/tenant.ts'
import { type AuditRecorder, actorOf } from '../access/audit-log.ts'
import { type InvitationRow, isExpired } from './invitation-record.ts'
import type { Memberships } from './memberships.ts'
import { type TenantRow, toTenant } from './tenant-record.ts'

export interface AcceptedInvitation {
  readonly tenant: Tenant
  readonly membership: Membership
}
/** Shown to anyone who has the link. */
export interface InvitationPreview {
  readonly email: string
  readonly tenant: string
}
export interface Acceptance {
  /**
   * Idempotent for the same user. Throws `email_mismatch` and the problems of `preview`.
   * @param requestedTenant id or slug of a tenant that the caller named and doesn't belong to. Throws `not_a_member`
   * unless this tenant sent the invitation.
   */
  accept(token: string, caller: Caller, requestedTenant?: string): Promise<AcceptedInvitation>
  /** Throws `not_found`, `invitation_used`, `invitation_revoked` or `invitation_expired`. */
  preview(token: string): Promise<InvitationPreview>
  /** Whether the link lets this address register while registration is closed. */
  allowsRegistration(token: string, email: string): Promise<boolean>
  /** The language of the invitation; null if it names none or isn't a pending one of this address. */
  localeFor(token: string, email: string): Promise<string | null>
}
interface LockedInvitation {
  readonly row: InvitationRow
  readonly tenant: Tenant
  /** Of the caller. */
  readonly emailKey: string | undefined
  readonly membership: Membership | null
}
type Needs = Deps<'systemDatabase' | 'clock' | 'secrets', 'entitlements'> & {
  readonly audit: AuditRecorder
  readonly memberships: Memberships
}

export function createAcceptance({
  systemDatabase,
  clock,
  secrets,
  entitlements,
  audit,
  memberships,
}: Needs): Acceptance {
  const acrossTenants = () => systemDatabase.acrossTenants('an invited user is not yet a member of the tenant')

  function readToken(token: string): MailToken {
    const link = readLinkToken(secrets, 'invitation', token)
    if (!link) throw common.not_found({ what: 'invitation' })
    return link
  }

  /** Locks the tenant before the invitation, the same order as everywhere else, to avoid deadlocks. */
  async function lockInvitation(unit: Unit, { id }: MailToken, userId: string): Promise<LockedInvitation> {
    const ofInvitation = 'tenant_id = (select tenant_id from identity_invitations where id = $1)'
    const { tenants, invitations, users, membership } = await together({
      tenants: unit.query<TenantRow>(`select * from identity_tenants where ${ofInvitation} for no key update`, [id]),
      invitations: unit.query<InvitationRow>('select * from identity_invitations where id = $1 for update', [id]),
      users: unit.query<{ email_key: string }>('select email_key from identity_users where id = $1', [userId]),
      membership: memberships.ofInvited(unit, id, userId),
    })
    const [[tenant], [row]] = [tenants.rows, invitations.rows]
    if (!tenant || !row) throw common.not_found({ what: 'invitation' })
    return { tenant: toTenant(tenant), row, emailKey: users.rows[0]?.email_key, membership }
  }

  async function join(unit: Unit, { row, membership }: LockedInvitation, caller: Caller): Promise<Membership> {
    const { id, tenant_id: tenantId, roles } = row
    const { userId } = caller
    const actor = actorOf(caller)
    await unit.defer([
      [
        `update identity_invitations set status = 'accepted', accepted_by = $2, accepted_at = $3, updated_at = $3
         where id = $1`,
        [id, userId, timeAt(clock)],
      ],
    ])
    // The seat of the invitation is free now. After a downgrade it can exceed the limit.
    if (!membership) await entitlements?.require(tenantId, 'identity.seat')
    const joined = membership ?? (await memberships.add(unit, { tenantId, userId, roles }, actor))
    await audit.record(unit, { tenantId, action: 'invitation.accepted', actor, subject: id })
    return joined
  }

  async function preview(token: string): Promise<InvitationPreview> {
    const link = readToken(token)
    const { rows } = await acrossTenants().query<InvitationRow & { tenant: string }>(
      `select i.*, t.name as tenant from identity_invitations i
       join identity_tenants t on t.tenant_id = i.tenant_id where i.id = $1`,
      [link.id],
    )
    const [row] = rows
    if (!row) throw common.not_found({ what: 'invitation' })
    assertOpen(row, link.version, clock.now())
    return { email: row.email, tenant: row.tenant }
  }

  return {
    async accept(token, caller, requestedTenant) {
      const link = readToken(token)
      return acrossTenants().transaction(async unit => {
        const locked = await lockInvitation(unit, link, caller.userId)
        const { tenant, row } = locked
        if (requestedTenant !== undefined && requestedTenant !== tenant.id && requestedTenant !== tenant.slug)
          throw common.not_a_member()
        if (locked.emailKey !== row.email_key) throw problems.email_mismatch()
        if (row.accepted_by !== caller.userId) assertOpen(row, link.version, clock.now())
        if (row.status !== 'accepted') return { tenant, membership: await join(unit, locked, caller) }
        // A member who was removed after accepting can't rejoin with the same link.
        if (!locked.membership) throw problems.invitation_used()
        return { tenant, membership: locked.membership }
      })
    },
    preview,
    async localeFor(token, email) {
      const link = readLinkToken(secrets, 'invitation', token)
      if (!link) return null
      const { rows } = await acrossTenants().query<Pick<InvitationRow, 'locale'>>(
        `select locale from identity_invitations where id = $1 and version = $2 and email_key = $3 and status = 'pending'`,
        [link.id, link.version, emailKey(email)],
      )
      return rows[0]?.locale ?? null
    },
    async allowsRegistration(token, email) {
      return emailKey((await preview(token)).email) === emailKey(email)
    },
  }
}

function assertOpen(row: InvitationRow, version: number, now: number): void {
  if (row.status === 'accepted') throw problems.invitation_used()
  if (row.status === 'revoked') throw problems.invitation_revoked()
  if (row.version !== version || isExpired(row, now)) throw problems.invitation_expired()
}
