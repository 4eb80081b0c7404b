/** The inputs of a form in a page, as the partial `form-fields` shows them. Pure. */
import { type FieldError, pickText, type Wording, wording } from '@larder-dev/larder/kernel'
import { decimalAmount, parseAmount } from '@larder-dev/larder/kernel/internal'
import type { Collection, Field } from '../declarations/collection.ts'
import { specOf } from './field-types.ts'
import { valueLabel } from './value-label.ts'
import { SMALLEST_UNIT } from './value-validation.ts'

export interface FormState {
  /** Distinguishes the ids of forms of one page. */
  readonly prefix: string
  readonly names: readonly string[]
  readonly locale: string
  /** Undefined for a new form. */
  readonly input: Readonly<Record<string, string>> | undefined
  readonly errors: readonly FieldError[]
}

/** Returns the inputs, and a line for each error. The anchor of an error that concerns no input is empty. */
export function formItems(collection: Pick<Collection, 'fields'>, state: FormState) {
  const { names, errors, prefix, locale } = state
  const idOf = (name: string) => `${prefix}-${name}`
  const fieldOf = ({ pointer }: FieldError) => pointer.split('/')[1] ?? ''
  const sentence = (error: FieldError) => {
    const field = collection.fields.get(fieldOf(error))
    const [, , ...inside] = error.pointer.split('/')
    // The place in a JSON value.
    const place = inside.length > 0 ? ` /${inside.join('/')}` : ''
    const label = (field ? pickText(field.label, locale, 'en') : fieldOf(error)) + place
    const problem = field ? asTyped(field, error.wording, locale) : error.wording
    return label === '' ? wording('{problem}.', { problem }) : wording('{field} {problem}.', { field: label, problem })
  }
  const items = names.flatMap(name => {
    const field = collection.fields.get(name)
    const error = errors.find(found => fieldOf(found) === name)
    return field ? [formItem(field, idOf(name), error ? sentence(error) : '', state)] : []
  })
  const summary = errors.map(error => ({
    text: sentence(error),
    anchor: names.includes(fieldOf(error)) ? `#${idOf(fieldOf(error))}` : '',
  }))
  return { items, summary }
}

/** The error in the terms of the inputs: amounts with their decimals, and choices by their labels. */
function asTyped(field: Field, error: Wording, locale: string): Wording {
  const { type, currency = 'EUR', values = [] } = field
  const { sentence, values: given } = error
  if (type === 'enum' && sentence === CHOICES)
    return { sentence, values: { choices: values.map(each => valueLabel(field, each, locale)) } }
  if (type !== 'money') return error
  const { limit } = given
  if (typeof limit === 'number') return { sentence, values: { ...given, limit: decimalAmount(limit, currency) } }
  return sentence === SMALLEST_UNIT.sentence
    ? wording('must be an amount such as {example}', { example: decimalAmount(1950, currency) })
    : error
}
const CHOICES = 'must be one of {choices}'

function formItem(field: Field, id: string, error: Wording | '', { locale, input }: FormState) {
  const { name, type, required, defaultFrom, values = [], states, maxLength, currency } = field
  const label = pickText(field.label, locale, 'en')
  const help = field.help === undefined ? '' : pickText(field.help, locale, 'en')
  const value = input ? (input[name] ?? '') : textOf(field, field.default)
  const unit = type === 'datetime' ? ' (UTC)' : type === 'money' && currency !== undefined ? ` (${currency})` : ''
  return {
    kind: KINDS[type] ?? 'input',
    id,
    name,
    label: label + unit,
    help,
    error,
    describedBy: [help && `${id}-help`, error && `${id}-error`].filter(Boolean).join(' '),
    required: required && type !== 'boolean' && defaultFrom === undefined,
    type: INPUT_TYPES[type] ?? 'text',
    value,
    checked: value === 'true',
    boxes: (states?.initial ?? values).map(each => ({
      value: each,
      label: valueLabel(field, each, locale),
      checked: each === value,
    })),
    attributes: {
      min: limitOf(field, field.min),
      max: limitOf(field, field.max),
      step: stepOf(field),
      maxlength: maxLength === undefined ? '' : String(maxLength),
      placeholder: '',
      autocomplete: type === 'email' ? 'email' : '',
      rows: '5',
    },
  }
}

const KINDS: Partial<Record<Field['type'], 'textarea' | 'select' | 'checkbox'>> = {
  longtext: 'textarea',
  markdown: 'textarea',
  json: 'textarea',
  boolean: 'checkbox',
  enum: 'select',
}
const INPUT_TYPES: Partial<Record<Field['type'], string>> = {
  email: 'email',
  url: 'url',
  integer: 'number',
  number: 'number',
  money: 'number',
  date: 'date',
  datetime: 'datetime-local',
}

function stepOf({ type, currency = 'EUR' }: Field): string {
  if (type === 'integer') return '1'
  if (type === 'number') return 'any'
  return type === 'money' ? decimalAmount(1, currency) : ''
}

/** A bound of an input; only numbers and dates have one. */
function limitOf(field: Field, limit: number | string | undefined): string {
  return limit !== undefined && ['integer', 'number', 'money', 'date', 'datetime'].includes(field.type)
    ? textOf(field, limit)
    : ''
}

/** The text of a value in its input. */
function textOf({ type, currency = 'EUR' }: Field, value: unknown): string {
  if (value === undefined || value === null) return ''
  if (type === 'money') return decimalAmount(Number(value), currency)
  if (type === 'json') return JSON.stringify(value, null, 2)
  return type === 'datetime' ? String(value).slice(0, 16) : String(value)
}

/** Parses the text of an input. Returns undefined for an empty text, and the text itself if it isn't a value of the field. */
export function valueOfText(field: Field, text: string): unknown {
  if (field.type === 'boolean') return text === 'true'
  if (TEXTS.includes(field.type)) return text === '' ? undefined : text.replaceAll('\r\n', '\n')
  const trimmed = text.trim()
  if (trimmed === '') return undefined
  if (field.type === 'money') return parseAmount(trimmed, field.currency ?? 'EUR') ?? trimmed
  const { parse, toColumn, fromColumn } = specOf(field)
  const parsed = parse(field.type === 'datetime' && LOCAL_TIME.test(trimmed) ? withZone(trimmed) : trimmed)
  return parsed === undefined ? trimmed : fromColumn(toColumn(parsed))
}

const TEXTS: readonly Field['type'][] = ['text', 'longtext', 'markdown']
const LOCAL_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?$/
const withZone = (text: string): string => (text.length === 16 ? `${text}:00Z` : `${text}Z`)

/** The texts of the inputs of values. */
export const inputTexts = (
  fields: readonly Field[],
  values: Readonly<Record<string, unknown>>,
): Readonly<Record<string, string>> =>
  Object.fromEntries(fields.map(field => [field.name, textOf(field, values[field.name])]))
