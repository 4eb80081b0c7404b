/** Assigns rollout buckets with version 2 of GrowthBook's hash. Pure. */

/** Each bucket of a rollout is a hundredth of a percent. */
export const BUCKETS = 10_000

/**
 * FNV-1a, 32 bits, over UTF-16 code units, as in GrowthBook's SDKs.
 * @param from hash of the preceding text.
 */
export function fnv32a(text: string, from = 0x811c9dc5): number {
  let hash = from
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return hash >>> 0
}

/**
 * 0 to 9,999; deterministic. Buckets of different seeds are independent.
 * @param seed hash of the flag's key.
 */
export const bucketOf = (seed: number, value: string): number => fnv32a(String(fnv32a(value, seed))) % BUCKETS
