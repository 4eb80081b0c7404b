/** The few helpers that mail and pages share. */
import { safeUrl } from 'larder/kernel'
import type { Helper } from './engine.ts'

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
