/** Which share of a rollout somebody falls into: GrowthBook's hash of version 2. Pure. */

/** Buckets of a rollout: a hundredth of a percent each. */
export const BUCKETS = 10_000

/**
 * FNV-1a, 32 bits, over UTF-16 code units, as GrowthBook's SDKs have it.
 * @param from the hash of what stands before the text.
 */
export function fnv32a(text: string, from = 0x811c9dc5): number {
  let hash = from
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return hash >>> 0
}

/**
 * 0 to 9,999, always the same for the same two; one seed tells nothing of another.
 * @param seed its hash, which all values share.
 */
export const bucketOf = (seed: number, value: string): number => fnv32a(String(fnv32a(value, seed))) % BUCKETS
