import { common, defineProblems, type Problem, Type } from '@larder-dev/larder/kernel'
import { SignInChallenge } from './records/challenge.ts'
import { PendingFields } from './records/second-factor.ts'

export const problems = defineProblems({
  invalid_credentials: [401, 'Incorrect email or password.', { challenge: Type.Optional(SignInChallenge) }],
  incorrect_password: [401, 'The password is incorrect. Try again.'],
  invalid_code: [401, 'This code is wrong, used or expired. Check it or request a new one.'],
  sign_in_expired: [401, 'This sign-in has expired or is finished. Sign in again.'],
  invalid_passkey: [401, "This passkey doesn't belong to an account here, or the request has expired. Try again."],
  disposable_address: [422, "Disposable addresses can't be used here. Enter one that you keep."],
  registration_closed: [403, 'Sign-up is by invitation only. Ask for an invitation.'],
  wrong_password: [403, 'The current password is incorrect. Try again or reset your password.'],
  challenge_required: [
    403,
    'Several sign-ins failed. Solve the challenge, and send its solution with the next attempt.',
    { challenge: SignInChallenge },
  ],
  second_factor_required: [
    403,
    'This account needs a second factor. Finish the sign-in within 10 minutes: send `pending` to `POST /v1/auth/second-factor` with a code or, if `enroll` is true, to `POST /v1/auth/second-factor/enrollment`.',
    PendingFields,
  ],
  invalid_proof_code: [403, 'This code is wrong, used or expired. Check it or request a new one.'],
  invalid_second_factor: [403, 'This code is wrong or was used before. Enter another one.'],
  impersonation_off: [403, 'Impersonation is turned off in this installation.'],
  operator_account: [403, "You can't act as yourself or as another operator."],
  not_exported: [403, 'Only the person can export their data.'],
  not_owner: [403, 'Only an owner of the workspace can do this.'],
  subject_too_long: [
    403,
    'The identifier (NameID or subject) that the provider returned is longer than 1,024 bytes. Ask the people who run the provider for a shorter one.',
  ],
  invalid_subject: [
    403,
    'The identifier (NameID or subject) that the provider returned is empty or contains control characters. Ask the people who run the provider.',
  ],
  sso_invalid_address: [403, 'The provider returned no valid email address. Ask your administrator.'],
  sso_unverified_address: [
    403,
    "The provider says that your email address there isn't confirmed. Confirm it there, or ask your administrator.",
  ],
  sso_other_account: [
    403,
    'This account has another address than your provider returned. Sign in to the account with that address.',
  ],
  sso_required: [403, 'Your workspace requires single sign-on. Sign in with it.'],
  sso_wrong_address: [
    403,
    "The provider returned an address outside of the workspace's verified domains. Ask your administrator.",
  ],
  sso_wrong_callback: [
    403,
    "Your organization's provider returned to the address of another workspace. Ask your administrator to enter the redirect URI of /workspace/sso there.",
  ],
  sso_other_tester: [
    403,
    'Only the person who started this test can complete it. Sign in as that person, then test again.',
  ],
  sso_unsolicited: [
    403,
    'Sign-ins that start at the provider are not accepted. Start here: enter your address and choose single sign-on.',
  ],
  sso_expired: [403, 'This sign-in took too long, or its response was used before. Start again.'],
  sso_certificate_expired: [
    403,
    "The certificate of your organization's provider has expired. Ask your administrator to enter the new one.",
  ],
  sso_former_address: [
    403,
    'A member of your workspace had this address before. Ask an owner to remove that member, then sign in again.',
  ],
  sso_other_person: [
    403,
    'The provider identifies you as a different person than before. Ask an owner to remove you as a member, then try again.',
  ],
  email_mismatch: [403, 'This invitation was sent to another email address. Sign in with that address.'],
  invalid_claim: [
    403,
    'This claim code is invalid, already used or older than one hour. Restart the installation to get a new one.',
  ],
  email_taken: [409, 'An account with this email already exists. Sign in or reset your password.'],
  last_sign_in_method: [409, "You can't remove your only way to sign in. Add another one first."],
  identity_taken: [409, 'Another account already uses this way to sign in. Remove it there first.'],
  second_factor_mandatory: [409, 'Your role requires a second factor. Add a passkey before you remove the app.'],
  member_elsewhere: [
    409,
    "This person also belongs to workspaces that you don't own. Ask the operator to remove their second factor.",
  ],
  too_many_passkeys: [409, 'An account has at most {limit} passkeys. Remove one first.'],
  provider_unavailable: [503, "{provider} isn't available at the moment. Try again later or use another method."],
  sso_off: [409, 'Single sign-on is turned off. Turn it on first.'],
  sso_not_tested: [409, 'Test single sign-on successfully before you turn it on.'],
  sso_without_domain: [409, 'Verify a domain before you turn single sign-on on.'],
  sso_domain_taken: [409, 'Another workspace has verified this domain. Remove it there first.'],
  sso_domain_exists: [409, 'The workspace already has this domain.'],
  too_many_sso_domains: [409, 'A workspace has at most {limit} domains. Remove one first.'],
  sso_record_missing: [
    409,
    'The TXT record of {domain} was not found. Add it, and try again: new records can take up to a day to spread.',
  ],
  sso_dns_unavailable: [503, 'The name servers of {domain} did not answer. Try again later.'],
  sso_metadata_unavailable: [422, 'The metadata could not be read at this address: {reason}.'],
  second_factor_unreadable: [
    503,
    "The codes of your authenticator app can't be checked at the moment. Use a recovery code or a passkey, or ask the operator of this site.",
  ],
  sso_secret_unreadable: [
    503,
    "The client secret of your workspace's single sign-on can't be read any more. Ask an owner to enter it again at `/workspace/sso`.",
  ],
  slug_taken: [409, 'Another workspace uses this slug. Choose another one.'],
  operator_tenant: [409, "The operator's workspace can't be deleted or suspended."],
  already_member: [409, 'This person is already a member. Change their roles instead.'],
  last_owner: [409, 'A workspace needs at least one owner. Make another member an owner first.'],
  too_many_roles: [409, 'A workspace has at most {limit} roles of its own. Delete one first.'],
  role_exists: [409, 'A role with this key already exists. Choose another key.'],
  role_built_in: [409, "Built-in roles can't be changed or deleted. Create a custom role instead."],
  role_in_use: [409, 'Members or pending invitations have this role. Assign them another role first.'],
  invitation_closed: [409, "This invitation is {status} and can't be changed. Send a new invitation."],
  invitation_expired: [
    410,
    'This invitation has expired or was replaced. Open the most recent email or ask for a new invitation.',
  ],
  invitation_revoked: [410, 'This invitation was revoked. Ask for a new one.'],
  invitation_used: [410, 'This invitation has already been accepted. Ask for a new one.'],
  link_expired: [410, 'This link is invalid or has expired. Request a new one.'],
  invalid_enrollment: [410, 'This setup has expired, or the account has a second factor by now. Start again.'],
  too_many_codes: [429, 'Too many wrong codes. Try again in {minutes} minutes, or use a recovery code or a passkey.'],
})

/** 403 that names the permission the caller needs. */
export const missingPermission = (permission: string): Problem =>
  common.forbidden({ permission }, { requiredPermission: permission })
