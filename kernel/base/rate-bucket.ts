/** A bucket of tokens: so many a second, and a burst. Pure; the caller brings the time. */
import { SECOND } from './units.ts'

export interface Rate {
  readonly perSecond: number
  readonly burst: number
}
export interface Bucket {
  tokens: number
  /** Milliseconds since 1970 of the last filling. */
  at: number
}

export const newBucket = ({ burst }: Rate, now: number): Bucket => ({ tokens: burst, at: now })

/** Takes one; false where none is left. */
export function take(bucket: Bucket, { perSecond, burst }: Rate, now: number): boolean {
  bucket.tokens = Math.min(burst, bucket.tokens + (Math.max(0, now - bucket.at) * perSecond) / SECOND)
  bucket.at = now
  if (bucket.tokens < 1) return false
  bucket.tokens -= 1
  return true
}
