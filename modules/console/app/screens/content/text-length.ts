/** The limit of a page's text. Pure. */

export interface Excess {
  /** Characters. */
  readonly count: number
  readonly limit: number
}

/** JSON Schema counts characters, JavaScript UTF-16 units. */
const characterCount = (text: string): number => text.length - (text.match(/[\ud800-\udbff]/g)?.length ?? 0)

/** Undefined for a text within its limit. */
export function excessOf(text: string, limit = Number.POSITIVE_INFINITY): Excess | undefined {
  if (text.length <= limit) return undefined
  const count = characterCount(text)
  return count > limit ? { count, limit } : undefined
}
