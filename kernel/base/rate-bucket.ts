/** A token bucket: a rate per second and a burst. Pure; the caller passes the time. */
import { SECOND } from './units.ts'

/** A rate of a token bucket. */
export interface Rate {
  readonly perSecond: number
  readonly burst: number
}
export interface Bucket {
  tokens: number
  /** Time of the last refill, in milliseconds since 1970. */
  at: number
}

export const createBucket = ({ burst }: Rate, now: number): Bucket => ({ tokens: burst, at: now })

/** Takes one token; returns false if none is left. */
export function takeToken(bucket: Bucket, { perSecond, burst }: Rate, now: number): boolean {
  bucket.tokens = Math.min(burst, bucket.tokens + (Math.max(0, now - bucket.at) * perSecond) / SECOND)
  bucket.at = now
  if (bucket.tokens < 1) return false
  bucket.tokens -= 1
  return true
}
