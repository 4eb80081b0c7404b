/** Private services of identity. */
import type { ServicesOf } from '@larder-dev/larder/kernel'
import { createAccessRevocation } from './accounts/access-revocation.ts'
import { createAccount } from './accounts/account.ts'
import { createAccountData } from './accounts/account-data.ts'
import { createAccountMenu } from './accounts/account-menu.ts'
import { createEmailChanges } from './accounts/email-changes.ts'
import { createErasures } from './accounts/erasure.ts'
import { createPersonalDataReader } from './accounts/personal-data.ts'
import { createProfiles } from './accounts/profiles.ts'
import { createRegistration } from './accounts/registration.ts'
import { createUserMail } from './accounts/user-mail.ts'
import { createUsers } from './accounts/users.ts'
import { createDirectory } from './operators/directory.ts'
import { createImpersonationLog } from './operators/impersonation-log.ts'
import { createImpersonations } from './operators/impersonations.ts'
import { createOperatorClaims } from './operators/operator-claims.ts'
import { createSuspensions } from './operators/suspensions.ts'
import { createTenantRemoval } from './operators/tenant-removal.ts'
import { createUserSupport } from './operators/user-support.ts'
import { createSettings } from './options.ts'
import { createAppCodes } from './sign-in/app-codes.ts'
import { createAddressSignIn } from './sign-in/codes/address-sign-in.ts'
import { createEmailCodeMethod } from './sign-in/codes/email-code-method.ts'
import { createEmailCodes } from './sign-in/codes/email-codes.ts'
import { createProofCodes } from './sign-in/codes/proof-codes.ts'
import { createExpiry } from './sign-in/expiry.ts'
import { createSignInIdentities } from './sign-in/identities.ts'
import { createKnownDevices } from './sign-in/known-devices.ts'
import { createLoginCookies } from './sign-in/login-cookies.ts'
import { createLogins } from './sign-in/logins.ts'
import { createPasskeyMethod } from './sign-in/passkeys/passkey-method.ts'
import { createPasskeys } from './sign-in/passkeys/passkeys.ts'
import { createBreachedPasswords } from './sign-in/password/breached-passwords.ts'
import { createSignInChallenges } from './sign-in/password/challenges.ts'
import { createPasswordMethod } from './sign-in/password/password-method.ts'
import { createPasswords } from './sign-in/password/passwords.ts'
import { createProviderAccounts } from './sign-in/providers/provider-accounts.ts'
import { createProviderMethods } from './sign-in/providers/provider-methods.ts'
import { createReauthentication } from './sign-in/reauthentication.ts'
import { createPendingLogins } from './sign-in/second-factor/pending-logins.ts'
import { createSecondFactorSignIn } from './sign-in/second-factor/second-factor-sign-in.ts'
import { createSecondFactors } from './sign-in/second-factor/second-factors.ts'
import { createTotp } from './sign-in/second-factor/totp.ts'
import { createTrustedDevices } from './sign-in/second-factor/trusted-devices.ts'
import { createSignIn } from './sign-in/sign-in.ts'
import { createSignInCompletion } from './sign-in/sign-in-completion.ts'
import { createSignInFlows } from './sign-in/sign-in-flows.ts'
import { createSignInMethods } from './sign-in/sign-in-methods.ts'
import { createSignInReturns } from './sign-in/sign-in-returns.ts'
import { createSamlClient } from './sign-in/sso/saml-client.ts'
import { createSamlProviders } from './sign-in/sso/saml-provider.ts'
import { createSamlResponses } from './sign-in/sso/saml-responses.ts'
import { createSsoAccounts } from './sign-in/sso/sso-accounts.ts'
import { createSsoConnections } from './sign-in/sso/sso-connections.ts'
import { createSsoDomains } from './sign-in/sso/sso-domains.ts'
import { createSsoFetch } from './sign-in/sso/sso-fetch.ts'
import { createSsoFindings } from './sign-in/sso/sso-findings.ts'
import { createSsoMethod } from './sign-in/sso/sso-method.ts'
import { createSsoRequirement } from './sign-in/sso/sso-requirement.ts'
import { createTxtRecords } from './sign-in/sso/txt-records.ts'
import { createAuditLog } from './workspaces/audit/audit-log.ts'
import { createChecklist } from './workspaces/checklist.ts'
import { createApiKeys } from './workspaces/keys/api-keys.ts'
import { createLastWorkspace } from './workspaces/last-workspace.ts'
import { createAcceptance } from './workspaces/members/acceptance.ts'
import { createInvitations } from './workspaces/members/invitations.ts'
import { createMembers } from './workspaces/members/members.ts'
import { createMemberships } from './workspaces/members/memberships.ts'
import { createAccessChanges } from './workspaces/roles/access-changes.ts'
import { createRights } from './workspaces/roles/rights.ts'
import { createRoles } from './workspaces/roles/roles.ts'
import { createTenants } from './workspaces/tenants.ts'

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
