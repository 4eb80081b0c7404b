/** Names of people and things: one visible line. Pure. */

/** JSON Schema pattern of a visible text in one line, without control characters. */
export const LINE_PATTERN = '^(?=.*\\S)[^\\x00-\\x1f\\x7f-\\x9f\\u2028\\u2029]*$'

/** Controls, overrides and embeddings of the writing direction, and byte order marks. */
const REMOVED = /[\p{Cc}\u202a-\u202e\u2066-\u2069\ufeff\ufff9-\ufffb]/gu
/** Spaces, format characters, Hangul fillers, and the braille blank. */
const INVISIBLE = /[\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/gu
const LINK = /:\/\/|\bwww\.|\bmailto:|[\p{L}\p{N}-]+\.\p{L}{2,}[/?#]/iu

/**
 * Removes invisible characters, and joins several lines into one. Keeps joiners, which emoji and Indic scripts need.
 */
export function cleanName(text: string): string {
  const line = text
    .replace(/[\s\x85\u2028\u2029]+/g, ' ')
    .replace(REMOVED, '')
    .trim()
  return line.replace(INVISIBLE, '') === '' ? '' : line
}

export const containsLink = (text: string): boolean => LINK.test(text)

/** The name with invisible joiners, so that mail clients make no link of a domain in it. */
export const unlinked = (name: string): string => name.replace(/[.:/](?=\S)/g, '$&\u2060')

const ACRONYMS = /\b(api|id|sso|url)\b/g

/** Words made from the last part of a key: `identity.password_reset` → `Password reset`. */
export function keyWords(key: string): string {
  const words = key
    .slice(key.lastIndexOf('.') + 1)
    .replaceAll('_', ' ')
    .replace(ACRONYMS, word => word.toUpperCase())
  return words.charAt(0).toUpperCase() + words.slice(1)
}
