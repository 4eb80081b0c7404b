/** Where a sign-in at a provider leads when it failed, and what the page says. `{0}` is the provider. */

import { accountProblems } from '../../users/problems.ts'
import { signInProblems } from '../problems.ts'
import { providerProblems } from '../providers/problems.ts'
import { ssoProblems } from '../sso/problems.ts'

const FAILED = "We couldn't sign you in with {0}. Try again or use another method."

/** Problems that say on a page what they say in the API. */
const SAME = [
  accountProblems.registration_closed,
  signInProblems.identity_taken,
  ssoProblems.sso_required,
  ssoProblems.sso_wrong_address,
  ssoProblems.sso_other_person,
  ssoProblems.sso_wrong_callback,
  ssoProblems.sso_other_tester,
  ssoProblems.sso_invalid_address,
  ssoProblems.sso_unverified_address,
  providerProblems.invalid_subject,
  ssoProblems.sso_former_address,
  ssoProblems.sso_unsolicited,
  ssoProblems.sso_expired,
  ssoProblems.sso_certificate_expired,
  ssoProblems.sso_secret_unreadable,
  accountProblems.disposable_address,
  providerProblems.subject_too_long,
]

const SENTENCES: ReadonlyMap<string, string> = new Map([
  ...SAME.map(({ code, sentence }) => [code, sentence] as const),
  ['provider_unavailable', "{0} isn't available at the moment. Try again later or use another method."],
  ['invalid_credentials', FAILED],
  ['sso_off', 'Single sign-on is turned off for this address. Use another method.'],
  ['entitlement_exceeded', 'Your workspace has no free seat. Ask an owner of it.'],
])

/** Whether a page has a sentence for this problem. */
export const isFailure = (code: string): boolean => SENTENCES.has(code)

/** @param next the path on this site where the person wanted to go */
export const failurePath = (method: string, next: string, reason?: string): string =>
  `/sign-in?${new URLSearchParams({ failed: method, ...(reason !== undefined && { reason }), next })}`

export const failureSentence = (code = ''): string => SENTENCES.get(code) ?? FAILED
