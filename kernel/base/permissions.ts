/** Permissions have three parts, `area.resource.action`; a pattern may end with `*` instead of any of them. */
import { didYouMean, nearest } from './suggest.ts'

/** Whether `pattern` (`*`, `area.*`, `area.resource.*` or exact) covers a permission or a narrower pattern. */
export function covers(pattern: string, permission: string): boolean {
  if (pattern === '*' || pattern === permission) return true
  return pattern.endsWith('.*') && permission.startsWith(pattern.slice(0, -1))
}

export const anyCovers = (patterns: readonly string[], permission: string): boolean =>
  patterns.some(pattern => covers(pattern, permission))

/** `*`, `area.*`, `area.resource.*` or `area.resource.action`. */
export const PERMISSION_PATTERN =
  '^(\\*|[a-z][a-z0-9_]*(\\.[a-z][a-z0-9_]*){0,1}\\.\\*|[a-z][a-z0-9_]*(\\.[a-z][a-z0-9_]*){2})$'

const areaOf = (permission: string): string => permission.split('.')[0] as string

/** How to repair a permission that no module declares. A name of another area would only look alike. */
export function permissionHint(pattern: string, known: readonly string[]): string | undefined {
  const area = areaOf(pattern)
  if (nearest(area, known.map(areaOf)) !== undefined) return didYouMean(pattern, known)
  return `No module of this recipe has permissions of "${area}": add the module, or remove the permission`
}
