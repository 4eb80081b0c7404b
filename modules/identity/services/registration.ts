/** A person, a workspace, its owner, a sign-in and a first key: all of it or nothing. */
import type { Deps, Unit } from 'larder/kernel'
import type { IdentitySettings } from '../options.ts'
import { problems } from '../problems.ts'
import type { ApiKey, Membership, Tenant, User } from '../schemas.ts'
import type { Acceptance } from './acceptance.ts'
import type { ApiKeys } from './api-keys.ts'
import type { By } from './audit.ts'
import type { From, Logins, SignedIn } from './logins.ts'
import type { Passwords } from './passwords.ts'
import type { Tenants } from './tenants.ts'
import type { Users } from './users.ts'

export interface NewAccount {
  readonly email: string
  readonly password: string
  readonly name?: string
  readonly workspaceName?: string
  /** Token of an invitation: it opens a closed registration. */
  readonly invitation?: string
}
export interface Registered {
  readonly user: User
  /** Null where the recipe says `workspace: none`. */
  readonly workspace: Tenant | null
  readonly membership: Membership | null
  readonly apiKey: ApiKey | null
  readonly login: SignedIn
}
interface Parts {
  readonly settings: IdentitySettings
  readonly passwords: Passwords
  readonly users: Users
  readonly logins: Logins
  readonly tenants: Tenants
  readonly apiKeys: ApiKeys
  readonly acceptance: Acceptance
}

export function createRegistration(deps: Deps<'database' | 'events' | 'operator'>, parts: Parts) {
  const { database, events, operator } = deps
  const { settings, passwords, users, logins, tenants, apiKeys, acceptance } = parts

  async function mayRegister({ email, invitation }: NewAccount): Promise<void> {
    if (settings.open) return
    if (invitation !== undefined && (await acceptance.admits(invitation, email))) return
    // Somebody has to be the first: the operator, who then claims the installation.
    if (await users.anybody()) throw problems.registration_closed()
  }

  async function workspace(unit: Unit, account: NewAccount, user: User, by: By) {
    if (settings.workspace === 'none') return { tenant: null, membership: null, apiKey: null }
    const name = account.workspaceName ?? `${account.name ?? account.email.split('@')[0]}'s workspace`
    const made = await tenants.create(unit, { name, ownerId: user.id }, by)
    return { ...made, apiKey: await apiKeys.issue(unit, made.tenant.id, user.id, { name: 'Default' }, by) }
  }

  async function register(account: NewAccount, from: From, { token }: { token: boolean }): Promise<Registered> {
    const { email, password, name = null } = account
    await mayRegister(account)
    passwords.refuseCommon(password, email, '/password')
    const passwordHash = await passwords.hash(password)
    return database.system('a new person belongs to no tenant yet').transaction(async unit => {
      const user = await users.add(unit, { email, name, passwordHash })
      const login = await logins.issue(unit, { userId: user.id, passwordVersion: 1 }, from, { token })
      const by: By = { kind: 'login', id: login.loginId, userId: user.id }
      const { tenant, membership, apiKey } = await workspace(unit, account, user, by)
      await events.publish('identity.user.created', {
        tenantId: tenant?.id ?? operator.tenantId,
        subject: user.id,
        payload: { userId: user.id, email, name, locale: user.locale },
      })
      return { user, workspace: tenant, membership, apiKey, login }
    })
  }

  return { register }
}
export type Registration = ReturnType<typeof createRegistration>
