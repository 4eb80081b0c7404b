import type { LarderError } from './errors.ts'

/** A request that failed is not repeated if the server asks to wait longer. */
const MAX_RETRY_DELAY_MS = 30_000
const FIRST_DELAY_MS = 250

/** @internal */
export interface Repeatable {
  /** True if a second request has the effect of one. */
  readonly isRepeatable: boolean
}

/**
 * The delay before the next attempt, in milliseconds. Undefined if the request must not be repeated: 429 was refused
 * before any effect, everything else is repeated only where that is safe.
 * @internal
 */
export function retryDelay(
  { code, status, retryAfterMs }: LarderError,
  { isRepeatable }: Repeatable,
  attempt: number,
): number | undefined {
  const isTransient =
    status === 429 ||
    (isRepeatable &&
      (status === 502 || status === 503 || status === 504 || code === 'network_error' || code === 'timeout')) ||
    code === 'idempotency_in_progress'
  const delay = retryAfterMs ?? FIRST_DELAY_MS * 2 ** attempt * (0.5 + Math.random() / 2)
  return isTransient && delay <= MAX_RETRY_DELAY_MS ? delay : undefined
}

/** Rejects with the reason of `signal` when it aborts. @internal */
export function delay(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((done, fail) => {
    const abort = () => {
      clearTimeout(timer)
      fail(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort)
      done()
    }, ms)
    if (signal?.aborted) abort()
    else signal?.addEventListener('abort', abort, { once: true })
  })
}
