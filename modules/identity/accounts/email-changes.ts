/** Changes of a user's email address. Both addresses confirm a change before it takes effect. */
import {
  type Caller,
  common,
  type Deps,
  HOUR,
  invalidField,
  isUniqueViolation,
  newId,
  together,
  type Unit,
  wording,
} from '@larder-dev/larder/kernel'
import { emailKey } from '@larder-dev/larder/kernel/internal'
import { type AuditActor, type AuditRecorder, actorOf } from '../audit/audit-log.ts'
import { isDisposableAddress } from '../domain/email-domains.ts'
import { type MailToken, readLinkToken } from '../domain/links.ts'
import { timeAt } from '../domain/time.ts'
import type { IdentitySettings } from '../options.ts'
import type { AccessRevocation } from '../sign-in/access-revocation.ts'
import type { AddressOwner, Verification } from '../sign-in/address-proofs.ts'
import { isOwnLogin, type LoginOrigin, type Logins } from '../sign-in/logins.ts'
import { passwordProblems } from '../sign-in/password/problems.ts'
import type { Reauthentication } from '../sign-in/reauthentication.ts'
import type { RenewedLogin, SignInCompletion } from '../sign-in/sign-in-completion.ts'
import { accountProblems } from '../users/problems.ts'
import {
  accountTable,
  type EmailChange,
  emailChangeTable,
  type StoredAccount,
  type StoredEmailChange,
} from '../users/records/account.ts'
import type { Recipient } from '../users/user-mail.ts'
import type { Memberships } from '../workspaces/members/memberships.ts'

const CHANGE_TTL = 24 * HOUR
/** Versions of the links: one for each address. */
const CURRENT_ADDRESS = 1
const NEW_ADDRESS = 2

/** One of the two emails of a change. */
export interface EmailChangeMail extends Recipient {
  readonly newEmail: string
  /** True for the email to the current address. */
  readonly current: boolean
  readonly link: MailToken
}
export interface ConfirmedChange {
  readonly complete: boolean
  /** Replaces the caller's login of this account once the change is complete. */
  readonly login: RenewedLogin | null
}
/**
 * What the click of a person does who opens the link without proving the account:
 * - `confirms`: at the current address, which belongs to the owner of the account.
 * - `ends_access`: at the new address, where no address of the account was ever verified. Somebody else may have
 *   registered, so all access from before ends, the password included.
 * - `refused`: at the new address of an account with a verified one. Its owner may have named the address of somebody
 *   else, and would keep the account that carries it.
 */
export type WithoutProof = 'confirms' | 'ends_access' | 'refused'
export interface ChangeConfirmation extends Verification {
  readonly withoutProof: WithoutProof
}
export interface EmailChanges {
  /** Replaces a pending change. Throws `wrong_password`, `reauthentication_required`, `email_taken` or `disposable_address`. */
  request(change: { readonly email: string; readonly password?: string }, caller: Caller): Promise<EmailChange>
  find(userId: string): Promise<EmailChange | null>
  cancel(userId: string): Promise<void>
  /**
   * A complete change ends all logins of the account. See `WithoutProof` for a person who doesn't prove the account.
   * Throws `link_expired`, `email_taken`, and `incorrect_password` and 422 for a missing proof, which change nothing.
   */
  confirm(token: string, person: AddressOwner, origin: LoginOrigin): Promise<ConfirmedChange>
  /** What the page of the link asks, as of a verification. Throws `link_expired`. */
  confirmation(token: string, caller: Caller | undefined): Promise<ChangeConfirmation>
  /** Empty if the change was confirmed, replaced or canceled. */
  mails(changeId: string): Promise<readonly EmailChangeMail[]>
}
const REPLACE_PENDING = `on conflict (user_id) do update set id = excluded.id, email = excluded.email,
  email_key = excluded.email_key, current_confirmed_at = excluded.current_confirmed_at, new_confirmed_at = null,
  expires_at = excluded.expires_at`

type Needs = Deps<'systemDatabase' | 'events' | 'clock' | 'secrets' | 'operator' | 'jobs'> & {
  readonly accessRevocation: AccessRevocation
  readonly audit: AuditRecorder
  readonly logins: Logins
  readonly memberships: Memberships
  readonly reauthentication: Reauthentication
  readonly settings: IdentitySettings
  readonly signInCompletion: SignInCompletion
}

export function createEmailChanges({
  systemDatabase,
  events,
  clock,
  secrets,
  operator,
  jobs,
  accessRevocation,
  audit,
  logins,
  memberships,
  reauthentication,
  settings,
  signInCompletion,
}: Needs): EmailChanges {
  const users = () => systemDatabase.acrossTenants('an email address belongs to a user, not to a tenant')

  /** Returns the version of the password. */
  async function apply(unit: Unit, { id, userId, email }: StoredEmailChange, actor: AuditActor): Promise<number> {
    const now = timeAt(clock)
    const { rows } = await unit
      .query<{ password_version: number }>(
        `update identity_users set former_emails = array_append(former_emails, email), email = $2, email_key = $3,
           email_verified_at = $4, updated_at = $4 where id = $1 returning password_version`,
        [userId, email, emailKey(email), now],
      )
      .catch(rethrowTaken)
    await unit.defer([
      emailChangeTable.deleteStep({ id }),
      // Links to set a new password went to the former address.
      ['delete from identity_password_resets where user_id = $1', [userId]],
    ])
    const { tenantId } = operator
    await audit.record(unit, { tenantId, action: 'email.changed', actor, subject: userId })
    await events.publish('identity.email.changed', { tenantId, subject: userId, payload: { userId } })
    return rows[0]?.password_version ?? 0
  }

  function readLink(token: string): MailToken {
    const link = readLinkToken(secrets, 'email_change', token)
    if (!link || (link.version !== CURRENT_ADDRESS && link.version !== NEW_ADDRESS))
      throw accountProblems.link_expired()
    return link
  }

  async function findByLink({ id }: MailToken): Promise<{ change: StoredEmailChange; stored: StoredAccount }> {
    const change = await emailChangeTable.find(users(), { id })
    const stored = change && (await accountTable.find(users(), { id: change.userId }))
    if (!stored || Date.parse(change.expiresAt) <= clock.now()) throw accountProblems.link_expired()
    return { change, stored }
  }

  return {
    async request({ email, password }, caller) {
      const { userId } = caller
      const user = await accountTable.find(users(), { id: userId })
      if (!user) throw common.unauthenticated()
      await reauthentication.assert(caller, user, password, '/password')
      if (isDisposableAddress(settings, email)) throw accountProblems.disposable_address()
      return users().transaction(async unit => {
        // The lock serializes this with a new password and with the verification of the current address.
        const { locked, taken } = await unit.all({
          locked: [
            'select email_verified_at from identity_users where id = $1 and password_version = $2 for no key update',
            [userId, user.passwordVersion],
          ],
          // Another spelling of the own address is a change, too.
          taken: [
            'select 1 from identity_users where email_key = $1 and (id <> $2 or email = $3)',
            [emailKey(email), userId, email],
          ],
        })
        const [current] = locked.rows as { email_verified_at: Date | null }[]
        if (!current) throw passwordProblems.wrong_password()
        if (taken.rowCount > 0) throw accountProblems.email_taken()
        // An address that was never verified can't confirm anything: it may belong to somebody else.
        const currentConfirmedAt = current.email_verified_at === null ? timeAt(clock) : null
        const [id, expiresAt] = [newId('emc'), timeAt(clock, CHANGE_TTL)]
        const change = { id, userId, email, emailKey: emailKey(email), currentConfirmedAt, expiresAt }
        await unit.defer([emailChangeTable.insertStep(change, REPLACE_PENDING)])
        await jobs.enqueue('identity.email_change', { changeId: id }, { key: id })
        const actor = actorOf(caller)
        await audit.record(unit, { tenantId: operator.tenantId, action: 'email.requested', actor, subject: userId })
        return { email, currentConfirmed: currentConfirmedAt !== null, newConfirmed: false, expiresAt }
      })
    },

    async find(userId) {
      const change = await emailChangeTable.find(users(), { userId })
      return change && Date.parse(change.expiresAt) > clock.now() ? toChange(change) : null
    },

    async cancel(userId) {
      await users().query(...emailChangeTable.deleteStep({ userId }))
    },

    async confirmation(token, caller) {
      const link = readLink(token)
      const { change, stored } = await findByLink(link)
      const { id, passwordHash } = stored
      const hasPassword = settings.passwords && passwordHash !== null
      return { email: change.email, isOwn: isOwnLogin(caller, id), hasPassword, withoutProof: resultOf(link, stored) }
    },

    async confirm(token, person, origin) {
      const link = readLink(token)
      const { stored } = await findByLink(link)
      const withoutProof = resultOf(link, stored)
      const isProved =
        withoutProof !== 'confirms' && (await reauthentication.knows(person.caller, stored, person.password))
      if (withoutProof === 'refused' && !isProved)
        throw invalidField('/password', 'required', wording('is required, unless you are signed in to the account'))
      const isTakeOver = withoutProof === 'ends_access' && !isProved
      const column = link.version === CURRENT_ADDRESS ? 'current_confirmed_at' : 'new_confirmed_at'
      return users().transaction(async unit => {
        // The user is locked before the change, as wherever one is canceled.
        const {
          confirmed: [change],
        } = await together({
          members: memberships.lockOf(unit, stored.id),
          lock: unit.query(
            `select 1 from identity_users
             where id = (select user_id from identity_email_changes where id = $1) for update`,
            [link.id],
          ),
          confirmed: emailChangeTable.query(
            unit,
            `update identity_email_changes set ${column} = coalesce(${column}, $2) where id = $1 and expires_at > $2
             returning ${emailChangeTable.columns()}`,
            [link.id, timeAt(clock)],
          ),
        })
        if (!change) throw accountProblems.link_expired()
        if (change.currentConfirmedAt === null || change.newConfirmedAt === null)
          return { complete: false, login: null }
        const { userId } = change
        const actor: AuditActor = { kind: 'system', id: 'confirmation link', userId }
        const credential = { userId, passwordVersion: await apply(unit, change, actor) }
        if (isTakeOver) {
          await accessRevocation.takeOver(unit, userId, actor)
          return { complete: true, login: null }
        }
        await logins.endAll(unit, userId, actor)
        const { caller } = person
        const isOwn = caller !== undefined && isOwnLogin(caller, userId)
        const login = isOwn ? await signInCompletion.renewWithoutGate(unit, credential, caller, origin) : null
        return { complete: true, login }
      })
    },

    async mails(changeId) {
      const [row] = await emailChangeTable.query<{ current: string; name: string | null; locale: string | null }>(
        users(),
        `select ${emailChangeTable.columns('c')}, u.email as current, u.name, u.locale from identity_email_changes c
         join identity_users u on u.id = c.user_id where c.id = $1 and c.expires_at > $2`,
        [changeId, timeAt(clock)],
      )
      if (!row) return []
      const { id, email: newEmail, current, locale } = row
      const shared = { name: row.name ?? current, locale, newEmail }
      const toNew = { ...shared, email: newEmail, current: false, link: { id, version: NEW_ADDRESS } }
      if (row.currentConfirmedAt !== null) return [toNew]
      return [toNew, { ...shared, email: current, current: true, link: { id, version: CURRENT_ADDRESS } }]
    },
  }
}

const resultOf = ({ version }: MailToken, { emailVerifiedAt }: StoredAccount): WithoutProof => {
  if (version === CURRENT_ADDRESS) return 'confirms'
  return emailVerifiedAt === null ? 'ends_access' : 'refused'
}

const toChange = ({ email, currentConfirmedAt, newConfirmedAt, expiresAt }: StoredEmailChange): EmailChange => ({
  email,
  expiresAt,
  currentConfirmed: currentConfirmedAt !== null,
  newConfirmed: newConfirmedAt !== null,
})

function rethrowTaken(error: unknown): never {
  throw isUniqueViolation(error) ? accountProblems.email_taken() : error
}
