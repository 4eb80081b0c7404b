import { anyCovers, covers } from '@larder-dev/larder/kernel/internal'

/** Returns the patterns that both lists grant. Of two overlapping patterns, the narrower one. */
export function intersectPatterns(a: readonly string[], b: readonly string[]): string[] {
  const both = a.flatMap(left =>
    b.flatMap(right => (covers(left, right) ? [right] : covers(right, left) ? [left] : [])),
  )
  return [...new Set(both)]
}

/** Returns the first required pattern that no granted pattern covers. */
export const firstMissing = (granted: readonly string[], required: readonly string[]): string | undefined =>
  required.find(pattern => !anyCovers(granted, pattern))

/** Returns all patterns that cover a permission: `*`, `area.*`, `area.resource.*` and the permission itself. */
export const coveringPatterns = (permission: string): string[] => [
  '*',
  permission,
  ...permission
    .split('.')
    .slice(0, -1)
    .map((_, at, parts) => `${parts.slice(0, at + 1).join('.')}.*`),
]
