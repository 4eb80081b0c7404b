/** Proofs of an email address: the link of a verification, an invitation that was mailed, a code. */
import type { Caller, Deps, Unit } from '@larder-dev/larder/kernel'
import { type MailToken, readLinkToken } from '../domain/links.ts'
import { timeAt } from '../domain/time.ts'
import type { IdentitySettings } from '../options.ts'
import { accountProblems } from '../users/problems.ts'
import { accountTable, emailChangeTable, type StoredAccount } from '../users/records/account.ts'
import type { Recipient } from '../users/user-mail.ts'
import type { AccessRevocation, EndedAccess } from './access-revocation.ts'
import { isOwnLogin } from './logins.ts'
import { passwordProblems } from './password/problems.ts'
import type { Reauthentication } from './reauthentication.ts'

/** A change of the address verifies the new one, so there is only one version of the verification link. */
export const ADDRESS_VERSION = 1

/** The recipient of an email and the resource that its link refers to. */
export interface MailRecipient extends Recipient {
  readonly link: MailToken
}
export interface VerifiedEmail {
  readonly ended: EndedAccess
}
/** Who has proved an address. */
export interface AddressOwner {
  readonly caller?: Caller | undefined
  /** The password of the registration. */
  readonly password?: string | undefined
}
export interface Verification {
  readonly email: string
  /** Whether the caller is signed in to the account, so that everything stays. */
  readonly isOwn: boolean
  readonly hasPassword: boolean
}
export interface AddressProofs {
  /**
   * Verifies the address of an account for the first time. Everything stays if the person also proves the account, at a
   * login of it or with its password. Otherwise somebody else may have registered it: then all access from before ends,
   * the password included. Returns null for an address that was verified before. Throws `link_expired`, and
   * `incorrect_password`, which changes nothing.
   */
  verifyEmail(token: string, person: AddressOwner): Promise<VerifiedEmail | null>
  /** What the page of a verification link asks. Null for an address that is verified already. Throws `link_expired`. */
  verification(token: string, caller: Caller | undefined): Promise<Verification | null>
  /** The caller accepts an invitation that was mailed to their address, which verifies it. Returns null as `verifyEmail` does. */
  verifyByInvitation(unit: Unit, caller: Caller): Promise<VerifiedEmail | null>
  /** The owner of an unverified address signs in with a proof of it. The same rule as for `verifyEmail`. */
  claimByAddress(user: StoredAccount, person?: AddressOwner): Promise<void>
  requestVerification(userId: string): Promise<void>
  /** Returns null if the address is already verified, or if the account was deleted. */
  unverifiedRecipient(userId: string): Promise<MailRecipient | null>
  /** Returns false if the address was verified before. */
  markVerified(unit: Unit, userId: string): Promise<boolean>
  /** A person who has lost access may have requested it while the current address didn't have to confirm. */
  cancelEmailChange(unit: Unit, userId: string): Promise<void>
}
type Needs = Deps<'systemDatabase' | 'events' | 'clock' | 'secrets' | 'operator' | 'jobs'> & {
  readonly accessRevocation: AccessRevocation
  readonly reauthentication: Reauthentication
  readonly settings: IdentitySettings
}

export function createAddressProofs({
  systemDatabase,
  events,
  clock,
  secrets,
  operator,
  jobs,
  accessRevocation,
  reauthentication,
  settings,
}: Needs): AddressProofs {
  const users = () => systemDatabase.acrossTenants('an account belongs to a user, not to a tenant')

  async function cancelEmailChange(unit: Unit, userId: string): Promise<void> {
    await unit.defer([emailChangeTable.deleteStep({ userId })])
  }

  async function markVerified(unit: Unit, userId: string): Promise<boolean> {
    const { rowCount } = await unit.query(
      `update identity_users set email_verified_at = $2, updated_at = $2 where id = $1 and email_verified_at is null`,
      [userId, timeAt(clock)],
    )
    if (rowCount === 0) return false
    const payload = { userId }
    await events.publish('identity.email.verified', { tenantId: operator.tenantId, subject: userId, payload })
    return true
  }

  /**
   * The first proof of an address, by somebody who may not be the one who registered it. Returns null if it was proved before.
   * @param proof for the audit log
   */
  async function takeOver(unit: Unit, { id }: StoredAccount, proof: string): Promise<EndedAccess | null> {
    if (!(await markVerified(unit, id))) return null
    await cancelEmailChange(unit, id)
    return accessRevocation.takeOver(unit, id, { kind: 'system', id: proof, userId: id })
  }

  /** See `Account.verifyEmail`. */
  async function proveAddress(stored: StoredAccount, person: AddressOwner, proof: string): Promise<EndedAccess | null> {
    const keeps = await reauthentication.knows(person.caller, stored, person.password)
    return users().transaction(async unit => {
      if (!keeps) return takeOver(unit, stored, proof)
      const { id, passwordVersion } = stored
      const current = await accountTable.get(unit, { id }, { lock: true })
      // Somebody else changed the password since it was checked.
      if (current.passwordVersion !== passwordVersion) throw passwordProblems.incorrect_password()
      return (await markVerified(unit, id)) ? NOTHING_ENDED : null
    })
  }

  /** Undefined for the link of a deleted account. Throws `link_expired`. */
  async function findByVerification(token: string): Promise<StoredAccount | undefined> {
    const link = readLinkToken(secrets, 'verify_email', token)
    if (link?.version !== ADDRESS_VERSION) throw accountProblems.link_expired()
    return accountTable.find(users(), { id: link.id })
  }

  return {
    markVerified,
    cancelEmailChange,

    async verifyEmail(token, person) {
      const stored = await findByVerification(token)
      if (!stored || stored.emailVerifiedAt !== null) return null
      const ended = await proveAddress(stored, person, 'verification link')
      return ended && { ended }
    },

    async verification(token, caller) {
      const stored = await findByVerification(token)
      if (!stored || stored.emailVerifiedAt !== null) return null
      const { id, email, passwordHash } = stored
      return { email, isOwn: isOwnLogin(caller, id), hasPassword: settings.passwords && passwordHash !== null }
    },

    async verifyByInvitation(unit, caller) {
      const isProof = isOwnLogin(caller, caller.userId) && (await markVerified(unit, caller.userId))
      return isProof ? { ended: NOTHING_ENDED } : null
    },

    async claimByAddress(stored, person = {}) {
      await proveAddress(stored, person, 'email code')
    },

    async requestVerification(userId) {
      await jobs.enqueue('identity.verify_email', { userId }, { key: userId })
    },

    async unverifiedRecipient(userId) {
      const user = await accountTable.find(users(), { id: userId })
      if (!user || user.emailVerifiedAt !== null) return null
      return { ...recipient(user), link: { id: user.id, version: ADDRESS_VERSION } }
    },
  }
}

const NOTHING_ENDED: EndedAccess = { logins: 0, apiKeys: 0, invitations: 0 }

const recipient = ({ email, name, locale }: StoredAccount) => ({ email, name, locale })
