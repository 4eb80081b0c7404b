/** Parses untrusted JSON; stricter than JSON.parse. Pure. */
import { isAscii, isUtf8 } from 'node:buffer'
import { isExactNumber } from './decimal.ts'
import { common, type FieldError, fieldError, malformed } from './problem.ts'
import { type Wording, wording } from './wording.ts'

const MAX_DEPTH = 64
/** Each is an allocation. Far more than a body of one MiB with values has. */
const MAX_CONTAINERS = 100_000
const MAX_ERRORS = 20
const OUT_OF_RANGE = wording('must be a number of at most 1.8e308')
const INEXACT = wording('has more digits than a number keeps; send it as a string')

/**
 * Throws `malformed` (400) for invalid UTF-8, invalid JSON, duplicate keys, more than 64 levels of nesting and
 * more than 100,000 lists and objects. Throws
 * `validation_failed` (422) with a pointer to each text that can't be stored, to each key `__proto__`, and to each number that
 * JavaScript can't keep. Texts are composed (NFC), so that equal texts have equal bytes wherever they are compared.
 */
export function parseJson(bytes: Buffer): unknown {
  if (!isUtf8(bytes)) throw malformed.not_utf8()
  const text = bytes.toString('utf8')
  const { members: written, inexact } = scan(text)
  const value = parse(text)
  // Such a text has no character that could be refused, and nothing to compose.
  const isPlain = isAscii(bytes) && !text.includes('\\u')
  const found: Found = { members: 0, isRefused: inexact.length > 0, isPlain }
  if (!found.isRefused) inspect(value, found)
  if (found.isRefused) throw common.validation_failed({}, { errors: errorsIn(text, value, inexact) })
  // JSON.parse keeps the last of duplicate keys, so the value then has fewer members than the text.
  if (found.members !== written) throw malformed.duplicate_key()
  return isPlain ? value : composed(value)
}

/** In NFC. A text that `textError` refuses stays as it is: composing one can take minutes. */
export const composedText = (text: string): string => (textError(text) === undefined ? text.normalize('NFC') : text)

/** The JSON value with its texts in NFC. Keys are names, and stay. Changes lists and objects in place. */
export function composed<Value>(value: Value): Value {
  if (typeof value === 'string') return composedText(value) as Value
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
  let containers = 0
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
        if (++containers > MAX_CONTAINERS) throw malformed.too_many_containers({ limit: MAX_CONTAINERS })
        break
      case 0x5d:
      case 0x7d:
        depth--
        break
      default: {
        if (!isDigit(text.charCodeAt(at))) break
        const end = endOfNumber(text, at)
        // One digit is the whole of most numbers in long lists.
        if (end > at + 1 && inexact.length < MAX_ERRORS && !isExactNumber(text.slice(at, end))) inexact.push([at, end])
        at = end - 1
      }
    }
  return { members, inexact }
}

const isDigit = (char: number): boolean => char >= 0x30 && char <= 0x39

function endOfNumber(text: string, from: number): number {
  let at = from + 1
  while (at < text.length && isInNumber(text.charCodeAt(at))) at++
  return at
}
/** A digit, or one of `.`, `e`, `E`, `+` and `-`. */
const isInNumber = (char: number): boolean =>
  isDigit(char) || char === 0x2e || char === 0x65 || char === 0x45 || char === 0x2b || char === 0x2d

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

interface Found {
  members: number
  isRefused: boolean
  /** No text can be refused. */
  readonly isPlain: boolean
}

/** Counts the members. Knows no places, which would take most of the time of a body of many short lists. */
function inspect(value: unknown, found: Found): void {
  if (typeof value === 'string') found.isRefused ||= !found.isPlain && textError(value) !== undefined
  else if (typeof value === 'number') found.isRefused ||= !Number.isFinite(value)
  else if (Array.isArray(value)) for (let at = 0; at < value.length; at++) inspect(value[at], found)
  else if (typeof value === 'object' && value !== null)
    for (const key of Object.keys(value)) {
      found.members++
      found.isRefused ||= found.isPlain ? key === '__proto__' : keyError(key) !== undefined
      inspect((value as Record<string, unknown>)[key], found)
    }
}

interface Seen {
  readonly errors: FieldError[]
  readonly path: (string | number)[]
  /** What is wrong with Infinity. */
  readonly infinite: Wording
}

function errorsIn(text: string, value: unknown, inexact: Scanned['inexact']): readonly FieldError[] {
  const isInexact = inexact.length > 0
  const seen: Seen = { errors: [], path: [], infinite: isInexact ? INEXACT : OUT_OF_RANGE }
  locate(isInexact ? parse(withoutNumbers(text, inexact)) : value, seen)
  return seen.errors
}

/** Stops at the last error that is reported. */
function locate(value: unknown, seen: Seen): void {
  if (seen.errors.length >= MAX_ERRORS) return
  if (typeof value === 'string') note(seen, textError(value))
  else if (typeof value === 'number') note(seen, Number.isFinite(value) ? undefined : seen.infinite)
  else if (Array.isArray(value)) for (let at = 0; at < value.length; at++) within(seen, at, value[at])
  else if (typeof value === 'object' && value !== null)
    for (const key of Object.keys(value)) within(seen, key, (value as Record<string, unknown>)[key])
}

function within(seen: Seen, key: string | number, value: unknown): void {
  seen.path.push(key)
  if (typeof key === 'string') note(seen, keyError(key))
  locate(value, seen)
  seen.path.pop()
}

const keyError = (key: string): Wording | undefined =>
  key === '__proto__' ? wording('is not allowed as a field name') : textError(key)

/**
 * Returns the end of a sentence if PostgreSQL cannot store the text, or if it has so many combining marks in a row that
 * composing and folding it would take a time that grows with the square of their number.
 */
export function textError(text: string): Wording | undefined {
  if (text.includes('\0')) return wording('must not contain the NUL character')
  if (!text.isWellFormed()) return wording('must not contain a lone surrogate')
  return TOO_MANY_MARKS.test(text) ? wording('must not contain more than 30 combining marks in a row') : undefined
}
/** No language has more (UAX #15, Stream-Safe Text Format). Begins at the first mark of a row only. */
const TOO_MANY_MARKS = /(?<!\p{M})\p{M}{31}/u

function note(seen: Seen, problem: Wording | undefined): void {
  if (problem === undefined || seen.errors.length >= MAX_ERRORS) return
  const pointer = seen.path.map(part => `/${escapePointer(String(part))}`).join('')
  seen.errors.push(fieldError(pointer, 'not_allowed', problem))
}

/** Escapes a token of a JSON Pointer (RFC 6901). Lone surrogates become U+FFFD, since UTF-8 cannot encode them. */
export const escapePointer = (token: string): string =>
  token
    .replaceAll('~', '~0')
    .replaceAll('/', '~1')
    .replace(/\p{Cs}/gu, '\ufffd')
