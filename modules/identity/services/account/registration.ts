/** Registration creates the user, a workspace with its owner, a login and an API key in one transaction. */
import { type Deps, newId, together, type Unit } from '@larder-dev/larder/kernel'
import type { IdentitySettings } from '../../options.ts'
import { problems } from '../../problems.ts'
import type { User } from '../../records/account.ts'
import type { ApiKey } from '../../records/api-key.ts'
import type { Membership, Tenant } from '../../records/tenant.ts'
import type { ApiKeys } from '../access/api-keys.ts'
import type { AuditActor } from '../access/audit-log.ts'
import type { IssuedLogin, LoginOrigin, Logins } from '../sign-in/logins.ts'
import type { Passwords } from '../sign-in/passwords.ts'
import type { Acceptance } from '../workspace/acceptance.ts'
import type { Tenants } from '../workspace/tenants.ts'
import type { Users } from './users.ts'

export interface NewAccount {
  readonly email: string
  readonly password: string
  readonly name?: string
  readonly workspaceName?: string
  /** Token of an invitation. Required while registration is closed. */
  readonly invitation?: string
  /** By default the language of the invitation. */
  readonly locale?: string
}
export interface RegisteredAccount {
  readonly user: User
  /** Null with the option `workspace: none`. */
  readonly workspace: Tenant | null
  readonly membership: Membership | null
  readonly apiKey: ApiKey | null
  readonly login: IssuedLogin
}
export interface Registration {
  /** Throws `registration_closed` or `email_taken`. */
  register(account: NewAccount, origin: LoginOrigin, options: { readonly token: boolean }): Promise<RegisteredAccount>
}
type Needs = Deps<'systemDatabase' | 'events' | 'operator'> & {
  readonly settings: IdentitySettings
  readonly passwords: Passwords
  readonly users: Users
  readonly logins: Logins
  readonly tenants: Tenants
  readonly apiKeys: ApiKeys
  readonly acceptance: Acceptance
}

export function createRegistration({
  systemDatabase,
  events,
  operator,
  settings,
  passwords,
  users,
  logins,
  tenants,
  apiKeys,
  acceptance,
}: Needs): Registration {
  async function assertAllowed({ email, invitation }: NewAccount): Promise<void> {
    if (settings.openRegistration) return
    if (invitation !== undefined && (await acceptance.allowsRegistration(invitation, email))) return
    // The first user is the operator, who then claims the installation.
    if (await users.exist()) throw problems.registration_closed()
  }

  async function createWorkspace(unit: Unit, account: NewAccount, userId: string, actor: AuditActor) {
    if (settings.workspace === 'none') return { tenant: null, membership: null, apiKey: null }
    const name = account.workspaceName ?? `${account.name ?? account.email.split('@')[0]}'s workspace`
    const tenant = await tenants.insert(unit, { name }, actor)
    const membership = await tenants.addOwner(unit, tenant, userId, actor)
    const apiKey = await apiKeys.issue(unit, tenant.id, userId, { name: 'Default' }, actor)
    return { tenant, membership, apiKey }
  }

  return {
    async register(account, origin, { token }) {
      const { email, password, name = null, invitation } = account
      await assertAllowed(account)
      passwords.assertNotCommon(password, email, '/password')
      const passwordHash = await passwords.hash(password)
      const locale = account.locale ?? (invitation === undefined ? null : await acceptance.localeFor(invitation, email))
      const unit = systemDatabase.acrossTenants('a new user belongs to no tenant yet')
      return unit.transaction(async unit => {
        const userId = newId('usr')
        const actor: AuditActor = { kind: 'login', id: newId('lgn'), userId }
        const {
          user,
          login,
          workspace: { tenant, membership, apiKey },
        } = await together({
          user: users.create(unit, { id: userId, email, name, locale, passwordHash }),
          login: logins.issue(unit, { userId, passwordVersion: 1 }, origin, { token, loginId: actor.id }),
          workspace: createWorkspace(unit, account, userId, actor),
        })
        await events.publish('identity.user.created', {
          tenantId: tenant?.id ?? operator.tenantId,
          subject: user.id,
          payload: { userId: user.id, email, name, locale: user.locale },
        })
        return { user, workspace: tenant, membership, apiKey, login }
      })
    },
  }
}
