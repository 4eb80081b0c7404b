/** Decides whether a public submission is spam. Pure. */
import type { TokenResult } from './form-token.ts'

export interface SpamCheckInput {
  /** Undefined without a token. */
  readonly token: TokenResult | undefined
  /** Value of the field that people don't see. */
  readonly honeypot: unknown
  /** Milliseconds since 1970. */
  readonly now: number
}
export interface SpamRules {
  readonly minFillMs: number
  readonly requireToken: boolean
}
export type SpamReason = 'honeypot' | 'forged_token' | 'too_fast' | 'no_token'

export function checkSpam(
  { token, honeypot, now }: SpamCheckInput,
  { minFillMs, requireToken }: SpamRules,
): SpamReason | null {
  if (honeypot !== undefined && honeypot !== null && honeypot !== '') return 'honeypot'
  if (token === 'forged') return 'forged_token'
  if (typeof token === 'object') return now - token.shownAt < minFillMs ? 'too_fast' : null
  return requireToken ? 'no_token' : null
}
