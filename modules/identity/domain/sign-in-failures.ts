/** What a page says after a sign-in at a provider failed. `{0}` is the provider. */
const FAILED = "We couldn't sign you in with {0}. Try again or use another method."

const SENTENCES: Readonly<Record<string, string>> = {
  provider_unavailable: "{0} isn't available at the moment. Try again later or use another method.",
  registration_closed: 'Sign-up is by invitation only. Ask for an invitation.',
  identity_taken: 'Another account already uses this way to sign in. Remove it there first.',
  invalid_credentials: FAILED,
}

/** Whether a page has a sentence for this problem. */
export const isFailure = (code: string): boolean => Object.hasOwn(SENTENCES, code)

export const failureSentence = (code = ''): string => (isFailure(code) && SENTENCES[code]) || FAILED
