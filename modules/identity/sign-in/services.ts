import type { ServicesOf } from '@larder-dev/larder/kernel'
import type { WorkspaceServices } from '../workspaces/services.ts'
import { createAcceptance } from './acceptance.ts'
import { createAccessRevocation } from './access-revocation.ts'
import { createAddressProofs } from './address-proofs.ts'
import { createAppCodes } from './app-codes.ts'
import { createAddressSignIn } from './codes/address-sign-in.ts'
import { createEmailCodeMethod } from './codes/email-code-method.ts'
import { createEmailCodes } from './codes/email-codes.ts'
import { createProofCodes } from './codes/proof-codes.ts'
import { createExpiry } from './expiry.ts'
import { createSignInIdentities } from './identities.ts'
import { createImpersonations } from './impersonation/impersonations.ts'
import { createImpersonationLog } from './impersonation-log.ts'
import { createKnownDevices } from './known-devices.ts'
import { createLogins } from './logins.ts'
import { createPasskeyMethod } from './passkeys/passkey-method.ts'
import { createPasskeys } from './passkeys/passkeys.ts'
import { createBreachedPasswords } from './password/breached-passwords.ts'
import { createSignInChallenges } from './password/challenges.ts'
import { createPasswordMethod } from './password/password-method.ts'
import { createPasswords } from './password/passwords.ts'
import { createPasswordChanges } from './password-changes.ts'
import { createProviderAccounts } from './providers/provider-accounts.ts'
import { createProviderMethods } from './providers/provider-methods.ts'
import { createReauthentication } from './reauthentication.ts'
import { createRegistration } from './registration.ts'
import { createMemberFactors } from './second-factor/member-factors.ts'
import { createPendingLogins } from './second-factor/pending-logins.ts'
import { createSecondFactorSignIn } from './second-factor/second-factor-sign-in.ts'
import { createSecondFactors } from './second-factor/second-factors.ts'
import { createTotp } from './second-factor/totp.ts'
import { createTrustedDevices } from './second-factor/trusted-devices.ts'
import { createSignIn } from './sign-in.ts'
import { createSignInCompletion } from './sign-in-completion.ts'
import { createSignInFlows } from './sign-in-flows.ts'
import { createSignInMethods } from './sign-in-methods.ts'
import { createSignInReturns } from './sign-in-returns.ts'
import { createSamlClient } from './sso/saml-client.ts'
import { createSamlProviders } from './sso/saml-provider.ts'
import { createSamlResponses } from './sso/saml-responses.ts'
import { createSsoAccounts } from './sso/sso-accounts.ts'
import { createSsoConnections } from './sso/sso-connections.ts'
import { createSsoDomains } from './sso/sso-domains.ts'
import { createSsoFetch } from './sso/sso-fetch.ts'
import { createSsoFindings } from './sso/sso-findings.ts'
import { createSsoMethod } from './sso/sso-method.ts'
import { createSsoRequirement } from './sso/sso-requirement.ts'
import { createTxtRecords } from './sso/txt-records.ts'

export const signInServices = {
  acceptance: createAcceptance,
  accessRevocation: createAccessRevocation,
  addressProofs: createAddressProofs,
  addressSignIn: createAddressSignIn,
  appCodes: createAppCodes,
  breachedPasswords: createBreachedPasswords,
  challenges: createSignInChallenges,
  deleteExpired: createExpiry,
  devices: createKnownDevices,
  emailCodeMethod: createEmailCodeMethod,
  emailCodes: createEmailCodes,
  flows: createSignInFlows,
  identities: createSignInIdentities,
  impersonationLog: createImpersonationLog,
  impersonations: createImpersonations,
  logins: createLogins,
  memberFactors: createMemberFactors,
  passkeyMethod: createPasskeyMethod,
  passkeys: createPasskeys,
  passwordChanges: createPasswordChanges,
  passwordMethod: createPasswordMethod,
  passwords: createPasswords,
  pendingLogins: createPendingLogins,
  proofCodes: createProofCodes,
  providerAccounts: createProviderAccounts,
  providerMethods: createProviderMethods,
  reauthentication: createReauthentication,
  registration: createRegistration,
  samlClient: createSamlClient,
  samlProviders: createSamlProviders,
  samlResponses: createSamlResponses,
  secondFactorSignIn: createSecondFactorSignIn,
  secondFactors: createSecondFactors,
  signIn: createSignIn,
  signInCompletion: createSignInCompletion,
  signInMethods: createSignInMethods,
  signInReturns: createSignInReturns,
  ssoAccounts: createSsoAccounts,
  ssoConnections: createSsoConnections,
  ssoDomains: createSsoDomains,
  ssoFetch: createSsoFetch,
  ssoFindings: createSsoFindings,
  ssoMethod: createSsoMethod,
  ssoRequirement: createSsoRequirement,
  totp: createTotp,
  trustedDevices: createTrustedDevices,
  txtRecords: createTxtRecords,
}
/** Those of this feature and of the features below it. */
export type SignInServices = ServicesOf<typeof signInServices> & WorkspaceServices
