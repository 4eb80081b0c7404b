/** Accepting an invitation. */
import { type Caller, common, type Deps, isSuspendedSql, together, type Unit } from '@larder-dev/larder/kernel'
import { emailKey } from '@larder-dev/larder/kernel/internal'
import { type AuditRecorder, actorOf } from '../audit/audit-log.ts'
import { isCustomer } from '../domain/customers.ts'
import { assertInPerson } from '../domain/in-person.ts'
import { type MailToken, readLinkToken } from '../domain/links.ts'
import { timeAt } from '../domain/time.ts'
import type { IdentitySettings } from '../options.ts'
import type { LastWorkspace } from '../workspaces/last-workspace.ts'
import { isExpired } from '../workspaces/members/invitation-record.ts'
import type { Members } from '../workspaces/members/members.ts'
import type { Memberships } from '../workspaces/members/memberships.ts'
import { memberProblems } from '../workspaces/members/problems.ts'
import { invitationTable, type StoredInvitation } from '../workspaces/members/records/invitation.ts'
import { type Membership, type Tenant, tenantTable } from '../workspaces/records.ts'
import { onPlan } from '../workspaces/tenant-record.ts'
import type { AddressProofs, VerifiedEmail } from './address-proofs.ts'

export interface AcceptedInvitation {
  readonly tenant: Tenant
  readonly membership: Membership
  /** If the invitation has proved the caller's address for the first time: see `AddressProofs.verifyByInvitation`. */
  readonly verified: VerifiedEmail | null
}
/** Shown to anyone who has the link. */
export interface InvitationPreview {
  readonly email: string
  readonly tenant: string
}
export interface Acceptance {
  /**
   * Idempotent for the same user. An invitation that was mailed also verifies the address. Throws `email_mismatch`,
   * `impersonated`, and the problems of `preview`.
   * @param requestedTenant id or slug of a tenant that the caller named and doesn't belong to. Throws `not_a_member`
   * unless this tenant sent the invitation.
   */
  accept(token: string, caller: Caller, requestedTenant?: string): Promise<AcceptedInvitation>
  /** Throws `not_found`, `invitation_used`, `invitation_revoked` or `invitation_expired`. */
  preview(token: string): Promise<InvitationPreview>
  /** Whether the link lets this address register while registration is closed. */
  allowsRegistration(token: string, email: string): Promise<boolean>
  /** Whether this address has a pending invitation. */
  invites(email: string): Promise<boolean>
  /** Undefined if the link isn't that of a pending invitation of this address. */
  find(token: string, email: string): Promise<Pick<StoredInvitation, 'locale' | 'mailed'> | undefined>
}
interface LockedInvitation {
  readonly invitation: StoredInvitation
  readonly tenant: Tenant
  /** The caller's email address as it is compared. */
  readonly emailKey: string | undefined
  readonly membership: Membership | null
}
type Needs = Deps<'systemDatabase' | 'clock' | 'secrets', 'entitlements'> & {
  readonly addressProofs: AddressProofs
  readonly audit: AuditRecorder
  readonly lastWorkspace: LastWorkspace
  readonly members: Members
  readonly memberships: Memberships
  readonly settings: Pick<IdentitySettings, 'customerRole'>
}

export function createAcceptance({
  systemDatabase,
  clock,
  secrets,
  entitlements,
  addressProofs,
  audit,
  lastWorkspace,
  members,
  memberships,
  settings,
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
    const { tenants, invitation, users, membership } = await together({
      tenants: tenantTable.query<{ suspended: boolean; customerSuspended: boolean }>(
        unit,
        `select ${tenantTable.columns()}, ${isSuspendedSql('identity_tenants.tenant_id')} as suspended,
           exists (select from identity_members m where m.tenant_id = identity_tenants.tenant_id and m.user_id = $2
             and m.suspended_at is not null) as "customerSuspended"
         from identity_tenants where ${ofInvitation} for no key update`,
        [id, userId],
      ),
      invitation: invitationTable.get(unit, { id }, { lock: true }),
      users: unit.query<{ email_key: string }>('select email_key from identity_users where id = $1', [userId]),
      membership: memberships.ofInvited(unit, id, userId),
    })
    if (!tenants[0]) throw common.not_found({ what: 'invitation' })
    const { suspended, customerSuspended, ...tenant } = tenants[0]
    if (suspended) throw common.tenant_suspended()
    if (customerSuspended) throw common.customer_suspended()
    return { tenant: onPlan(tenant), invitation, emailKey: users.rows[0]?.email_key, membership }
  }

  async function join(unit: Unit, { invitation, membership }: LockedInvitation, caller: Caller): Promise<Membership> {
    const { id, tenantId, roles } = invitation
    const { userId } = caller
    const actor = actorOf(caller)
    const now = timeAt(clock)
    const accepted = { status: 'accepted', acceptedBy: userId, acceptedAt: now, updatedAt: now } as const
    await unit.defer([invitationTable.updateStep({ id }, accepted)])
    // The seat of the invitation is free now. After a downgrade it can exceed the limit.
    if (!membership) await entitlements?.require(tenantId, 'identity.seat')
    const joined = membership ?? (await memberships.add(unit, { tenantId, userId, roles, invitationId: id }, actor))
    await lastWorkspace.keepIn(unit, caller, tenantId)
    if (!membership) return joined
    await audit.record(unit, { tenantId, action: 'invitation.accepted', actor, subject: id })
    if (!isCustomer(settings, membership.roles)) return membership
    // A customer becomes staff, and stays a customer.
    const all = [...new Set([...membership.roles, ...roles])]
    await members.applyRoles(unit, tenantId, membership.id, all, actor)
    return { ...membership, roles: all }
  }

  async function preview(token: string): Promise<InvitationPreview> {
    const link = readToken(token)
    const [invitation] = await invitationTable.query<{ tenant: string }>(
      acrossTenants(),
      `select ${invitationTable.columns('i')}, t.name as tenant from identity_invitations i
       join identity_tenants t on t.tenant_id = i.tenant_id where i.id = $1`,
      [link.id],
    )
    if (!invitation) throw common.not_found({ what: 'invitation' })
    assertOpen(invitation, link.version, clock.now())
    return { email: invitation.email, tenant: invitation.tenant }
  }

  return {
    async accept(token, caller, requestedTenant) {
      assertInPerson(caller)
      const link = readToken(token)
      return acrossTenants().transaction(async unit => {
        const locked = await lockInvitation(unit, link, caller.userId)
        const { tenant, invitation } = locked
        if (requestedTenant !== undefined && requestedTenant !== tenant.id && requestedTenant !== tenant.slug)
          throw common.not_a_member()
        if (locked.emailKey !== invitation.emailKey) throw memberProblems.email_mismatch()
        if (invitation.acceptedBy !== caller.userId) assertOpen(invitation, link.version, clock.now())
        if (invitation.status !== 'accepted') {
          const membership = await join(unit, locked, caller)
          const verified = invitation.mailed ? await addressProofs.verifyByInvitation(unit, caller) : null
          return { tenant, membership, verified }
        }
        // A member who was removed after accepting can't rejoin with the same link.
        if (!locked.membership) throw memberProblems.invitation_used()
        return { tenant, membership: locked.membership, verified: null }
      })
    },
    preview,
    async find(token, email) {
      const link = readLinkToken(secrets, 'invitation', token)
      if (!link) return undefined
      const pending = { ...link, emailKey: emailKey(email), status: 'pending' } as const
      const invitation = await invitationTable.find(acrossTenants(), pending)
      return invitation && !isExpired(invitation, clock.now()) ? invitation : undefined
    },
    async invites(email) {
      const { rowCount } = await acrossTenants().query(
        `select from identity_invitations where email_key = $1 and status = 'pending' and expires_at > $2 limit 1`,
        [emailKey(email), timeAt(clock)],
      )
      return rowCount > 0
    },
    async allowsRegistration(token, email) {
      return emailKey((await preview(token)).email) === emailKey(email)
    },
  }
}

function assertOpen(invitation: StoredInvitation, version: number, now: number): void {
  if (invitation.status === 'accepted') throw memberProblems.invitation_used()
  if (invitation.status === 'revoked') throw memberProblems.invitation_revoked()
  if (invitation.version !== version || isExpired(invitation, now)) throw memberProblems.invitation_expired()
}
