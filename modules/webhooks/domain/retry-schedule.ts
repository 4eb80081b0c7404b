/** Decides the status of a delivery after an attempt, and the time of the next attempt. Pure. */
import { DAY, HOUR, MINUTE, SECOND } from '@larder-dev/larder/kernel'
import type { DeadReason } from './delivery.ts'

/** Delay before each attempt in milliseconds. The first attempt is immediate. */
const DELAYS_MS = [0, 5 * SECOND, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 10 * HOUR]
export const MAX_ATTEMPTS = DELAYS_MS.length
const JITTER = 0.2
/** Upper bound of Retry-After. */
const MAX_RETRY_AFTER_MS = DAY

export interface AttemptOutcome {
  /** Null without a response. */
  readonly status: number | null
  /** Why there was no response. */
  readonly error: string | null
  /** The address is not allowed; nothing was sent. */
  readonly refused?: boolean
  /** Response header. */
  readonly retryAfter?: string | undefined
}
export type AttemptResult =
  | { readonly status: 'delivered' }
  | { readonly status: 'dead'; readonly reason: DeadReason }
  | { readonly status: 'pending'; readonly delay: number }

/** `failures`: failed attempts of this round, including this one. `random` returns 0 to 1. */
export function evaluateAttempt(
  outcome: AttemptOutcome,
  failures: number,
  now: number,
  random = Math.random,
): AttemptResult {
  const { status, error, refused, retryAfter } = outcome
  if (error === null && status !== null && status >= 200 && status < 300) return { status: 'delivered' }
  if (refused) return { status: 'dead', reason: 'refused' }
  if (status === 410) return { status: 'dead', reason: 'gone' }
  const delay = DELAYS_MS[failures]
  if (delay === undefined) return { status: 'dead', reason: 'exhausted' }
  const jittered = Math.round(delay * (1 - JITTER + 2 * JITTER * random()))
  const requested = status === 429 || status === 503 ? parseRetryAfter(retryAfter, now) : 0
  return { status: 'pending', delay: Math.max(jittered, requested) }
}

/** Retry-After (RFC 9110, 10.2.3) in milliseconds: seconds or a date; 0 for anything else. */
export function parseRetryAfter(retryAfter: string | undefined, now: number): number {
  if (retryAfter === undefined) return 0
  const text = retryAfter.trim()
  const milliseconds = /^\d{1,9}$/.test(text) ? Number(text) * SECOND : Date.parse(text) - now
  return Number.isFinite(milliseconds) ? Math.min(Math.max(milliseconds, 0), MAX_RETRY_AFTER_MS) : 0
}
