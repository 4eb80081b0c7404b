/** What a page says after a sign-in at a provider failed. `{0}` is the provider. */
const FAILED = "We couldn't sign you in with {0}. Try again or use another method."

const SENTENCES: Readonly<Record<string, string>> = {
  provider_unavailable: "{0} isn't available at the moment. Try again later or use another method.",
  registration_closed: 'Sign-up is by invitation only. Ask for an invitation.',
  identity_taken: 'Another account already uses this way to sign in. Remove it there first.',
  invalid_credentials: FAILED,
  sso_off: 'Single sign-on is turned off for this address. Use another method.',
  sso_required: 'Your workspace requires single sign-on. Enter your email address and continue with it.',
  sso_wrong_address: "Your provider returned an address outside of your workspace's domains. Ask your administrator.",
  sso_other_person:
    'Your provider identifies you as another person than before. Ask an owner of your workspace to remove you as a member and try again.',
  entitlement_exceeded: 'Your workspace has no free seat. Ask an owner of it.',
}

/** Whether a page has a sentence for this problem. */
export const isFailure = (code: string): boolean => Object.hasOwn(SENTENCES, code)

export const failureSentence = (code = ''): string => (isFailure(code) && SENTENCES[code]) || FAILED
