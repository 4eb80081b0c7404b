/** The few helpers that mail and pages share. */
import type { Helper } from './engine.ts'

const SCHEMES = new Set(['http:', 'https:', 'mailto:'])
/** Browsers drop these inside an address, so `java\tscript:` would run. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this looks for
const INVISIBLE = /[\u0000-\u0020\u007f]/

/** The address, if a click on it cannot run anything: http, https, mailto, or a path of this site. Else throws. */
export function safeUrl(value: unknown): string {
  const text = String(value)
  const refused = (why: string) => new Error(`the address '${text.slice(0, 80)}' ${why}`)
  if (text === '' || INVISIBLE.test(text)) throw refused('is empty or has spaces in it')
  if (/^\/(?![/\\])/.test(text) || /^[#?]/.test(text)) return text
  if (!URL.canParse(text)) throw refused('is neither whole nor a path that begins with /')
  if (!SCHEMES.has(new URL(text).protocol)) throw refused('must begin with http, https or mailto')
  return text
}

type DateStyle = 'full' | 'long' | 'medium' | 'short'
const isStyle = (value: unknown): value is DateStyle => ['full', 'long', 'medium', 'short'].includes(String(value))

export const HELPERS: Readonly<Record<string, Helper>> = {
  /** `href="{{url address}}"`. */
  url: (_locale, value) => safeUrl(value),
  /** `{{date at}}`, `{{date at 'long'}}`: day and time in UTC, as the locale writes them. */
  date(locale, value, style) {
    const at = new Date(value instanceof Date ? value : String(value))
    if (Number.isNaN(at.getTime())) throw new Error(`'${String(value)}' is not a date`)
    const dateStyle = isStyle(style) ? style : 'medium'
    return `${new Intl.DateTimeFormat(locale, { dateStyle, timeStyle: 'short', timeZone: 'UTC' }).format(at)} UTC`
  },
  /** `{{day at}}`: the date in UTC, without the time: `Dec 6, 2026`. */
  day(locale, value) {
    const at = new Date(value instanceof Date ? value : String(value))
    if (Number.isNaN(at.getTime())) throw new Error(`'${String(value)}' is not a date`)
    return new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' }).format(at)
  },
  /** `{{number count}}`. */
  number: (locale, value) => new Intl.NumberFormat(locale).format(Number(value)),
  /** `{{#if (eq status 'sent')}}`. */
  eq: (_locale, left, right) => left === right,
}
