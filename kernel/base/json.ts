/** Parses untrusted JSON; stricter than JSON.parse. Pure. */
import { isAscii, isUtf8 } from 'node:buffer'
import { isExactNumber } from './decimal.ts'
import { common, type FieldError, malformed } from './problem.ts'

const MAX_DEPTH = 64
const MAX_ERRORS = 20
const OUT_OF_RANGE = 'must be a number of at most 1.8e308'
const INEXACT = 'has more digits than a number keeps; send it as a string'

/**
 * Throws `malformed` (400) for invalid UTF-8, invalid JSON, duplicate keys and more than 64 levels of nesting. Throws
 * `validation_failed` (422) with a pointer to each NUL character, lone surrogate and key `__proto__`, and to each number that
 * JavaScript can't keep. Texts are composed (NFC), so that equal texts have equal bytes wherever they are compared.
 */
export function parseJson(bytes: Buffer): unknown {
  if (!isUtf8(bytes)) throw malformed.not_utf8()
  const text = bytes.toString('utf8')
  const { members: written, inexact } = scan(text)
  const value = parse(text)
  const isInexact = inexact.length > 0
  const seen: Seen = { members: 0, errors: [], path: [], infinite: isInexact ? INEXACT : OUT_OF_RANGE }
  inspect(isInexact ? parse(withoutNumbers(text, inexact)) : value, seen)
  if (seen.errors.length > 0) throw common.validation_failed({}, { errors: seen.errors })
  // JSON.parse keeps the last of duplicate keys, so the value then has fewer members than the text.
  if (seen.members !== written) throw malformed.duplicate_key()
  return isAscii(bytes) && !text.includes('\\u') ? value : composed(value)
}

/** The JSON value with its texts in NFC. Keys are names, and stay. Changes lists and objects in place. */
export function composed(value: unknown): unknown {
  if (typeof value === 'string') return value.normalize('NFC')
  if (typeof value !== 'object' || value === null) return value
  const parts = value as Record<string, unknown>
  for (const key of Object.keys(parts)) parts[key] = composed(parts[key])
  return value
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // The parser's message quotes the body, which may contain a password.
    throw malformed.not_json()
  }
}

/** Whether JSON text that `JSON.parse` accepts has a number that it would round or take as infinite. */
export function hasInexactNumber(text: string): boolean {
  for (let at = 0; at < text.length; at++) {
    const char = text.charCodeAt(at)
    if (char === 0x22) at = endOfString(text, at + 1)
    else if (isDigit(char)) {
      const end = endOfNumber(text, at)
      const number = text.slice(at, end)
      if (!Number.isFinite(Number(number)) || !isExactNumber(number)) return true
      at = end - 1
    }
  }
  return false
}

interface Scanned {
  readonly members: number
  /** Start and end of each number that JSON.parse would round. */
  readonly inexact: readonly (readonly [start: number, end: number])[]
}

/** Counts colons outside strings, and finds long numbers. Checks the nesting before any recursive code runs. */
function scan(text: string): Scanned {
  let depth = 0
  let members = 0
  const inexact: [number, number][] = []
  for (let at = 0; at < text.length; at++)
    switch (text.charCodeAt(at)) {
      case 0x22:
        at = endOfString(text, at + 1)
        break
      case 0x3a:
        members++
        break
      case 0x5b:
      case 0x7b:
        if (++depth > MAX_DEPTH) throw malformed.nested_too_deep({ limit: MAX_DEPTH })
        break
      case 0x5d:
      case 0x7d:
        depth--
        break
      default: {
        if (!isDigit(text.charCodeAt(at))) break
        const end = endOfNumber(text, at)
        if (inexact.length < MAX_ERRORS && !isExactNumber(text.slice(at, end))) inexact.push([at, end])
        at = end - 1
      }
    }
  return { members, inexact }
}

const isDigit = (char: number): boolean => char >= 0x30 && char <= 0x39

function endOfNumber(text: string, from: number): number {
  NUMBER_END.lastIndex = from
  return NUMBER_END.exec(text)?.index ?? text.length
}
const NUMBER_END = /[^\d.eE+-]/g

/** Infinity in place of each number, which `inspect` refuses. */
function withoutNumbers(text: string, places: Scanned['inexact']): string {
  let kept = ''
  let done = 0
  for (const [start, end] of places) {
    kept += `${text.slice(done, start)}1e999`
    done = end
  }
  return kept + text.slice(done)
}

function endOfString(text: string, from: number): number {
  for (let at = from; at < text.length; at++) {
    const char = text.charCodeAt(at)
    if (char === 0x22) return at
    if (char === 0x5c) at++
  }
  return text.length
}

interface Seen {
  members: number
  readonly errors: FieldError[]
  readonly path: (string | number)[]
  /** What is wrong with Infinity. */
  readonly infinite: string
}

function inspect(value: unknown, seen: Seen): void {
  if (typeof value === 'string') note(seen, textError(value))
  else if (typeof value === 'number') note(seen, Number.isFinite(value) ? undefined : seen.infinite)
  else if (Array.isArray(value)) for (const [at, item] of value.entries()) within(seen, at, item)
  else if (typeof value === 'object' && value !== null)
    for (const key of Object.keys(value)) {
      seen.members++
      within(seen, key, (value as Record<string, unknown>)[key])
    }
}

function within(seen: Seen, key: string | number, value: unknown): void {
  seen.path.push(key)
  if (key === '__proto__') note(seen, 'is not allowed as a field name')
  else if (typeof key === 'string') note(seen, textError(key))
  inspect(value, seen)
  seen.path.pop()
}

/** Returns the end of a sentence if PostgreSQL cannot store the text. */
export function textError(text: string): string | undefined {
  if (text.includes('\0')) return 'must not contain the NUL character'
  return text.isWellFormed() ? undefined : 'must not contain a lone surrogate'
}

function note(seen: Seen, detail: string | undefined): void {
  if (detail === undefined || seen.errors.length >= MAX_ERRORS) return
  const pointer = seen.path.map(part => `/${escapePointer(String(part))}`).join('')
  seen.errors.push({ pointer, code: 'not_allowed', detail })
}

/** Escapes a token of a JSON Pointer (RFC 6901). Lone surrogates become U+FFFD, since UTF-8 cannot encode them. */
export const escapePointer = (token: string): string =>
  token
    .replaceAll('~', '~0')
    .replaceAll('/', '~1')
    .replace(/\p{Cs}/gu, '\ufffd')
