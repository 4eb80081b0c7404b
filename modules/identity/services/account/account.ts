/** A user's own account: passwords and email verification. */
import { type Caller, common, type Deps, emailKey, HOUR, newId, together, type Unit } from '@larder-dev/larder/kernel'
import { type MailToken, readLinkToken } from '../../domain/links.ts'
import { timeAt } from '../../domain/time.ts'
import type { ProfileValues } from '../../ports.ts'
import { problems } from '../../problems.ts'
import { accountTable, emailChangeTable, type StoredAccount, type User } from '../../records/account.ts'
import type { AccessRevocation, EndedAccess } from '../access/access-revocation.ts'
import { type AuditActor, type AuditRecorder, actorOf } from '../access/audit-log.ts'
import type { SignInIdentities } from '../sign-in/identities.ts'
import type { IssuedLogin, LoginOrigin, Logins, VerifiedCredential } from '../sign-in/logins.ts'
import type { Passwords } from '../sign-in/passwords.ts'
import type { Reauthentication } from '../sign-in/reauthentication.ts'
import type { Profiles } from './profiles.ts'
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
  readonly login: IssuedLogin | null
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
  changePassword(caller: Caller, current: string | undefined, next: string, origin: LoginOrigin): Promise<IssuedLogin>
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
   * Ends all logins, API keys and invitations of the account when its address is verified for the first time. A caller
   * who is signed in to this account gets a new login. Returns null for an address that was verified before. Throws
   * `link_expired`.
   */
  verifyEmail(token: string, caller: Caller | undefined, origin: LoginOrigin): Promise<VerifiedEmail | null>
  /**
   * The same for a caller who accepts an invitation that was mailed to their address. They always get a new login, because
   * somebody else may know the secrets of the one that they use.
   */
  verifyByInvitation(unit: Unit, caller: Caller, origin: LoginOrigin): Promise<VerifiedEmail | null>
  /**
   * The owner of an unverified address has signed in: verifies the address, and ends all access from before, the password
   * included, because somebody else may have created it.
   */
  claimByAddress(user: StoredAccount): Promise<void>
  requestVerification(userId: string): Promise<void>
  /** Returns null if the address is already verified, or if the account was deleted. */
  unverifiedRecipient(userId: string): Promise<MailRecipient | null>
}
type Needs = Deps<'systemDatabase' | 'events' | 'clock' | 'secrets' | 'operator' | 'jobs'> & {
  readonly accessRevocation: AccessRevocation
  readonly audit: AuditRecorder
  readonly logins: Logins
  readonly identities: SignInIdentities
  readonly passwords: Passwords
  readonly profiles: Profiles
  readonly reauthentication: Reauthentication
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
    identities,
    logins,
    passwords,
    profiles,
    reauthentication,
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
    if (rowCount === 0) throw how === 'changed' ? problems.wrong_password() : problems.link_expired()
    await cancelEmailChange(unit, id)
    const { tenantId } = operator
    await audit.record(unit, { tenantId, action: `password.${how}`, actor, subject: id })
    const payload = { userId: id, how }
    await events.publish('identity.password.changed', { tenantId, subject: id, payload })
  }

  /** Returns null if the address was verified before. */
  async function markVerified(unit: Unit, userId: string): Promise<VerifiedCredential | null> {
    const { rows } = await unit.query<{ password_version: number }>(
      `update identity_users set email_verified_at = $2, updated_at = $2
       where id = $1 and email_verified_at is null returning password_version`,
      [userId, timeAt(clock)],
    )
    if (!rows[0]) return null
    await cancelEmailChange(unit, userId)
    const payload = { userId }
    await events.publish('identity.email.verified', { tenantId: operator.tenantId, subject: userId, payload })
    return { userId, passwordVersion: rows[0].password_version }
  }

  /** See `Account.verifyEmail`. @param proof for the audit log */
  async function proveAddress(
    unit: Unit,
    userId: string,
    proof: string,
    caller: Caller | undefined,
    origin: LoginOrigin,
  ): Promise<VerifiedEmail | null> {
    const credential = await markVerified(unit, userId)
    if (!credential) return null
    const actor: AuditActor = { kind: 'system', id: proof, userId }
    const ended = await accessRevocation.revokeAll(unit, userId, 'email_verified', actor, { wasVerified: false })
    return { ended, login: await logins.reissue(unit, credential, caller, origin) }
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
        // The password alone is no recent proof of a person with a second factor.
        const { authenticatedAt } = caller
        const options = { token: caller.credential === 'bearer', authenticatedAt }
        const { login } = await together({
          password: replacePassword(unit, user, passwordHash, 'changed', actor),
          endedLogins: logins.endAll(unit, user.id, actor),
          login: logins.issue(unit, credential, origin, options),
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
      if (!user) throw problems.link_expired()
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

    async verifyEmail(token, caller, origin) {
      const link = readLinkToken(secrets, 'verify_email', token)
      if (link?.version !== ADDRESS_VERSION) throw problems.link_expired()
      return users().transaction(unit => proveAddress(unit, link.id, 'verification link', caller, origin))
    },

    verifyByInvitation: (unit, caller, origin) => proveAddress(unit, caller.userId, 'invitation', caller, origin),

    async claimByAddress({ id, passwordHash }) {
      await users().transaction(async unit => {
        const credential = await markVerified(unit, id)
        // A concurrent request has claimed it.
        if (!credential) return
        const patch = { passwordHash: null, passwordVersion: credential.passwordVersion + 1, updatedAt: timeAt(clock) }
        await unit.defer([accountTable.updateStep({ id }, patch)])
        const actor: AuditActor = { kind: 'system', id: 'email code', userId: id }
        await accessRevocation.revokeAll(unit, id, 'email_verified', actor, { wasVerified: false })
        if (passwordHash !== null) await identities.announcePasswordRemoval(unit, id, actor)
      })
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

const recipient = ({ email, name, locale }: StoredAccount) => ({ email, name, locale })
