/** Records how fast addresses respond. */
import { SECOND } from '@larder-dev/larder/kernel'
import type { ResponseSpeed } from '../domain/host-scheduling.ts'

/** An address is slow after an attempt that takes longer, until a faster one. */
const SLOW_AFTER_MS = 5 * SECOND
const MAX_ADDRESSES = 10_000

export interface ResponseTimes {
  speedOf(address: string): ResponseSpeed
  /** Returns a function to call at the end of the attempt. */
  begin(address: string, onSlow: () => void): () => void
}

export function createResponseTimes(): ResponseTimes {
  const speeds = new Map<string, ResponseSpeed>()
  const record = (address: string, speed: ResponseSpeed) => {
    if (speeds.size >= MAX_ADDRESSES) speeds.clear()
    speeds.set(address, speed)
  }
  return {
    speedOf: address => speeds.get(address) ?? 'unknown',
    begin(address, onSlow) {
      let isSlow = false
      const timer = setTimeout(() => {
        isSlow = true
        record(address, 'slow')
        onSlow()
      }, SLOW_AFTER_MS)
      return () => {
        clearTimeout(timer)
        if (!isSlow) record(address, 'quick')
      }
    },
  }
}
