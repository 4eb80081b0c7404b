/** A bucket of tokens: so many a second, and a burst. Pure; the caller brings the time. */
import { SECOND } from '../../../kernel/units.ts'

export interface Bucket {
  tokens: number
  /** Milliseconds since 1970 of the last filling. */
  at: number
}

export const RATE = 10
export const BURST = 50

export const newBucket = (now: number): Bucket => ({ tokens: BURST, at: now })

/** Takes one; false where none is left. */
export function take(bucket: Bucket, now: number): boolean {
  bucket.tokens = Math.min(BURST, bucket.tokens + (Math.max(0, now - bucket.at) * RATE) / SECOND)
  bucket.at = now
  if (bucket.tokens < 1) return false
  bucket.tokens -= 1
  return true
}
