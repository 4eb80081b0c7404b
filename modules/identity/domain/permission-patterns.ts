/** The patterns that both sides hold: of two that overlap, the narrower. */
import { anyCovers, covers } from 'larder/kernel'
export function intersect(a: readonly string[], b: readonly string[]): string[] {
  const both = a.flatMap(left =>
    b.flatMap(right => (covers(left, right) ? [right] : covers(right, left) ? [left] : [])),
  )
  return [...new Set(both)]
}

/** The first of `wanted` that none of `held` covers; undefined where all are covered. */
export const firstLacking = (held: readonly string[], wanted: readonly string[]): string | undefined =>
  wanted.find(pattern => !anyCovers(held, pattern))
