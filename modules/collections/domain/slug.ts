/** Makes slugs from texts. Pure. */

const DEFAULT_LENGTH = 100

/** `Straße & Café` → `strasse-cafe`; null if nothing of the text remains. */
export function slugOf(text: unknown, maxLength: number = DEFAULT_LENGTH): string | null {
  if (typeof text !== 'string') return null
  const words = text
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^a-z0-9]+/g, '-')
  return trimmed(words).slice(0, maxLength).replace(/-+$/, '') || null
}
const trimmed = (words: string): string => words.replace(/^-+|-+$/g, '')

/** The first of `intro`, `intro-2`, `intro-3`, … that isn't taken. */
export function freeSlug(slug: string, taken: ReadonlySet<string>, maxLength: number = DEFAULT_LENGTH): string {
  for (let number = 1; ; number++) {
    const suffix = number === 1 ? '' : `-${number}`
    const candidate = `${slug.slice(0, maxLength - suffix.length).replace(/-+$/, '')}${suffix}`
    if (!taken.has(candidate)) return candidate
  }
}
