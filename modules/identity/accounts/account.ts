/** A user's own account: passwords and email verification. */
import { type Caller, common, type Deps, HOUR, newId, together, type Unit } from '@larder-dev/larder/kernel'
import { emailKey } from '@larder-dev/larder/kernel/internal'
import { type MailToken, readLinkToken } from '../domain/links.ts'
import { timeAt } from '../domain/time.ts'
import type { IdentitySettings } from '../options.ts'
import type { ProfileValues } from '../ports.ts'
import { isOwnLogin, type LoginOrigin, type Logins } from '../sign-in/logins.ts'
import type { Passwords } from '../sign-in/password/passwords.ts'
import { passwordProblems } from '../sign-in/password/problems.ts'
import type { Reauthentication } from '../sign-in/reauthentication.ts'
import type { RenewedLogin, SignInCompletion } from '../sign-in/sign-in-completion.ts'
import { type AuditActor, type AuditRecorder, actorOf } from '../workspaces/audit/audit-log.ts'
import type { AccessRevocation, EndedAccess } from './access-revocation.ts'
import { accountProblems } from './problems.ts'
import type { Profiles } from './profiles.ts'
import { accountTable, emailChangeTable, type StoredAccount, type User } from './records/account.ts'
import type { Recipient } from './user-mail.ts'
import type { UserChanges, Users } from './users.ts'

const RESET_TTL = 1 * HOUR
/** Each reset request has its own link. */
const RESET_VERSION = 1
/** A change of the address verifies the new one, so there is only one version of the verification link. */
export const ADDRESS_VERSION = 1

/** The recipient of an email and the resource that its link refers to. */
export interface MailRecipient extends Recipient {
  readonly link: MailToken
}
export interface PasswordReset {
  /** Email address of the account. */
  readonly email: string
  readonly ended: EndedAccess | null
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
export interface AccountChanges extends UserChanges {
  readonly profile?: ProfileValues
}
export interface UpdatedAccount {
  readonly user: User
  readonly profile: ProfileValues
}
export interface Account {
  /** All of the changes or none. Throws 422 for an unknown time zone and for wrong values of the profile. */
  update(caller: Caller, changes: AccountChanges): Promise<UpdatedAccount>
  /**
   * Ends all logins of the user and returns a new one. A user without a password gets one. Throws `wrong_password` or
   * `reauthentication_required`.
   */
  changePassword(caller: Caller, current: string | undefined, next: string, origin: LoginOrigin): Promise<RenewedLogin>
  /** Takes the same time whether or not the account exists: a worker looks it up. */
  requestReset(email: string): Promise<void>
  /**
   * Creates the reset link of this request, which ends the links of earlier ones. Returns null for an unknown address, and
   * for a repeated call if the link is no longer valid.
   */
  allowReset(request: { readonly email: string; readonly requestId: string }): Promise<MailRecipient | null>
  /**
   * Ends all logins. Also ends API keys and invitations if the address wasn't verified or with `revokeAccess`, and
   * returns what ended. Throws `link_expired` for a used, replaced, expired or forged link.
   */
  resetPassword(token: string, password: string, revokeAccess: boolean): Promise<PasswordReset>
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
}
type Needs = Deps<'systemDatabase' | 'events' | 'clock' | 'secrets' | 'operator' | 'jobs'> & {
  readonly accessRevocation: AccessRevocation
  readonly audit: AuditRecorder
  readonly logins: Logins
  readonly passwords: Passwords
  readonly profiles: Profiles
  readonly reauthentication: Reauthentication
  readonly settings: IdentitySettings
  readonly signInCompletion: SignInCompletion
  readonly users: Users
}

export function createAccount(deps: Needs): Account {
  const {
    systemDatabase,
    events,
    clock,
    secrets,
    operator,
    jobs,
    accessRevocation,
    audit,
    logins,
    passwords,
    profiles,
    reauthentication,
    settings,
    signInCompletion,
    users: userRecords,
  } = deps
  const users = () => systemDatabase.acrossTenants('an account belongs to a user, not to a tenant')

  async function find(userId: string): Promise<StoredAccount> {
    const user = await accountTable.find(users(), { id: userId })
    if (!user) throw common.unauthenticated()
    return user
  }

  /** The user of a reset link that is valid: not expired, the newest of the user, and the password is unchanged. */
  async function findByReset(requestId: string): Promise<StoredAccount | undefined> {
    const [user] = await accountTable.query(
      users(),
      `select ${accountTable.columns('u')} from identity_password_resets r
       join identity_users u on u.id = r.user_id and u.password_version = r.password_version
       where r.id = $1 and r.expires_at > $2
         and not exists (select 1 from identity_password_resets n where n.user_id = r.user_id and n.number > r.number)`,
      [requestId, timeAt(clock)],
    )
    return user
  }

  /** A person who has lost access may have requested it while the current address didn't have to confirm. */
  async function cancelEmailChange(unit: Unit, userId: string): Promise<void> {
    await unit.defer([emailChangeTable.deleteStep({ userId })])
  }

  /** Throws if another request changed the password first. */
  async function replacePassword(
    unit: Unit,
    { id, passwordVersion }: StoredAccount,
    passwordHash: string,
    how: 'changed' | 'reset',
    actor: AuditActor,
  ): Promise<void> {
    const patch = { passwordHash, passwordVersion: passwordVersion + 1, updatedAt: timeAt(clock) }
    const { rowCount } = await unit.query(...accountTable.updateStep({ id, passwordVersion }, patch))
    if (rowCount === 0) throw how === 'changed' ? passwordProblems.wrong_password() : accountProblems.link_expired()
    await cancelEmailChange(unit, id)
    const { tenantId } = operator
    await audit.record(unit, { tenantId, action: `password.${how}`, actor, subject: id })
    const payload = { userId: id, how }
    await events.publish('identity.password.changed', { tenantId, subject: id, payload })
  }

  /** Returns false if the address was verified before. */
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
    update: (caller, { profile, ...changes }) =>
      users().transaction(async () => {
        const { userId } = caller
        const user = await userRecords.update(userId, changes)
        return {
          user,
          profile: profile ? await profiles.updateUser(userId, profile, caller) : await profiles.ofUser(userId),
        }
      }),

    async changePassword(caller, current, next, origin) {
      const user = await find(caller.userId)
      await reauthentication.assert(caller, user, current, '/currentPassword')
      await passwords.assertNotCommon(next, user.email, '/newPassword')
      const passwordHash = await passwords.hash(next)
      return users().transaction(async unit => {
        const actor = actorOf(caller)
        const credential = { userId: user.id, passwordVersion: user.passwordVersion + 1 }
        const { login } = await together({
          password: replacePassword(unit, user, passwordHash, 'changed', actor),
          endedLogins: logins.endAll(unit, user.id, actor),
          // The password alone is no recent proof of a person with a second factor.
          login: signInCompletion.renewWithoutGate(unit, credential, caller, origin),
        })
        return login
      })
    },

    async requestReset(email) {
      const requestId = newId('rst', clock.now())
      await jobs.enqueue('identity.password_reset', { email, requestId }, { key: emailKey(email) })
    },

    async allowReset({ email, requestId }) {
      await users().query(
        `insert into identity_password_resets (id, user_id, password_version, expires_at)
         select $1, id, password_version, $3 from identity_users where email_key = $2
         on conflict (id) do nothing`,
        [requestId, emailKey(email), timeAt(clock, RESET_TTL)],
      )
      const user = await findByReset(requestId)
      return user ? { ...recipient(user), link: { id: requestId, version: RESET_VERSION } } : null
    },

    async resetPassword(token, password, revokeAccess) {
      const link = readLinkToken(secrets, 'password_reset', token)
      const user = link?.version === RESET_VERSION && (await findByReset(link.id))
      if (!user) throw accountProblems.link_expired()
      await passwords.assertNotCommon(password, user.email, '/password')
      const passwordHash = await passwords.hash(password)
      const actor: AuditActor = { kind: 'system', id: 'reset link', userId: user.id }
      const { id, email } = user
      return users().transaction(async unit => {
        const revokes = revokeAccess || user.emailVerifiedAt === null
        // The link was sent to the address, so its use proves the address.
        const { ended } = await together({
          password: replacePassword(unit, user, passwordHash, 'reset', actor),
          verified: markVerified(unit, id),
          ended: revokes
            ? accessRevocation.revokeAll(unit, id, 'password_reset', actor, {
                wasVerified: user.emailVerifiedAt !== null,
              })
            : logins.endAll(unit, id, actor),
        })
        return { email, ended: typeof ended === 'number' ? null : ended }
      })
    },

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
