/** What a page says after a sign-in at a provider failed. `{0}` is the provider. */
import { problems } from '../problems.ts'

const FAILED = "We couldn't sign you in with {0}. Try again or use another method."

const { registration_closed, identity_taken, sso_required, sso_wrong_address, sso_other_person } = problems
const { sso_unsolicited, sso_expired, sso_certificate_expired, sso_secret_unreadable, disposable_address } = problems
/** Problems that say on a page what they say in the API. */
const SAME = [
  ...[registration_closed, identity_taken, sso_required, sso_wrong_address, sso_other_person],
  ...[sso_unsolicited, sso_expired, sso_certificate_expired, sso_secret_unreadable, disposable_address],
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

export const failureSentence = (code = ''): string => SENTENCES.get(code) ?? FAILED
