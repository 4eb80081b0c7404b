/** Subscriptions to event types: `identity.member.joined`, `identity.member.*`, `identity.*` or `*`. Pure. */

export const PATTERN = '^(\\*|[a-z][a-z0-9_]*(\\.[a-z][a-z0-9_]*)*(\\.\\*)?)$'

/** Every pattern that matches the type, including the type itself. */
export function patternsOf(type: string): string[] {
  const parts = type.split('.')
  return ['*', ...parts.slice(1).map((_, index) => `${parts.slice(0, index + 1).join('.')}.*`), type]
}

export const matchesAny = (patterns: readonly string[], type: string): boolean =>
  patternsOf(type).some(pattern => patterns.includes(pattern))

/** Indexes of the patterns that match none of the types. */
export function unknownPatterns(patterns: readonly string[], types: readonly string[]): number[] {
  const known = new Set(types.flatMap(patternsOf))
  return [...patterns.entries()].filter(([, pattern]) => !known.has(pattern)).map(([index]) => index)
}
