import { defineProblems } from '@larder-dev/larder/kernel'

export const ssoProblems = defineProblems({
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
  sso_secret_unreadable: [
    503,
    "The client secret of your workspace's single sign-on can't be read any more. Ask an owner to enter it again at `/workspace/sso`.",
  ],
})
