import type { Deps } from '@larder-dev/larder/kernel'
import { type IdentityOptions, type IdentitySettings, identitySettings } from '../options.ts'
import type { SignInMethod } from '../ports.ts'
import { createAccessChanges } from './access/access-changes.ts'
import { createAccessRevocation } from './access/access-revocation.ts'
import { type ApiKeys, createApiKeys } from './access/api-keys.ts'
import { type AuditRecorder, createAuditLog } from './access/audit-log.ts'
import { createRights, type RightsService } from './access/rights.ts'
import { createRoles, type Roles } from './access/roles.ts'
import { type Account, createAccount } from './account/account.ts'
import { type AccountData, createAccountData } from './account/account-data.ts'
import { type AccountMenu, createAccountMenu } from './account/account-menu.ts'
import { createEmailChanges, type EmailChanges } from './account/email-changes.ts'
import { createErasures, type Erasures } from './account/erasure.ts'
import { createPersonalDataReader } from './account/personal-data.ts'
import { createRegistration, type Registration } from './account/registration.ts'
import { createUsers, type Users } from './account/users.ts'
import { createDirectory, type Directory } from './operators/directory.ts'
import { createImpersonationLog } from './operators/impersonation-log.ts'
import { createImpersonations, type Impersonations } from './operators/impersonations.ts'
import { createOperatorClaims, type OperatorClaims } from './operators/operator-claims.ts'
import { createUserSupport, type UserSupport } from './operators/user-support.ts'
import { createExpiry, type DeleteExpired } from './sign-in/expiry.ts'
import { createKnownDevices, type KnownDevices } from './sign-in/known-devices.ts'
import { createLogins, type Logins } from './sign-in/logins.ts'
import { createPasswordMethod } from './sign-in/password-method.ts'
import { createPasswords } from './sign-in/passwords.ts'
import { createSignIn, type SignIn } from './sign-in/sign-in.ts'
import { createSignInMethods, type SignInMethods } from './sign-in/sign-in-methods.ts'
import { type Acceptance, createAcceptance } from './workspace/acceptance.ts'
import { type Checklist, createChecklist } from './workspace/checklist.ts'
import { createInvitations, type Invitations } from './workspace/invitations.ts'
import { createMembers, type Members } from './workspace/members.ts'
import { createMemberships, type Memberships } from './workspace/memberships.ts'
import { createTenants, type Tenants } from './workspace/tenants.ts'

/** The services of identity, for its own routes, pages, listeners and jobs. Other modules use the ports in ports.ts. */
export interface Identity {
  readonly settings: IdentitySettings
  readonly acceptance: Acceptance
  readonly account: Account
  readonly accountData: AccountData
  readonly accountMenu: AccountMenu
  readonly apiKeys: ApiKeys
  readonly audit: AuditRecorder
  readonly checklist: Checklist
  readonly claims: OperatorClaims
  readonly devices: KnownDevices
  readonly deleteExpired: DeleteExpired
  readonly directory: Directory
  readonly emailChanges: EmailChanges
  readonly erasures: Erasures
  readonly impersonations: Impersonations
  readonly invitations: Invitations
  readonly logins: Logins
  readonly members: Members
  readonly memberships: Memberships
  readonly passwordMethod: SignInMethod
  readonly registration: Registration
  readonly rights: RightsService
  readonly roles: Roles
  readonly signIn: SignIn
  readonly signInMethods: SignInMethods
  readonly tenants: Tenants
  readonly users: Users
  readonly userSupport: UserSupport
}

declare module '@larder-dev/larder/kernel' {
  interface Ports {
    /** Internal to the module identity. */
    identity: Identity
  }
}

type IdentityDeps = Deps<
  | 'database'
  | 'systemDatabase'
  | 'events'
  | 'jobs'
  | 'secrets'
  | 'bus'
  | 'caches'
  | 'product'
  | 'operator'
  | 'access'
  | 'clock'
  | 'registry'
  | 'models'
  | 'eventErasure',
  'entitlements'
>

export function createIdentity(deps: IdentityDeps, options: IdentityOptions): Identity {
  const settings = identitySettings(options)
  const audit = createAuditLog(deps)
  const accessChanges = createAccessChanges(deps)
  const rights = createRights(deps)
  const passwords = createPasswords(settings)
  const users = createUsers(deps)
  const impersonationLog = createImpersonationLog(deps, { audit })
  const logins = createLogins(deps, { audit, impersonationLog, accessChanges, settings })
  const accessRevocation = createAccessRevocation(deps, { audit, accessChanges, logins })
  const memberships = createMemberships(deps, { audit })
  const tenants = createTenants(deps, { audit, accessChanges, memberships })
  const roles = createRoles(deps, { audit, accessChanges, rights })
  const apiKeys = createApiKeys(deps, { audit, accessChanges, roles })
  const signInMethods = createSignInMethods(deps)
  const acceptance = createAcceptance(deps, { audit, memberships })
  const erasures = createErasures(deps)
  const account = createAccount(deps, { accessRevocation, audit, logins, passwords })
  return {
    settings,
    acceptance,
    account,
    accountData: createAccountData(deps, {
      ...{ accessChanges, accessRevocation, audit, memberships, passwords, tenants, users, erasures },
      personalData: createPersonalDataReader(deps, { rights }),
    }),
    accountMenu: createAccountMenu(deps, { rights }),
    apiKeys,
    audit,
    checklist: createChecklist(deps),
    claims: createOperatorClaims(deps, { audit, memberships }),
    deleteExpired: createExpiry(deps, { impersonationLog }),
    directory: createDirectory(deps, { memberships }),
    devices: createKnownDevices(deps),
    emailChanges: createEmailChanges(deps, { audit, passwords }),
    erasures,
    impersonations: createImpersonations(deps, { accessChanges, log: impersonationLog, rights, settings }),
    invitations: createInvitations(deps, { audit, rights, settings }),
    logins,
    members: createMembers(deps, { audit, accessChanges, rights, settings }),
    memberships,
    passwordMethod: createPasswordMethod(deps, passwords),
    registration: createRegistration(deps, { settings, passwords, users, logins, tenants, apiKeys, acceptance }),
    rights,
    roles,
    signIn: createSignIn(deps, signInMethods),
    signInMethods,
    tenants,
    users,
    userSupport: createUserSupport(deps, { account, audit, logins }),
  }
}
