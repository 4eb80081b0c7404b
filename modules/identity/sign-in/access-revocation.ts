/**
 * Ends everything that grants access in a user's name, once the owner of the email address has proved it: anyone can
 * register an address that isn't theirs, and keep a key for the time when the owner takes over the account.
 */
import { type Deps, together, type Unit } from '@larder-dev/larder/kernel'
import type { AuditActor, AuditRecorder } from '../audit/audit-log.ts'
import { timeAt } from '../domain/time.ts'
import { accountTable } from '../users/records/account.ts'
import type { AccessChanges } from '../workspaces/roles/access-changes.ts'
import type { SignInIdentities } from './identities.ts'
import type { Logins } from './logins.ts'
import type { SecondFactors } from './second-factor/second-factors.ts'

/** How many of each were ended. */
export interface EndedAccess {
  readonly logins: number
  readonly apiKeys: number
  readonly invitations: number
}
export interface RevokedInvitation {
  readonly tenantId: string
  readonly id: string
  readonly email: string
}
export interface AccessRevocation {
  /**
   * Ends all logins, sign-in identities, API keys and pending invitations of the user, in every tenant. Notifies the user by
   * email. `wasVerified`: the address was proved before, so the second factor is the owner's, and stays.
   */
  revokeAll(
    unit: Unit,
    userId: string,
    reason: 'email_verified' | 'password_reset',
    actor: AuditActor,
    options: { readonly wasVerified: boolean },
  ): Promise<EndedAccess>
  /**
   * Also removes the password, at the first proof of an address by somebody who may not be the one who registered it.
   * The password version of the user is a new one then.
   */
  takeOver(unit: Unit, userId: string, actor: AuditActor): Promise<EndedAccess>
  /** Revokes the pending invitations that the user sent. Call `announceInvitations` with the result. */
  revokeInvitations(unit: Unit, userId: string): Promise<RevokedInvitation[]>
  announceInvitations(unit: Unit, revoked: readonly RevokedInvitation[], actor: AuditActor): Promise<void>
}
type Needs = Deps<'events' | 'clock' | 'operator'> & {
  readonly audit: AuditRecorder
  readonly accessChanges: AccessChanges
  readonly identities: SignInIdentities
  readonly logins: Logins
  readonly secondFactors: SecondFactors
}
interface Row {
  tenant_id: string
  id: string
}

export function createAccessRevocation({
  events,
  clock,
  operator,
  audit,
  accessChanges,
  identities,
  logins,
  secondFactors,
}: Needs): AccessRevocation {
  async function deleteApiKeys(unit: Unit, userId: string, actor: AuditActor): Promise<number> {
    const { rows } = await unit.query<Row & { name: string }>(
      'delete from identity_api_keys where user_id = $1 returning tenant_id, id, name',
      [userId],
    )
    for (const { tenant_id: tenantId, id: subject, name } of rows) {
      await audit.record(unit, { tenantId, action: 'api_key.deleted', actor, subject, details: { name } })
      accessChanges.revoked({ principalId: subject })
    }
    return rows.length
  }

  const revokeInvitations: AccessRevocation['revokeInvitations'] = async (unit, userId) => {
    const { rows } = await unit.query<RevokedInvitation>(
      `update identity_invitations set status = 'revoked', version = version + 1, updated_at = $2
       where invited_by = $1 and status = 'pending' returning tenant_id as "tenantId", id, email`,
      [userId, timeAt(clock)],
    )
    return rows
  }

  const announceInvitations: AccessRevocation['announceInvitations'] = async (unit, revoked, actor) => {
    for (const { tenantId, id, email } of revoked) {
      await audit.record(unit, { tenantId, action: 'invitation.revoked', actor, subject: id, details: { email } })
      await events.publish('identity.invitation.revoked', { tenantId, subject: id, payload: { invitationId: id } })
    }
  }

  const revokeAll: AccessRevocation['revokeAll'] = async (unit, userId, reason, actor, { wasVerified }) => {
    const { endedLogins, apiKeys, invitations } = await together({
      endedLogins: logins.endAll(unit, userId, actor),
      apiKeys: deleteApiKeys(unit, userId, actor),
      invitations: revokeInvitations(unit, userId),
      identities: identities.removeAll(unit, userId, actor, { keepsSecondFactor: wasVerified }),
      secondFactor: wasVerified ? undefined : secondFactors.removeIn(unit, userId, actor),
    })
    await announceInvitations(unit, invitations, actor)
    const ended: EndedAccess = { logins: endedLogins, apiKeys, invitations: invitations.length }
    const payload = { userId, reason, ...ended }
    if (ended.logins + ended.apiKeys + ended.invitations > 0)
      await events.publish('identity.access.revoked', { tenantId: operator.tenantId, subject: userId, payload })
    return ended
  }

  return {
    revokeAll,
    revokeInvitations,
    announceInvitations,
    async takeOver(unit, userId, actor) {
      const { passwordHash, passwordVersion } = await accountTable.get(unit, { id: userId }, { lock: true })
      const patch = { passwordHash: null, passwordVersion: passwordVersion + 1, updatedAt: timeAt(clock) }
      await unit.defer([accountTable.updateStep({ id: userId }, patch)])
      const ended = await revokeAll(unit, userId, 'email_verified', actor, { wasVerified: false })
      if (passwordHash !== null) await identities.announcePasswordRemoval(unit, userId, actor)
      return ended
    },
  }
}
