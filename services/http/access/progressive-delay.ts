/** Delays of requests past a rate limit: one at a time per key, each after twice the delay of the previous one. Pure. */
import { SECOND } from '@larder-dev/larder/kernel'

const FIRST_DELAY_MS = 1 * SECOND
/** Longest time that a request is held: less than a stopping process waits for its requests. */
const MAX_WAIT_MS = 8 * SECOND

export type Turn =
  /** Milliseconds until the request is served. */
  | { readonly wait: number }
  /** Milliseconds until another request may reserve a turn. */
  | { readonly refused: number }

export interface ProgressiveDelay {
  /** Reserves the next turn of the key, or refuses the request. Times are milliseconds on one clock. */
  take(key: string, now: number): Turn
  /** Starts over with the first delay. */
  reset(key: string): void
}

interface Reserved {
  /** When the last reserved turn is served. */
  readonly at: number
  readonly nextDelay: number
}

/** @param maxDelay milliseconds between two turns @param window milliseconds after which an unused key is forgotten */
export function createProgressiveDelay(maxDelay: number, window: number): ProgressiveDelay {
  // In the order of their last turns, so that the first entries expire first.
  const keys = new Map<string, Reserved>()
  const forgetOld = (now: number) => {
    for (const [key, { at }] of keys) {
      if (at + window > now) return
      keys.delete(key)
    }
  }
  return {
    take(key, now) {
      forgetOld(now)
      const last = keys.get(key) ?? { at: now, nextDelay: Math.min(FIRST_DELAY_MS, maxDelay) }
      const at = Math.max(now, last.at + last.nextDelay)
      const free = Math.max(last.at, at - MAX_WAIT_MS)
      if (free > now) return { refused: free - now }
      keys.delete(key)
      keys.set(key, { at, nextDelay: Math.min(last.nextDelay * 2, maxDelay) })
      return { wait: at - now }
    },
    reset: key => void keys.delete(key),
  }
}
