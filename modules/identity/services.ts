/** Private services of identity. */
import type { ServicesOf } from '@larder-dev/larder/kernel'
import { createSettings } from './options.ts'
import { createAccessChanges } from './services/access/access-changes.ts'
import { createAccessRevocation } from './services/access/access-revocation.ts'
import { createApiKeys } from './services/access/api-keys.ts'
import { createAuditLog } from './services/access/audit-log.ts'
import { createRights } from './services/access/rights.ts'
import { createRoles } from './services/access/roles.ts'
import { createAccount } from './services/account/account.ts'
import { createAccountData } from './services/account/account-data.ts'
import { createAccountMenu } from './services/account/account-menu.ts'
import { createEmailChanges } from './services/account/email-changes.ts'
import { createErasures } from './services/account/erasure.ts'
import { createPersonalDataReader } from './services/account/personal-data.ts'
import { createProfiles } from './services/account/profiles.ts'
import { createRegistration } from './services/account/registration.ts'
import { createUserMail } from './services/account/user-mail.ts'
import { createUsers } from './services/account/users.ts'
import { createDirectory } from './services/operators/directory.ts'
import { createImpersonationLog } from './services/operators/impersonation-log.ts'
import { createImpersonations } from './services/operators/impersonations.ts'
import { createOperatorClaims } from './services/operators/operator-claims.ts'
import { createSuspensions } from './services/operators/suspensions.ts'
import { createTenantRemoval } from './services/operators/tenant-removal.ts'
import { createUserSupport } from './services/operators/user-support.ts'
import { createProviderAccounts } from './services/providers/provider-accounts.ts'
import { createProviderMethods } from './services/providers/provider-methods.ts'
import { createAddressSignIn } from './services/sign-in/address-sign-in.ts'
import { createAppCodes } from './services/sign-in/app-codes.ts'
import { createBreachedPasswords } from './services/sign-in/breached-passwords.ts'
import { createSignInChallenges } from './services/sign-in/challenges.ts'
import { createEmailCodeMethod } from './services/sign-in/email-code-method.ts'
import { createEmailCodes } from './services/sign-in/email-codes.ts'
import { createExpiry } from './services/sign-in/expiry.ts'
import { createSignInIdentities } from './services/sign-in/identities.ts'
import { createKnownDevices } from './services/sign-in/known-devices.ts'
import { createLoginCookies } from './services/sign-in/login-cookies.ts'
import { createLogins } from './services/sign-in/logins.ts'
import { createPasskeyMethod } from './services/sign-in/passkey-method.ts'
import { createPasskeys } from './services/sign-in/passkeys.ts'
import { createPasswordMethod } from './services/sign-in/password-method.ts'
import { createPasswords } from './services/sign-in/passwords.ts'
import { createPendingLogins } from './services/sign-in/pending-logins.ts'
import { createProofCodes } from './services/sign-in/proof-codes.ts'
import { createReauthentication } from './services/sign-in/reauthentication.ts'
import { createSecondFactorSignIn } from './services/sign-in/second-factor-sign-in.ts'
import { createSecondFactors } from './services/sign-in/second-factors.ts'
import { createSignIn } from './services/sign-in/sign-in.ts'
import { createSignInCompletion } from './services/sign-in/sign-in-completion.ts'
import { createSignInFlows } from './services/sign-in/sign-in-flows.ts'
import { createSignInMethods } from './services/sign-in/sign-in-methods.ts'
import { createSignInReturns } from './services/sign-in/sign-in-returns.ts'
import { createTotp } from './services/sign-in/totp.ts'
import { createTrustedDevices } from './services/sign-in/trusted-devices.ts'
import { createSamlClient } from './services/sso/saml-client.ts'
import { createSamlProviders } from './services/sso/saml-provider.ts'
import { createSamlResponses } from './services/sso/saml-responses.ts'
import { createSsoAccounts } from './services/sso/sso-accounts.ts'
import { createSsoConnections } from './services/sso/sso-connections.ts'
import { createSsoDomains } from './services/sso/sso-domains.ts'
import { createSsoFetch } from './services/sso/sso-fetch.ts'
import { createSsoFindings } from './services/sso/sso-findings.ts'
import { createSsoMethod } from './services/sso/sso-method.ts'
import { createSsoRequirement } from './services/sso/sso-requirement.ts'
import { createTxtRecords } from './services/sso/txt-records.ts'
import { createAcceptance } from './services/workspace/acceptance.ts'
import { createChecklist } from './services/workspace/checklist.ts'
import { createInvitations } from './services/workspace/invitations.ts'
import { createLastWorkspace } from './services/workspace/last-workspace.ts'
import { createMembers } from './services/workspace/members.ts'
import { createMemberships } from './services/workspace/memberships.ts'
import { createTenants } from './services/workspace/tenants.ts'

export const services = {
  settings: createSettings,
  acceptance: createAcceptance,
  accessChanges: createAccessChanges,
  accessRevocation: createAccessRevocation,
  account: createAccount,
  accountData: createAccountData,
  accountMenu: createAccountMenu,
  addressSignIn: createAddressSignIn,
  apiKeys: createApiKeys,
  appCodes: createAppCodes,
  audit: createAuditLog,
  breachedPasswords: createBreachedPasswords,
  challenges: createSignInChallenges,
  checklist: createChecklist,
  claims: createOperatorClaims,
  cookies: createLoginCookies,
  deleteExpired: createExpiry,
  devices: createKnownDevices,
  directory: createDirectory,
  emailChanges: createEmailChanges,
  emailCodeMethod: createEmailCodeMethod,
  emailCodes: createEmailCodes,
  erasures: createErasures,
  flows: createSignInFlows,
  identities: createSignInIdentities,
  impersonationLog: createImpersonationLog,
  impersonations: createImpersonations,
  invitations: createInvitations,
  lastWorkspace: createLastWorkspace,
  logins: createLogins,
  members: createMembers,
  memberships: createMemberships,
  passkeyMethod: createPasskeyMethod,
  passkeys: createPasskeys,
  passwordMethod: createPasswordMethod,
  passwords: createPasswords,
  pendingLogins: createPendingLogins,
  personalData: createPersonalDataReader,
  profiles: createProfiles,
  reauthentication: createReauthentication,
  proofCodes: createProofCodes,
  providerAccounts: createProviderAccounts,
  providerMethods: createProviderMethods,
  registration: createRegistration,
  rights: createRights,
  roles: createRoles,
  samlClient: createSamlClient,
  samlProviders: createSamlProviders,
  samlResponses: createSamlResponses,
  secondFactors: createSecondFactors,
  secondFactorSignIn: createSecondFactorSignIn,
  signIn: createSignIn,
  signInCompletion: createSignInCompletion,
  signInMethods: createSignInMethods,
  signInReturns: createSignInReturns,
  suspensions: createSuspensions,
  tenantRemoval: createTenantRemoval,
  trustedDevices: createTrustedDevices,
  ssoAccounts: createSsoAccounts,
  ssoConnections: createSsoConnections,
  ssoDomains: createSsoDomains,
  ssoFetch: createSsoFetch,
  ssoFindings: createSsoFindings,
  ssoMethod: createSsoMethod,
  ssoRequirement: createSsoRequirement,
  tenants: createTenants,
  txtRecords: createTxtRecords,
  totp: createTotp,
  userMail: createUserMail,
  users: createUsers,
  userSupport: createUserSupport,
}
export type IdentityServices = ServicesOf<typeof services>
