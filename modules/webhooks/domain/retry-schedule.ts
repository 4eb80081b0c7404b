/** What becomes of a delivery after an attempt. Pure. */

import { DAY, HOUR, MINUTE, SECOND } from 'larder/kernel'

/** Before each attempt, in milliseconds; the first goes at once. */
const DELAYS = [0, 5 * SECOND, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 10 * HOUR]
export const MAX_ATTEMPTS = DELAYS.length
const JITTER = 0.2
/** A receiver may ask for patience, not for oblivion. */
const LONGEST_WISH = DAY

export interface Outcome {
  /** Null where no answer came. */
  readonly status: number | null
  /** Why no answer came, or why it does not count. */
  readonly error: string | null
  /** Nothing was sent: the address must not be reached. */
  readonly refused?: boolean
  /** Header of the answer. */
  readonly retryAfter?: string | undefined
}
export type Verdict =
  | { readonly status: 'delivered' }
  | { readonly status: 'dead'; readonly reason: 'gone' | 'refused' | 'exhausted' }
  | { readonly status: 'pending'; readonly delay: number }

/** @param failures attempts of this round that failed, this one included; `random` from 0 to 1 */
export function verdictOf(outcome: Outcome, failures: number, now: number, random = Math.random): Verdict {
  const { status, error, refused, retryAfter } = outcome
  if (error === null && status !== null && status >= 200 && status < 300) return { status: 'delivered' }
  if (refused) return { status: 'dead', reason: 'refused' }
  if (status === 410) return { status: 'dead', reason: 'gone' }
  const standard = DELAYS[failures]
  if (standard === undefined) return { status: 'dead', reason: 'exhausted' }
  const jittered = Math.round(standard * (1 - JITTER + 2 * JITTER * random()))
  const wish = status === 429 || status === 503 ? wishOf(retryAfter, now) : 0
  return { status: 'pending', delay: Math.max(jittered, wish) }
}

/** Retry-After (RFC 9110, 10.2.3) in milliseconds: seconds or a date; 0 for anything else. */
export function wishOf(retryAfter: string | undefined, now: number): number {
  if (retryAfter === undefined) return 0
  const text = retryAfter.trim()
  const wish = /^\d{1,9}$/.test(text) ? Number(text) * SECOND : Date.parse(text) - now
  return Number.isFinite(wish) ? Math.min(Math.max(wish, 0), LONGEST_WISH) : 0
}
