/**
 * Patterns of the API documents, in the syntax that generated clients compile in Python, Go (RE2) and JavaScript. A
 * pattern that they can't express becomes a weaker one or is left out; the server still checks the whole pattern.
 */
import type { Json } from './components.ts'

/** RE2 has no higher bound of a repetition. */
const MAX_REPEAT = 1000

/** Keys of a schema whose values are data. */
const DATA = new Set(['const', 'default', 'enum', 'example', 'examples'])

/** Copies the document, with portable patterns. */
export const withPortablePatterns = (document: Json): Json => copy(document) as Json

function copy(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(copy)
  if (typeof node !== 'object' || node === null) return node
  return Object.fromEntries(
    Object.entries(node).flatMap(([key, value]) => {
      if (key === 'pattern' && typeof value === 'string') {
        const pattern = portablePattern(value)
        return pattern === undefined ? [] : [[key, pattern]]
      }
      return [[key, DATA.has(key) ? value : copy(value)]]
    }),
  )
}

/** Returns undefined if no pattern of all engines matches everything that this one does. */
export function portablePattern(pattern: string): string | undefined {
  const made = rewrite(pattern)
  if (made === undefined) return undefined
  try {
    // A part that was left out may have carried the rest.
    new RegExp(made, 'u')
    return made
  } catch {
    return undefined
  }
}

const TOKEN =
  /\\u\{([0-9a-f]+)\}|\\u([0-9a-f]{4})|\\[pP]\{[^}]*\}|\\[1-9k]|\\c[a-z]|\\0|\\[\s\S]|\(\?<?[=!]|\(\?<[^>]*>|\{(\d+)(?:,(\d*))?\}|\[\^?|[\])]|[\s\S]/giu

function rewrite(pattern: string): string | undefined {
  let out = ''
  /** The beginning of the class that is open. */
  let open: '[' | '[^' | undefined
  /** The number of groups that are open within an assertion, which is left out; 0 outside. */
  let skipped = 0
  for (const [token, braced, hex, least, most] of pattern.matchAll(TOKEN)) {
    if (skipped > 0) {
      if (open === undefined && token.startsWith('(')) skipped++
      else if (open === undefined && token === ')') skipped--
      else if (token === '[' || token === '[^') open ??= token
      else if (token === ']') open = undefined
      continue
    }
    const code = braced ?? hex
    if (code !== undefined) {
      const character = literal(Number.parseInt(code, 16))
      if (character === undefined) return undefined
      out += character
    } else if (/^\\p/i.test(token)) {
      // What a class excludes may be matched by a weaker one.
      if (open !== '[^') return undefined
    } else if (/^\\(?:[1-9k]|c[a-z])$/i.test(token)) return undefined
    else if (token === '\\0') out += '\\x00'
    else if (open === undefined && /^\(\?<?[=!]$/.test(token)) skipped = 1
    else if (open === undefined && token.startsWith('(?<')) out += '(?:'
    else if (open === undefined && least !== undefined) {
      if (Math.max(Number(least), Number(most ?? 0)) > MAX_REPEAT) return undefined
      out += token
    } else if (open === undefined && (token === '[' || token === '[^')) {
      open = token
      out += token
    } else if (open !== undefined && token === ']') {
      // Only what was left out was in it.
      out = out.endsWith('[^') ? `${out.slice(0, -2)}[\\s\\S]` : `${out}]`
      open = undefined
    } else out += token
  }
  return out
}

/** Escaped where it would be syntax. Undefined for half of a surrogate pair, which no text contains. */
function literal(code: number): string | undefined {
  if (code >= 0xd800 && code <= 0xdfff) return undefined
  if (code < 0xa0) return `\\x${code.toString(16).padStart(2, '0')}`
  return String.fromCodePoint(code)
}
