/** Where a sign-in at a provider leads when it failed, and what the page says. `{0}` is the provider. */
import { problems } from '../problems.ts'

const FAILED = "We couldn't sign you in with {0}. Try again or use another method."

const { registration_closed, identity_taken, sso_required, sso_wrong_address, sso_other_person } = problems
const { sso_unsolicited, sso_expired, sso_certificate_expired, sso_secret_unreadable, disposable_address } = problems
const { subject_too_long, invalid_subject, sso_wrong_callback, sso_other_tester } = problems
const { sso_invalid_address, sso_unverified_address, sso_former_address } = problems
/** Problems that say on a page what they say in the API. */
const SAME = [
  registration_closed,
  identity_taken,
  sso_required,
  sso_wrong_address,
  sso_other_person,
  sso_wrong_callback,
  sso_other_tester,
  sso_invalid_address,
  sso_unverified_address,
  invalid_subject,
  sso_former_address,
  sso_unsolicited,
  sso_expired,
  sso_certificate_expired,
  sso_secret_unreadable,
  disposable_address,
  subject_too_long,
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
