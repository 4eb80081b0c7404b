/** Failures of providers: responses that are refused, and providers that don't work. */
import type { Deps, Problem } from '@larder-dev/larder/kernel'
import { providerProblems } from './problems.ts'

/** Codes of `openid-client` for a response that isn't the one to this sign-in. */
const REFUSED = new Set([
  'OAUTH_INVALID_RESPONSE',
  'OAUTH_JWT_CLAIM_COMPARISON_FAILED',
  'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED',
  'OAUTH_KEY_SELECTION_FAILED',
])
/** Errors of OAuth about the person or the code, not about the client. */
const ABOUT_THE_SIGN_IN = new Set(['invalid_grant', 'bad_verification_code', 'login_required', 'consent_required'])

/** False if the provider is down or its configuration is wrong. */
export function isRefusal(failure: unknown): boolean {
  const { code, error } = failure as { readonly code?: unknown; readonly error?: unknown }
  if (typeof error === 'string') return ABOUT_THE_SIGN_IN.has(error)
  return typeof code === 'string' && REFUSED.has(code)
}

/** One line for an operator: the error of the provider, and its causes. */
export function describeFailure(failure: unknown): string {
  const { error, error_description: description, code } = failure as Readonly<Record<string, unknown>>
  if (typeof error === 'string') return typeof description === 'string' ? `${error}: ${description}` : error
  const cause = failure instanceof Error ? failure.cause : undefined
  const text = failure instanceof Error ? failure.message : String(failure)
  const details = [
    text,
    typeof code === 'string' ? code : undefined,
    cause instanceof Error ? cause.message : undefined,
  ]
  return details.filter(detail => detail !== undefined && detail !== '').join(', ')
}

/** What the person learns. The log has the reason: errors of the library contain tokens, so it has nothing else of them. */
export function unavailable(
  log: Deps<'log'>['log'],
  facts: { readonly method: string; readonly tenantId?: string },
  label: string,
  failure: unknown,
): Problem {
  log.warn({ ...facts, reason: describeFailure(failure) }, 'a sign-in provider is unavailable')
  return providerProblems.provider_unavailable({ provider: label })
}
