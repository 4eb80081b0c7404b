/** Registration creates the user, a workspace with its owner, a login and an API key in one transaction. */
import { type Deps, newId, together, type Unit } from '@larder-dev/larder/kernel'
import type { AuditActor } from '../audit/audit-log.ts'
import { checkAll } from '../domain/check-all.ts'
import { isDisposableAddress } from '../domain/email-domains.ts'
import { CLAIM_PATH } from '../domain/return-path.ts'
import { timeAt } from '../domain/time.ts'
import type { IdentitySettings } from '../options.ts'
import type { ProfileValues } from '../ports.ts'
import { accountProblems } from '../users/problems.ts'
import type { Profiles } from '../users/profiles.ts'
import type { User } from '../users/records/account.ts'
import type { Users } from '../users/users.ts'
import { isClaimed } from '../workspaces/claimed.ts'
import type { ApiKeys } from '../workspaces/keys/api-keys.ts'
import type { ApiKey } from '../workspaces/keys/records.ts'
import type { Memberships } from '../workspaces/members/memberships.ts'
import { type Membership, type Tenant, tenantTable } from '../workspaces/records.ts'
import { onPlan } from '../workspaces/tenant-record.ts'
import type { Tenants } from '../workspaces/tenants.ts'
import type { Acceptance } from './acceptance.ts'
import type { ProvedIdentity, SignInIdentities } from './identities.ts'
import type { LoginOrigin } from './logins.ts'
import type { Passwords } from './password/passwords.ts'
import type { FinishedSignIn, FinishOptions, SignInCompletion } from './sign-in-completion.ts'

export interface NewAccount {
  readonly email: string
  readonly password: string
  readonly name?: string
  readonly workspaceName?: string
  /** Token of an invitation. Required while registration is closed. */
  readonly invitation?: string
  /** By default the language of the invitation. */
  readonly locale?: string
  readonly profile?: ProfileValues
}
export interface RegisteredAccount {
  readonly user: User
  /** Null with the option `workspace: none`, and on the way to the claim. */
  readonly workspace: Tenant | null
  readonly membership: Membership | null
  readonly apiKey: ApiKey | null
  readonly login: FinishedSignIn
}
export interface Registration {
  /** Throws `registration_closed`, `disposable_address` or `email_taken`, and 422 for a wrong or missing value of the profile. */
  register(
    account: NewAccount,
    origin: LoginOrigin,
    options: OnTheWay & { readonly token: boolean },
  ): Promise<RegisteredAccount>
  /** Whether the owner of the address may create an account, if it has none. */
  isOpenTo(email: string): Promise<boolean>
  /** Creates an account without a password for the owner of an address. Throws as `register` does. */
  registerProved(
    address: {
      readonly email: string
      readonly locale: string | null
      readonly name?: string | null
      /** The identity of the person at a provider. */
      readonly identity?: ProvedIdentity
      /**
       * Makes the user a member in the same transaction, instead of creating a workspace. Then registration needn't be
       * open.
       */
      readonly join?: JoinWorkspace
    },
    origin: LoginOrigin,
    options: ProvedOptions,
  ): Promise<FinishedSignIn>
}
type ProvedOptions = OnTheWay & Pick<FinishOptions, 'token' | 'caller' | 'keepsOthers' | 'authenticatedAt' | 'tenantId'>
export interface OnTheWay {
  /**
   * The page to which the person goes on. Who is about to claim the installation gets no workspace of their own: theirs is
   * the one of the operator.
   */
  readonly next?: string | undefined
}
type JoinWorkspace = (unit: Unit, userId: string) => Promise<void>

interface StartingAccount {
  readonly email: string
  readonly name: string | null
  readonly locale: string | null
  readonly passwordHash: string | null
  /** Empty for a person who gives its values after the sign-up. */
  readonly profile: ProfileValues
  readonly emailVerifiedAt: string | null
  readonly workspaceName: string | undefined
  /** Whether to create a key for the new workspace. */
  readonly apiKey: boolean
  readonly identity?: ProvedIdentity | undefined
  readonly join?: JoinWorkspace | undefined
}
type Needs = Deps<'systemDatabase' | 'events' | 'operator' | 'clock' | 'product' | 'theme'> & {
  readonly settings: IdentitySettings
  readonly passwords: Passwords
  readonly users: Users
  readonly signInCompletion: SignInCompletion
  readonly tenants: Tenants
  readonly apiKeys: ApiKeys
  readonly acceptance: Acceptance
  readonly memberships: Memberships
  readonly identities: SignInIdentities
  readonly profiles: Profiles
}

export function createRegistration({
  systemDatabase,
  events,
  operator,
  clock,
  product,
  theme,
  settings,
  passwords,
  users,
  signInCompletion,
  tenants,
  apiKeys,
  acceptance,
  identities,
  memberships,
  profiles,
}: Needs): Registration {
  async function assertAllowed({ email, invitation }: NewAccount): Promise<void> {
    const isDisposable = isDisposableAddress(settings, email)
    if (settings.openRegistration && !isDisposable) return
    if (invitation !== undefined && (await acceptance.allowsRegistration(invitation, email))) return
    if (isDisposable) throw accountProblems.disposable_address()
    // The first user is the operator, who then claims the installation.
    if (await users.exist()) throw accountProblems.registration_closed()
  }

  /** Translated, because the person sees the name first. */
  const workspaceNameFor = ({ name, email, locale }: StartingAccount): string =>
    theme.text(locale ?? product.locales.default, `${name ?? email.split('@')[0]}'s workspace`)

  /** In a product of people, the person joins the operator's workspace. No lock: a new user can't be a member yet. */
  async function joinAsCustomer(unit: Unit, account: StartingAccount, userId: string, actor: AuditActor, role: string) {
    const { tenantId } = operator
    const { tenant, membership } = await together({
      tenant: tenantTable.get(unit, { id: tenantId }),
      membership: memberships.add(unit, { tenantId, userId, roles: [role] }, actor),
    })
    const apiKey = account.apiKey ? await apiKeys.issue(unit, tenantId, userId, { name: 'Default' }, actor) : null
    return { tenant: onPlan(tenant), membership, apiKey }
  }

  const isOnTheWayToClaim = async (unit: Unit, next: string | undefined) =>
    next === CLAIM_PATH && !(await isClaimed(unit, operator.tenantId))

  async function createWorkspace(
    unit: Unit,
    account: StartingAccount,
    userId: string,
    actor: AuditActor,
    next: string | undefined,
  ) {
    const { customerRole } = settings
    if (customerRole !== undefined && !account.join) return joinAsCustomer(unit, account, userId, actor, customerRole)
    if (settings.workspace === 'none' || account.join || (await isOnTheWayToClaim(unit, next)))
      return { tenant: null, membership: null, apiKey: null }
    const name = account.workspaceName ?? workspaceNameFor(account)
    const tenant = await tenants.insert(unit, { name }, actor)
    const membership = await tenants.addOwner(unit, tenant, userId)
    const apiKey = account.apiKey ? await apiKeys.issue(unit, tenant.id, userId, { name: 'Default' }, actor) : null
    return { tenant, membership, apiKey }
  }

  async function create(
    account: StartingAccount,
    origin: LoginOrigin,
    { next, ...options }: ProvedOptions,
  ): Promise<RegisteredAccount> {
    const { email, name, locale, passwordHash, profile, emailVerifiedAt } = account
    const unit = systemDatabase.acrossTenants('a new user belongs to no tenant yet')
    return unit.transaction(async unit => {
      const userId = newId('usr')
      const actor: AuditActor = { kind: 'login', id: newId('lgn'), userId }
      const {
        user,
        login,
        workspace: { tenant, membership, apiKey },
      } = await together({
        user: users.create(unit, { id: userId, email, name, locale, passwordHash, profile, emailVerifiedAt }),
        login: signInCompletion.finishWithoutGate(unit, { userId, email, passwordVersion: 1 }, origin, {
          ...options,
          loginId: actor.id,
        }),
        workspace: createWorkspace(unit, account, userId, actor, next),
      })
      if (account.identity) await identities.add(unit, userId, account.identity, actor)
      await account.join?.(unit, userId)
      await events.publish('identity.user.created', {
        tenantId: tenant?.id ?? operator.tenantId,
        subject: user.id,
        payload: { userId: user.id, email, name, locale: user.locale },
      })
      return { user, workspace: tenant, membership, apiKey, login }
    })
  }

  const isOpenTo = async (email: string) => {
    if (isDisposableAddress(settings, email)) return acceptance.invites(email)
    return settings.openRegistration || (await acceptance.invites(email)) || !(await users.exist())
  }

  return {
    isOpenTo,
    async register(account, origin, { token, next }) {
      const { email, password, name = null, invitation, workspaceName } = account
      await assertAllowed(account)
      const [profile] = await checkAll(
        () => profiles.create(account.profile ?? {}),
        () => passwords.assertNotCommon(password, email, '/password'),
      )
      const passwordHash = await passwords.hash(password)
      const invited = invitation === undefined ? undefined : await acceptance.find(invitation, email)
      const locale = account.locale ?? invited?.locale ?? null
      const emailVerifiedAt = invited?.mailed ? timeAt(clock) : null
      return create(
        { email, name, locale, passwordHash, profile, emailVerifiedAt, workspaceName, apiKey: true },
        origin,
        { token, caller: undefined, next },
      )
    },
    async registerProved({ email, locale, name = null, identity, join }, origin, options) {
      if (!join && !(await isOpenTo(email)))
        throw isDisposableAddress(settings, email)
          ? accountProblems.disposable_address()
          : accountProblems.registration_closed()
      const proved = {
        email,
        locale,
        name,
        identity,
        join,
        passwordHash: null,
        profile: {},
        emailVerifiedAt: timeAt(clock),
      }
      // The client gets no key of a new workspace: nobody would see it.
      const { login } = await create({ ...proved, workspaceName: undefined, apiKey: false }, origin, options)
      return login
    },
  }
}
