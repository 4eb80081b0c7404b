/** Helpers of mail and pages. */
import { directionOf, formatMoney, html, renderedMarkdown, safeUrl } from '@larder-dev/larder/kernel/internal'
import Handlebars from 'handlebars'
import type { Helper } from './engine.ts'

type DateStyle = 'full' | 'long' | 'medium' | 'short'
const isDateStyle = (value: unknown): value is DateStyle => ['full', 'long', 'medium', 'short'].includes(String(value))

/** Throws an Error for a value that is not a date. */
function parseDate(value: unknown): Date {
  const date = new Date(value instanceof Date ? value : String(value))
  if (Number.isNaN(date.getTime())) throw new Error(`'${String(value)}' is not a date`)
  return date
}

/** As in `{{#if}}`: false, null, 0, empty texts and empty lists are false. */
const isTruthy = (value: unknown): boolean => value !== 0 && !Handlebars.Utils.isEmpty(value)

/** Numbers, or texts by code points, such as dates. Values of different types, and NaN, are in no order. */
function compare(left: unknown, right: unknown): number {
  const isComparable = typeof left === typeof right && (typeof left === 'number' || typeof left === 'string')
  if (!isComparable) return Number.NaN
  const [a, b] = [left as string, right as string]
  return a < b ? -1 : a > b ? 1 : a === b ? 0 : Number.NaN
}

/** Ends with a whole word where that leaves at least half of the text, and never within a character or emoji. */
function truncate(text: string, length: number, locale: string): string {
  let cut = 0
  let count = 0
  for (const { index } of new Intl.Segmenter(locale).segment(text)) {
    if (count === length - 1) cut = index
    if (count === length) {
      const kept = text.slice(0, cut)
      const space = /\s/.test(text.charAt(cut)) ? -1 : kept.search(/\s\S*$/)
      return `${(space > cut / 2 ? kept.slice(0, space) : kept).trimEnd()}…`
    }
    count++
  }
  return text
}

/** An absent value is an empty text. Throws an Error for a value that is no number. */
function formatted(name: string, value: unknown, format: (number: number) => string): string {
  if (value === null || value === undefined || value === '') return ''
  const number = Number(value)
  if (!Number.isFinite(number)) throw new Error(`${name} needs a number, not '${String(value)}'`)
  return format(number)
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
  number: (locale, value) => formatted('number', value, number => new Intl.NumberFormat(locale).format(number)),
  /** `{{money amount currency}}`: an amount in the smallest unit of an ISO 4217 currency, `€12.50`. */
  money: (locale, amount, currency) =>
    formatted('money', amount, number => formatMoney(locale, number, String(currency))),
  /** `{{#if (eq status 'sent')}}`. */
  eq: (_locale, left, right) => left === right,
  gt: (_locale, left, right) => compare(left, right) > 0,
  gte: (_locale, left, right) => compare(left, right) >= 0,
  lt: (_locale, left, right) => compare(left, right) < 0,
  lte: (_locale, left, right) => compare(left, right) <= 0,
  and: (_locale, ...values) => values.every(isTruthy),
  or: (_locale, ...values) => values.some(isTruthy),
  not: (_locale, value) => !isTruthy(value),
  /** `{{default nickname 'Guest'}}`: the second value if the first is missing or empty. */
  default: (_locale, value, fallback) => (value === null || value === undefined || value === '' ? fallback : value),
  /** `{{join tags ', '}}`. */
  join(_locale, values, separator) {
    if (!Array.isArray(values) || values.some(value => typeof value === 'object'))
      throw new Error('join needs a list of texts or numbers')
    return values.map(String).join(typeof separator === 'string' ? separator : ', ')
  },
  /** `{{truncate summary 100}}`: at most this many characters. */
  truncate(locale, value, length) {
    if (!Number.isInteger(length) || Number(length) < 1) throw new Error('truncate needs a number of characters')
    return value === null || value === undefined ? '' : truncate(String(value), Number(length), locale)
  },
  /** `{{initial title}}`: the first letter or emoji in upper case, for something without a picture. */
  initial(locale, value) {
    const [first] = new Intl.Segmenter(locale).segment(String(value ?? '').trim())
    return first ? first.segment.toLocaleUpperCase(locale) : ''
  },
  /** `data-hue="{{hue title}}"`: 0 to 7, the same for the same text. */
  hue: (_locale, value) =>
    [...String(value ?? '')].reduce((sum, letter) => (sum + (letter.codePointAt(0) ?? 0)) % 8, 0),
  /** `dir="{{direction page.locale}}"`: `rtl` for languages that are written from right to left, otherwise `ltr`. */
  direction: (_locale, tag) => directionOf(String(tag)),
  /** `{{inlineCode detail}}`: a text in which backticks mark code. */
  inlineCode: (_locale, value) =>
    html(Handlebars.escapeExpression(String(value ?? '')).replace(/&#x60;(.+?)&#x60;/g, '<code>$1</code>')),
  /** `{{markdown summary}}`: sanitized HTML of a Markdown field. A text that can't be rendered is shown as it was written. */
  markdown(_locale, value) {
    if (value === null || value === undefined || value === '') return ''
    const rendered = renderedMarkdown(value)
    if (rendered !== undefined) return html(rendered)
    const text = String(value)
    if (this.markdown && !this.markdown.has(text)) this.markdown.set(text, undefined)
    return html(this.markdown?.get(text) ?? asParagraphs(text))
  },
}

const asParagraphs = (text: string): string =>
  text
    .split(/\n\s*\n/)
    .filter(part => part.trim() !== '')
    .map(part => `<p>${Handlebars.escapeExpression(part.trim()).replaceAll('\n', '<br>')}</p>`)
    .join('')
