/** Checks the JSON value of a field: of a default, a seed or an imported row. Pure. */
import { milliseconds, parseUrl } from '@larder-dev/larder/kernel'
import { cleanAddress } from '@larder-dev/larder/kernel/internal'
import type { Field } from './collection.ts'
import { isDay } from './days.ts'
import { linearPattern } from './patterns.ts'

/** The part of a field that values depend on. */
export type ValueRules = Pick<Field, 'type'> &
  Partial<Pick<Field, 'minLength' | 'maxLength' | 'min' | 'max' | 'pattern' | 'values' | 'reference'>>
type Check = (rules: ValueRules, value: unknown) => string | undefined

const DATE = /^\d{4}-\d{2}-\d{2}$/
/** RFC 3339. */
const TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,9})?(Z|[+-]\d{2}:\d{2})$/i
const DURATION = /^\d{1,12}(ms|s|m|h|d)$/
const EMAIL = /^[^\s@<>]+@[^\s@<>.]+(\.[^\s@<>.]+)+$/
const SLUG = /^[a-z0-9]+(-[a-z0-9]+)*$/

/** Returns the end of a sentence that begins with the field, such as `must be an integer`; undefined for a valid value. */
export function valueError(rules: ValueRules, value: unknown): string | undefined {
  if (rules.reference?.many) return listError(value)
  return CHECKS[rules.type](rules, value)
}

function listError(value: unknown): string | undefined {
  if (!Array.isArray(value) || value.some(id => typeof id !== 'string')) return 'must be a list of ids'
  return new Set(value).size < value.length ? 'must not contain an id twice' : undefined
}

const text: Check = ({ minLength = 0, maxLength = Number.POSITIVE_INFINITY, pattern }, value) => {
  if (typeof value !== 'string') return 'must be a text'
  if (value.includes('\0')) return 'must not contain the character NUL'
  // A character has one or two code units, so they are counted only if that makes a difference.
  const isCounted = value.length > maxLength || value.length < 2 * minLength
  const length = isCounted ? [...value].length : value.length
  if (length < minLength) return `must have at least ${minLength} characters`
  if (length > maxLength) return `must have at most ${maxLength} characters`
  return pattern === undefined || linearPattern(pattern)(value) ? undefined : `must match ${pattern}`
}

const textThat =
  (matches: (value: string) => boolean, description: string): Check =>
  (rules, value) =>
    text(rules, value) ?? (matches(value as string) ? undefined : `must be ${description}`)

/** @param toOrder converts a valid value to a number or text that sorts like it. */
function ordered(valid: (value: unknown) => boolean, description: string, toOrder: (value: never) => number): Check {
  return ({ min, max }, value) => {
    if (!valid(value)) return `must be ${description}`
    if (min === undefined && max === undefined) return undefined
    const order = toOrder(value as never)
    if (min !== undefined && order < toOrder(min as never)) return `must be at least ${min}`
    return max !== undefined && order > toOrder(max as never) ? `must be at most ${max}` : undefined
  }
}
const asNumber = (value: number) => value
const integer = ordered(Number.isSafeInteger, 'an integer', asNumber)

const isDate = (value: unknown): boolean => typeof value === 'string' && DATE.test(value) && isDay(value)
const isTime = (value: unknown) =>
  typeof value === 'string' && TIME.test(value) && isDay(value.slice(0, 10)) && !Number.isNaN(Date.parse(value))
const isUrl = (value: string) => /^https?:\/\//i.test(value) && parseUrl(value) !== undefined

const id: Check = (_rules, value) =>
  typeof value === 'string' && /^[a-z0-9_]{1,100}$/.test(value) ? undefined : 'must be an id'

const CHECKS: { readonly [Type in Field['type']]: Check } = {
  text,
  longtext: text,
  markdown: text,
  slug: textThat(value => SLUG.test(value), 'a slug such as first-steps'),
  email: textThat(value => EMAIL.test(cleanAddress(value)), 'an email address'),
  url: textThat(isUrl, 'a URL such as https://acme.example'),
  integer,
  number: ordered(Number.isFinite, 'a number', asNumber),
  money: ordered(Number.isSafeInteger, "an integer in the currency's smallest unit", asNumber),
  boolean: (_rules, value) => (typeof value === 'boolean' ? undefined : 'must be true or false'),
  date: ordered(isDate, 'a date such as 2026-01-31', Date.parse),
  datetime: ordered(isTime, 'a time such as 2026-01-31T12:00:00Z', Date.parse),
  duration: ordered(value => typeof value === 'string' && DURATION.test(value), 'a duration such as 90m', milliseconds),
  enum: ({ values = [] }, value) =>
    values.includes(value as string) ? undefined : `must be one of ${values.join(', ')}`,
  json: (_rules, value) => (value === undefined ? 'must be a JSON value' : undefined),
  file: id,
  member: id,
  reference: id,
  computed: () => 'must be left out, because it is computed',
}
