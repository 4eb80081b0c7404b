/** Helpers of mail and pages. */
import { formatMoney, safeUrl } from '@larder-dev/larder/kernel'
import type { Helper } from './engine.ts'

type DateStyle = 'full' | 'long' | 'medium' | 'short'
const isDateStyle = (value: unknown): value is DateStyle => ['full', 'long', 'medium', 'short'].includes(String(value))

/** Throws an Error for a value that is not a date. */
function parseDate(value: unknown): Date {
  const date = new Date(value instanceof Date ? value : String(value))
  if (Number.isNaN(date.getTime())) throw new Error(`'${String(value)}' is not a date`)
  return date
}

export const HELPERS: Readonly<Record<string, Helper>> = {
  /** `href="{{url address}}"`. */
  url: (_locale, value) => safeUrl(value),
  /** `{{date at}}`, `{{date at 'long'}}`: date and time in the reader's time zone, otherwise in UTC. */
  date(locale, value, style) {
    const at = parseDate(value)
    const dateStyle = isDateStyle(style) ? style : 'medium'
    const { timeZone } = this
    const format = new Intl.DateTimeFormat(locale, { dateStyle, timeStyle: 'short', timeZone: timeZone ?? 'UTC' })
    return timeZone === undefined ? `${format.format(at)} UTC` : format.format(at)
  },
  /** `{{day at}}`: the date in UTC without the time, `Dec 6, 2026`. */
  day(locale, value) {
    const at = parseDate(value)
    return new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' }).format(at)
  },
  /** `{{number count}}`. */
  number: (locale, value) => new Intl.NumberFormat(locale).format(Number(value)),
  /** `{{money amount currency}}`: an amount in the smallest unit of an ISO 4217 currency, `€12.50`. */
  money: (locale, amount, currency) => formatMoney(locale, Number(amount), String(currency)),
  /** `{{#if (eq status 'sent')}}`. */
  eq: (_locale, left, right) => left === right,
}
