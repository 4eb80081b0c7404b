/**
 * The ways in which a user signs in: the password, and identities such as the account at a provider. The last one can't be
 * removed. Changes of the same user wait for each other.
 */
import {
  type Caller,
  common,
  type Deps,
  isUniqueViolation,
  newId,
  together,
  type Unit,
} from '@larder-dev/larder/kernel'
import { type AuditActor, type AuditRecorder, actorOf } from '../audit/audit-log.ts'
import { timeAt } from '../domain/time.ts'
import type { IdentitySettings } from '../options.ts'
import { accountTable, type StoredAccount } from '../users/records/account.ts'
import { signInProblems } from './problems.ts'
import { identityTable, type SignInWay, type StoredIdentity } from './records/sign-in.ts'
import { PASSKEY, PASSWORD, type SignInMethods } from './sign-in-methods.ts'

/** A person at a provider. */
export interface ProvedIdentity {
  readonly method: string
  readonly provider: string
  readonly subject: string
  readonly label?: string | undefined
  /** The address, if the provider has verified it. */
  readonly email?: string | undefined
}
export interface SignInIdentities {
  /** Whether the user can sign in with a password. */
  havePassword(userId: string): Promise<boolean>
  list(userId: string): Promise<readonly SignInWay[]>
  /** One way of the user. Throws `not_found`. */
  get(userId: string, id: string): Promise<SignInWay>
  /** Throws `not_found`, also for the password, which has no name. */
  rename(userId: string, id: string, patch: { readonly label: string }): Promise<SignInWay>
  /** Throws `not_found`, and `last_sign_in_method` if no other way is left. Mail to the own address is one, if it is on. */
  remove(caller: Caller, id: string): Promise<void>
  /**
   * Removes all but the password. For an owner who takes over an account that somebody else may have used.
   * @param options.keepsSecondFactor keeps passkeys of a person whose role requires a second factor: who reads their mail
   * must not replace it
   */
  removeAll(
    unit: Unit,
    userId: string,
    actor: AuditActor,
    options: { readonly keepsSecondFactor: boolean },
  ): Promise<void>
  /** Records that the password was removed, and tells the user. */
  announcePasswordRemoval(unit: Unit, userId: string, actor: AuditActor): Promise<void>
  /** The account of an identity, with the time of its use recorded. */
  use(unit: Unit, identity: ProvedIdentity): Promise<StoredIdentity | undefined>
  /** Whether the user has another subject at this provider: the provider may have given an address to somebody else. */
  hasOther(unit: Unit, userId: string, identity: ProvedIdentity): Promise<boolean>
  /** Throws `identity_taken` if it belongs to another account. */
  add(unit: Unit, userId: string, identity: ProvedIdentity, actor: AuditActor): Promise<StoredIdentity>
}
type Needs = Deps<'systemDatabase' | 'clock' | 'operator' | 'events'> & {
  readonly audit: AuditRecorder
  readonly settings: IdentitySettings
  readonly signInMethods: SignInMethods
}

export function createSignInIdentities({
  systemDatabase,
  clock,
  operator,
  events,
  audit,
  settings,
  signInMethods,
}: Needs): SignInIdentities {
  const users = () => systemDatabase.acrossTenants('ways to sign in belong to a user, not to a tenant')

  /** Leaves out methods that are off: nobody can sign in with them. */
  function waysOf(account: StoredAccount, identities: readonly StoredIdentity[]): SignInWay[] {
    const labels = new Map(signInMethods.list().map(({ name, label }) => [name, label]))
    const none = { email: null, createdAt: null, lastUsedAt: null, removable: true }
    const own: SignInWay[] =
      settings.passwords && account.passwordHash !== null
        ? [{ ...none, id: PASSWORD, method: PASSWORD, label: 'Password' }]
        : []
    const linked = identities.flatMap(({ id, method, label, email, createdAt, lastUsedAt }) => {
      const known = labels.get(method)
      return known === undefined
        ? []
        : [{ id, method, label: label ?? known, email, createdAt, lastUsedAt, removable: true }]
    })
    const ways = [...own, ...linked]
    return ways.map(way => ({ ...way, removable: settings.emailLink || ways.length > 1 }))
  }

  const identitiesOf = (unit: Unit, userId: string) =>
    identityTable.query(
      unit,
      `select ${identityTable.columns()} from identity_sign_in_identities where user_id = $1 order by id`,
      [userId],
    )

  async function announce(
    unit: Unit,
    change: 'added' | 'removed',
    { userId, method, label, subject }: { userId: string; method: string; label: string; subject: string },
    actor: AuditActor,
  ): Promise<void> {
    const { tenantId } = operator
    const details = { method, label }
    await audit.record(unit, { tenantId, action: `sign_in_method.${change}`, actor, subject, details })
    const payload = { userId, method, label }
    await events.publish(`identity.sign_in_method.${change}`, { tenantId, subject: userId, payload })
  }

  async function lock(unit: Unit, userId: string): Promise<StoredAccount> {
    const account = await accountTable.find(unit, { id: userId }, { lock: true })
    if (!account) throw common.unauthenticated()
    return account
  }

  async function list(userId: string): Promise<readonly SignInWay[]> {
    const unit = users()
    const { account, identities } = await together({
      account: accountTable.find(unit, { id: userId }),
      identities: identitiesOf(unit, userId),
    })
    if (!account) throw common.unauthenticated()
    return waysOf(account, identities)
  }

  async function way(userId: string, id: string): Promise<SignInWay> {
    const found = (await list(userId)).find(each => each.id === id)
    if (!found) throw common.not_found({ what: 'sign-in method' })
    return found
  }

  return {
    list,
    get: way,

    async havePassword(userId) {
      const account = await accountTable.find(users(), { id: userId })
      if (!account) throw common.unauthenticated()
      return settings.passwords && account.passwordHash !== null
    },

    async rename(userId, id, patch) {
      const [renamed] = await identityTable.query(users(), ...identityTable.updateStep({ id, userId }, patch))
      if (!renamed) throw common.not_found({ what: 'sign-in method' })
      return way(userId, id)
    },

    async remove(caller, id) {
      const { userId } = caller
      await users().transaction(async unit => {
        const account = await lock(unit, userId)
        const identities = await identitiesOf(unit, userId)
        const way = waysOf(account, identities).find(each => each.id === id)
        // An identity of a method that is off can go at any time.
        const stored = identities.find(each => each.id === id)
        if (!way && !stored) throw common.not_found({ what: 'sign-in method' })
        if (way && !way.removable) throw signInProblems.last_sign_in_method()
        const removal = stored
          ? identityTable.deleteStep({ id, userId })
          : accountTable.updateStep(
              { id: userId },
              { passwordHash: null, passwordVersion: account.passwordVersion + 1, updatedAt: timeAt(clock) },
            )
        await unit.defer([removal])
        const method = way?.method ?? stored?.method ?? PASSWORD
        const label = way?.label ?? stored?.label ?? method
        await announce(unit, 'removed', { userId, method, label, subject: stored ? id : userId }, actorOf(caller))
      })
    },

    async removeAll(unit, userId, actor, { keepsSecondFactor }) {
      const roles = keepsSecondFactor ? settings.secondFactorRoles : []
      const removed = await identityTable.query(
        unit,
        `delete from identity_sign_in_identities where user_id = $1 and not (
           method = $2 and exists (select from identity_members where user_id = $1 and roles && $3::text[]))
         returning ${identityTable.columns()}`,
        [userId, PASSKEY, roles],
      )
      for (const { id: subject, method, label } of removed)
        await announce(unit, 'removed', { userId, method, label: label ?? method, subject }, actor)
    },

    announcePasswordRemoval: (unit, userId, actor) =>
      announce(unit, 'removed', { userId, method: PASSWORD, label: 'Password', subject: userId }, actor),

    async use(unit, { method, provider, subject, email }) {
      const [found] = await identityTable.query(
        unit,
        ...identityTable.updateStep({ method, provider, subject }, { lastUsedAt: timeAt(clock), email }),
      )
      return found
    },

    async hasOther(unit, userId, { method, provider }) {
      return (await identityTable.find(unit, { userId, method, provider })) !== undefined
    },

    async add(unit, userId, identity, actor) {
      await lock(unit, userId)
      const { method, provider, subject, label, email } = identity
      const now = timeAt(clock)
      const stored = await identityTable
        .insert(unit, {
          id: newId('sid', clock.now()),
          userId,
          method,
          provider,
          subject,
          label: label ?? null,
          email: email ?? null,
          createdAt: now,
          lastUsedAt: now,
        })
        .catch(rethrowTaken)
      const name = label ?? signInMethods.list().find(each => each.name === method)?.label ?? method
      await announce(unit, 'added', { userId, method, label: name, subject: stored.id }, actor)
      return stored
    },
  }
}

function rethrowTaken(error: unknown): never {
  throw isUniqueViolation(error) ? signInProblems.identity_taken() : error
}
