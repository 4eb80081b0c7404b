/** The services behind identity's routes, pages, listeners and jobs: made once, from the kernel's ports. */
import type { Deps } from 'larder/kernel'
import { type IdentityOptions, type IdentitySettings, identitySettings } from './options.ts'
import { type Acceptance, createAcceptance } from './services/acceptance.ts'
import { type Account, createAccount } from './services/account.ts'
import { type ApiKeys, createApiKeys } from './services/api-keys.ts'
import { type Audit, createAudit } from './services/audit.ts'
import { createChanges } from './services/changes.ts'
import { type Claims, createClaims } from './services/claims.ts'
import { createInvitations, type Invitations } from './services/invitations.ts'
import { createLogins, type Logins } from './services/logins.ts'
import { createMembers, type Members } from './services/members.ts'
import { createMemberships, type Memberships } from './services/memberships.ts'
import { createPasswords } from './services/passwords.ts'
import { createRegistration, type Registration } from './services/registration.ts'
import { createRights, type RightsService } from './services/rights.ts'
import { createRoles, type Roles } from './services/roles.ts'
import { createSignIn, type SignIn } from './services/sign-in.ts'
import { createSweep, type Sweep } from './services/sweep.ts'
import { createTenants, type Tenants } from './services/tenants.ts'
import { createUsers, type Users } from './services/users.ts'

export interface Identity {
  readonly settings: IdentitySettings
  readonly acceptance: Acceptance
  readonly account: Account
  readonly apiKeys: ApiKeys
  readonly audit: Audit
  readonly claims: Claims
  readonly invitations: Invitations
  readonly logins: Logins
  readonly members: Members
  readonly memberships: Memberships
  readonly registration: Registration
  readonly rights: RightsService
  readonly roles: Roles
  readonly signIn: SignIn
  readonly sweep: Sweep
  readonly tenants: Tenants
  readonly users: Users
}

/** The ports that identity needs. */
export const NEEDS = ['database', 'events', 'jobs', 'secrets', 'bus', 'product', 'operator', 'access', 'clock'] as const
type Needs = Deps<(typeof NEEDS)[number], 'entitlements'>

export function createIdentity(deps: Needs, options: IdentityOptions): Identity {
  const settings = identitySettings(options)
  const audit = createAudit(deps)
  const changes = createChanges(deps)
  const rights = createRights(deps)
  const passwords = createPasswords(settings)
  const users = createUsers(deps)
  const logins = createLogins(deps, { audit, changes, settings })
  const memberships = createMemberships(deps, { audit, changes })
  const tenants = createTenants(deps, { audit, changes, memberships })
  const roles = createRoles(deps, { audit, changes, rights })
  const apiKeys = createApiKeys(deps, { audit, changes, roles })
  const acceptance = createAcceptance(deps, { audit, memberships })
  return {
    settings,
    acceptance,
    account: createAccount(deps, { audit, logins, passwords }),
    apiKeys,
    audit,
    claims: createClaims(deps, { audit, changes, memberships }),
    invitations: createInvitations(deps, { audit, rights, settings }),
    logins,
    members: createMembers(deps, { audit, changes, rights }),
    memberships,
    registration: createRegistration(deps, { settings, passwords, users, logins, tenants, apiKeys, acceptance }),
    rights,
    roles,
    signIn: createSignIn(deps, passwords),
    sweep: createSweep(deps),
    tenants,
    users,
  }
}
