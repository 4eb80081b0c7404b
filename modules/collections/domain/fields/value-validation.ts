/** Checks the JSON value of a field: of a default, a seed or an imported row. Pure. */
import { milliseconds, parseUrl, type Wording, wording } from '@larder-dev/larder/kernel'
import { cleanAddress } from '@larder-dev/larder/kernel/internal'
import type { Field } from '../declarations/collection.ts'
import { isDay } from './days.ts'
import { linearPattern } from './patterns.ts'

/** The part of a field that values depend on. */
export type ValueRules = Pick<Field, 'type'> &
  Partial<Pick<Field, 'minLength' | 'maxLength' | 'min' | 'max' | 'pattern' | 'values' | 'reference'>>
type Check = (rules: ValueRules, value: unknown) => Wording | undefined

const DATE = /^\d{4}-\d{2}-\d{2}$/
/** RFC 3339. */
const TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,9})?(Z|[+-]\d{2}:\d{2})$/i
const DURATION = /^\d{1,12}(ms|s|m|h|d)$/
const EMAIL = /^[^\s@<>]+@[^\s@<>.]+(\.[^\s@<>.]+)+$/
const SLUG = /^[a-z0-9]+(-[a-z0-9]+)*$/

/** Returns the end of a sentence that begins with the field, such as `must be an integer`; undefined for a valid value. */
export function valueError(rules: ValueRules, value: unknown): Wording | undefined {
  if (rules.reference?.many) return listError(value)
  return CHECKS[rules.type](rules, value)
}

function listError(value: unknown): Wording | undefined {
  if (!Array.isArray(value) || value.some(id => typeof id !== 'string')) return wording('must be a list of ids')
  return new Set(value).size < value.length ? wording('must not contain an id twice') : undefined
}

const text: Check = ({ minLength = 0, maxLength = Number.POSITIVE_INFINITY, pattern }, value) => {
  if (typeof value !== 'string') return wording('must be a text')
  if (value.includes('\0')) return wording('must not contain the NUL character')
  // A character has one or two code units, so they are counted only if that makes a difference.
  const isCounted = value.length > maxLength || value.length < 2 * minLength
  const length = isCounted ? [...value].length : value.length
  if (length < minLength) return wording('must have at least {count} characters', { count: minLength })
  if (length > maxLength) return wording('must have at most {count} characters', { count: maxLength })
  return pattern === undefined || linearPattern(pattern)(value)
    ? undefined
    : wording('must match the pattern {pattern}', { pattern })
}

const textThat =
  (matches: (value: string) => boolean, mistake: Wording): Check =>
  (rules, value) =>
    text(rules, value) ?? (matches(value as string) ? undefined : mistake)

/** @param toOrder converts a valid value to a number or text that sorts like it. */
function ordered(valid: (value: unknown) => boolean, mistake: Wording, toOrder: (value: never) => number): Check {
  return ({ min, max }, value) => {
    if (!valid(value)) return mistake
    if (min === undefined && max === undefined) return undefined
    const order = toOrder(value as never)
    if (min !== undefined && order < toOrder(min as never)) return wording('must be at least {limit}', { limit: min })
    return max !== undefined && order > toOrder(max as never)
      ? wording('must be at most {limit}', { limit: max })
      : undefined
  }
}
const asNumber = (value: number) => value
const integer = ordered(Number.isSafeInteger, wording('must be an integer'), asNumber)

const isDate = (value: unknown): boolean => typeof value === 'string' && DATE.test(value) && isDay(value)
const isTime = (value: unknown) =>
  typeof value === 'string' && TIME.test(value) && isDay(value.slice(0, 10)) && !Number.isNaN(Date.parse(value))
const isUrl = (value: string) => /^https?:\/\//i.test(value) && parseUrl(value) !== undefined

const id: Check = (_rules, value) =>
  typeof value === 'string' && /^[a-z0-9_]{1,100}$/.test(value) ? undefined : wording('must be an id')

export const SMALLEST_UNIT = wording("must be an integer in the currency's smallest unit")

const CHECKS: { readonly [Type in Field['type']]: Check } = {
  text,
  longtext: text,
  markdown: text,
  slug: textThat(value => SLUG.test(value), wording('must be a slug such as first-steps')),
  email: textThat(value => EMAIL.test(cleanAddress(value)), wording('must be an email address')),
  url: textThat(isUrl, wording('must be a URL such as https://acme.example')),
  integer,
  number: ordered(Number.isFinite, wording('must be a number'), asNumber),
  money: ordered(Number.isSafeInteger, SMALLEST_UNIT, asNumber),
  boolean: (_rules, value) => (typeof value === 'boolean' ? undefined : wording('must be true or false')),
  date: ordered(isDate, wording('must be a date such as 2026-01-31'), Date.parse),
  datetime: ordered(isTime, wording('must be a time such as 2026-01-31T12:00:00Z'), Date.parse),
  duration: ordered(
    value => typeof value === 'string' && DURATION.test(value),
    wording('must be a duration such as 90m'),
    milliseconds,
  ),
  enum: ({ values = [] }, value) =>
    values.includes(value as string) ? undefined : wording('must be one of {choices}', { choices: values }),
  json: (_rules, value) => (value === undefined ? wording('must be a JSON value') : undefined),
  file: id,
  member: id,
  reference: id,
  computed: () => wording('must be left out, because it is computed'),
}
