/** Why an entry from the public is taken for a machine's. Pure. */
import type { Reading } from './form-token.ts'

export interface Suspect {
  /** What its token says; undefined without one. */
  readonly shown: Reading | undefined
  /** What stands in the field that people do not see. */
  readonly hidden: unknown
  /** Milliseconds since 1970. */
  readonly now: number
}
export interface Rules {
  /** Milliseconds. */
  readonly minFill: number
  readonly requireToken: boolean
}
export type Suspicion = 'honeypot' | 'forged_token' | 'too_fast' | 'no_token'

export function suspicion({ shown, hidden, now }: Suspect, { minFill, requireToken }: Rules): Suspicion | null {
  if (hidden !== undefined && hidden !== null && hidden !== '') return 'honeypot'
  if (shown === 'forged') return 'forged_token'
  if (typeof shown === 'object') return now - shown.at < minFill ? 'too_fast' : null
  return requireToken ? 'no_token' : null
}
