/** Remembers how addresses answer. */
import { SECOND } from 'larder/kernel'
import type { Pace } from '../domain/host-scheduling.ts'

/** An attempt that takes longer makes its address slow, until one is quick again. */
const SLOW = 5 * SECOND
const MOST_REMEMBERED = 10_000

export interface Paces {
  of(address: string): Pace
  /** Call what it returns when the attempt is over. */
  begin(address: string, onSlow: () => void): () => void
}

export function createPaces(): Paces {
  const known = new Map<string, Pace>()
  const note = (address: string, pace: Pace) => {
    if (known.size >= MOST_REMEMBERED) known.clear()
    known.set(address, pace)
  }
  return {
    of: address => known.get(address) ?? 'unknown',
    begin(address, onSlow) {
      let isSlow = false
      const timer = setTimeout(() => {
        isSlow = true
        note(address, 'slow')
        onSlow()
      }, SLOW)
      return () => {
        clearTimeout(timer)
        if (!isSlow) note(address, 'quick')
      }
    },
  }
}
