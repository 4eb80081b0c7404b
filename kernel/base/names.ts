/** Names of people and things: one visible line. Pure. */

/** JSON Schema pattern of a visible text in one line, without control characters. */
export const LINE_PATTERN = '^(?=.*\\S)[^\\x00-\\x1f\\x7f-\\x9f\\u2028\\u2029]*$'

/** Controls, halves of a pair, overrides and embeddings of the writing direction, and byte order marks. */
const REMOVED = /[\p{Cc}\p{Cs}\u202a-\u202e\u2066-\u2069\ufeff\ufff9-\ufffb]/gu
/** The time of a normalization grows with the square of the combining marks. Names are shorter. */
const MAX_COMPOSED = 10_000
/** Spaces, format characters, fillers, and the blanks of braille, musical and hieroglyphic notation. */
const VISIBLE = /[^\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800\u{13441}\u{13442}\u{1d159}]/u
/** Spaces and invisible characters around a value that somebody pasted. */
const AROUND = /[\s\p{Cc}\p{Cf}]/u
/** A text in the encoding of mail headers (RFC 2047), which mail programs decode: `=?utf-8?B?…?=`. */
const ENCODED_WORD = /=\?[^?\s]*\?[bq]\?/iu
const LINK = /:\/\/|\bwww\.|\bmailto:|[\p{L}\p{N}-]\.\p{L}{2,}[/?#]/iu

/**
 * Removes invisible characters, and joins several lines into one. Keeps joiners, which emoji and Indic scripts need.
 */
export function cleanName(text: string): string {
  const line = (text.length > MAX_COMPOSED ? text : text.normalize('NFC'))
    .replace(/[\s\x85\u2028\u2029]+/g, ' ')
    .replace(REMOVED, '')
    .trim()
  return isBlank(line) ? '' : line
}

/** Whether a reader would see nothing: an empty text, or one of spaces and invisible characters alone. */
export const isBlank = (text: string): boolean => !VISIBLE.test(text)

/** Without spaces and invisible characters at both ends. A regular expression would need the square of their number. */
export function trimmed(text: string): string {
  const letters = [...text]
  const isKept = (letter: string): boolean => !AROUND.test(letter)
  const first = letters.findIndex(isKept)
  return first < 0 ? '' : letters.slice(first, letters.findLastIndex(isKept) + 1).join('')
}

export const containsLink = (text: string): boolean => LINK.test(text)
export const containsEncodedWord = (text: string): boolean => ENCODED_WORD.test(text)

/** The name with invisible joiners, so that mail clients make no link of a domain in it. */
export const unlinked = (name: string): string => name.replace(/[.:/](?=\S)/g, '$&\u2060')
