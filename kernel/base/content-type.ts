/** The value of Content-Type. Parameters that nobody asks for are ignored, however they are written. */

const CHARSET = /;\s*charset\s*=\s*["']?\s*([^\s"';,]+)/i
/** ASCII is UTF-8, too. `TextDecoder` knows its names as those of Windows-1252. */
const ASCII = /^(us-?)?ascii$/i

/** In lower case, without parameters; empty without a type. */
export const mediaTypeOf = (contentType: string | undefined): string =>
  (contentType ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? ''

/** Undefined if the type names none. */
export const charsetOf = (contentType: string | undefined): string | undefined => CHARSET.exec(contentType ?? '')?.[1]

/** Whether the text of a body is UTF-8 by its type: it names no charset, or UTF-8 by any of its names, such as `utf8`. */
export function isUtf8(contentType: string | undefined): boolean {
  const charset = charsetOf(contentType)
  if (charset === undefined || ASCII.test(charset)) return true
  try {
    return new TextDecoder(charset).encoding === 'utf-8'
  } catch {
    return false
  }
}

/** Whether the value of Accept names CSV, which is otherwise JSON. */
export const wantsCsv = (accept = ''): boolean =>
  accept.split(',').some(range => /^\s*text\/csv\s*(;|$)/i.test(range) && !/;\s*q=0(\.0*)?\s*(;|$)/i.test(range))
