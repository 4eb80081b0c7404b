/** A new password: by the person who is signed in, and by the link of a mailed reset. */
import { type Caller, common, type Deps, HOUR, newId, together, type Unit } from '@larder-dev/larder/kernel'
import { emailKey } from '@larder-dev/larder/kernel/internal'
import { type AuditActor, type AuditRecorder, actorOf } from '../audit/audit-log.ts'
import { readLinkToken } from '../domain/links.ts'
import { timeAt } from '../domain/time.ts'
import { accountProblems } from '../users/problems.ts'
import { accountTable, type StoredAccount } from '../users/records/account.ts'
import type { AccessRevocation, EndedAccess } from './access-revocation.ts'
import type { AddressProofs, MailRecipient } from './address-proofs.ts'
import type { LoginOrigin, Logins } from './logins.ts'
import type { Passwords } from './password/passwords.ts'
import { passwordProblems } from './password/problems.ts'
import type { Reauthentication } from './reauthentication.ts'
import type { RenewedLogin, SignInCompletion } from './sign-in-completion.ts'

const RESET_TTL = 1 * HOUR
/** Each reset request has its own link. */
const RESET_VERSION = 1

export interface PasswordReset {
  /** Email address of the account. */
  readonly email: string
  readonly ended: EndedAccess | null
}
export interface PasswordChanges {
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
}
type Needs = Deps<'systemDatabase' | 'events' | 'clock' | 'secrets' | 'operator' | 'jobs'> & {
  readonly accessRevocation: AccessRevocation
  readonly addressProofs: AddressProofs
  readonly audit: AuditRecorder
  readonly logins: Logins
  readonly passwords: Passwords
  readonly reauthentication: Reauthentication
  readonly signInCompletion: SignInCompletion
}

export function createPasswordChanges({
  systemDatabase,
  events,
  clock,
  secrets,
  operator,
  jobs,
  accessRevocation,
  addressProofs,
  audit,
  logins,
  passwords,
  reauthentication,
  signInCompletion,
}: Needs): PasswordChanges {
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
    await addressProofs.cancelEmailChange(unit, id)
    const { tenantId } = operator
    await audit.record(unit, { tenantId, action: `password.${how}`, actor, subject: id })
    const payload = { userId: id, how }
    await events.publish('identity.password.changed', { tenantId, subject: id, payload })
  }

  return {
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
          verified: addressProofs.markVerified(unit, id),
          ended: revokes
            ? accessRevocation.revokeAll(unit, id, 'password_reset', actor, {
                wasVerified: user.emailVerifiedAt !== null,
              })
            : logins.endAll(unit, id, actor),
        })
        return { email, ended: typeof ended === 'number' ? null : ended }
      })
    },
  }
}

const recipient = ({ email, name, locale }: StoredAccount) => ({ email, name, locale })
