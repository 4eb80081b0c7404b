/** The services behind identity's routes, pages, listeners and jobs: made once, from the kernel's ports. */
import type { Deps } from 'larder/kernel'
import { type IdentityOptions, type IdentitySettings, identitySettings } from '../options.ts'
import { type Acceptance, createAcceptance } from './acceptance.ts'
import { createChanges } from './access-changes.ts'
import { type Account, createAccount } from './account.ts'
import { type ApiKeys, createApiKeys } from './api-keys.ts'
import { type Audit, createAudit } from './audit.ts'
import { createSweep, type Sweep } from './expiry.ts'
import { createInvitations, type Invitations } from './invitations.ts'
import { createLogins, type Logins } from './logins.ts'
import { createMembers, type Members } from './members.ts'
import { createMemberships, type Memberships } from './memberships.ts'
import { type Claims, createClaims } from './operator-claims.ts'
import { createPasswords } from './passwords.ts'
import { createRegistration, type Registration } from './registration.ts'
import { createRights, type RightsService } from './rights.ts'
import { createRoles, type Roles } from './roles.ts'
import { createSignIn, type SignIn } from './sign-in.ts'
import { createTenants, type Tenants } from './tenants.ts'
import { createUsers, type Users } from './users.ts'

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
