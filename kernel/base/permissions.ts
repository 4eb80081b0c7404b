/** Permissions have three parts, `area.resource.action`; a pattern may end in `*` at any of them. */

/** Whether `pattern` (`*`, `area.*`, `area.resource.*` or exact) covers a permission or a narrower pattern. */
export function covers(pattern: string, permission: string): boolean {
  if (pattern === '*' || pattern === permission) return true
  return pattern.endsWith('.*') && permission.startsWith(pattern.slice(0, -1))
}

/** Whether any of the patterns covers it. */
export const anyCovers = (patterns: readonly string[], permission: string): boolean =>
  patterns.some(pattern => covers(pattern, permission))

/** `area`, `area.resource` and `area.resource.action`, with `*` for the last part or alone. */
export const PERMISSION_PATTERN =
  '^(\\*|[a-z][a-z0-9_]*(\\.[a-z][a-z0-9_]*){0,1}\\.\\*|[a-z][a-z0-9_]*(\\.[a-z][a-z0-9_]*){2})$'
