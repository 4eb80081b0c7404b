/** From the schema of a request to the fields of a form, and from what was typed to a body. Pure. */

import { isExactNumber } from '../../../../kernel/base/decimal.ts'
import { plainNumber } from '../../../../kernel/base/money.ts'
import { MINUTE } from '../../../../kernel/base/units.ts'
import { isDuration } from '../locales/durations.ts'
import type { CollectionField } from './collection.ts'
import { parseJson } from './json.ts'
import { toMajor, toMinor } from './money.ts'
import { type JsonSchema, type Schemas, unwrap } from './schema.ts'

export type FieldKind =
  | 'text'
  | 'longText'
  | 'number'
  | 'duration'
  | 'boolean'
  | 'enum'
  | 'dateTime'
  | 'date'
  | 'money'
  | 'list'
  | 'object'
  | 'json'
  | 'reference'
  | 'member'
  | 'file'

export interface Field {
  readonly name: string
  readonly kind: FieldKind
  readonly required: boolean
  readonly nullable: boolean
  readonly schema: JsonSchema
  readonly title: string | undefined
  readonly description: string | undefined
  /** The options of kind `enum`. */
  readonly options: readonly string[]
  /** The words of options, by their value. */
  readonly words?: Readonly<Record<string, { readonly title: string }>> | undefined
  /** The fields of kind `object`. */
  readonly fields: readonly Field[]
  /** The item of kind `list`. */
  readonly item: Field | undefined
  /** The field of a collection. */
  readonly source?: CollectionField
}

/** Kinds that fit into a cell of a table. */
const CELL_KINDS: readonly FieldKind[] = [
  'text',
  'number',
  'money',
  'boolean',
  'enum',
  'date',
  'dateTime',
  'reference',
  'member',
]
export const fitsCell = ({ kind }: Field): boolean => CELL_KINDS.includes(kind)

/** Text, a check mark, the texts of a list, or the values of an object. */
export type FormValue = string | boolean | readonly FormValue[] | FormValues
export interface FormValues {
  readonly [name: string]: FormValue
}
/** A value that can't be sent. */
export interface InvalidValue {
  readonly pointer: string
  readonly reason: 'required' | 'number' | 'json' | 'date'
}

/** Longer texts get a text area if their name promises prose. */
const MAX_INPUT_LENGTH = 300
/** Longer texts get a text area whatever their name is. */
const MAX_LINE_LENGTH = 5000
/** Deeper objects are edited as JSON. */
const MAX_DEPTH = 3
const LONG_NAMES = /^(body|description|text|message|notes?|content|markdown|html|summary)$/i

/** Start of the pattern of a person's ID, who is chosen by name. */
const USER_ID = '^usr_'
const USER: CollectionField = { type: 'user', operators: [], sortable: false }

/** @param order names of properties; others are left out. */
export function formFields(schema: JsonSchema, schemas: Schemas, order: readonly string[] | null = null): Field[] {
  const { schema: body } = unwrap(schema, schemas)
  // Collections accept one row or a list of rows.
  const one = body.properties ? body : (body.anyOf?.find(option => option.properties) ?? body)
  const { properties = {}, required = [] } = one
  const names = order ?? Object.keys(properties)
  return names.flatMap(name => {
    const property = properties[name]
    if (!property) return []
    const field = fieldOf(name, property, schemas, required.includes(name), 1)
    return field.schema.readOnly ? [] : [field]
  })
}

function fieldOf(name: string, given: JsonSchema, schemas: Schemas, required: boolean, depth: number): Field {
  const { schema, nullable } = unwrap(given, schemas)
  const kind = kindOf(name, schema, schemas, depth)
  return {
    name,
    kind,
    required,
    nullable: nullable || (schema.enum?.includes(null) ?? false),
    schema,
    title: schema.title,
    description: schema.description,
    options: kind === 'enum' ? (schema.enum ?? []).filter(option => option !== null).map(String) : [],
    fields:
      kind === 'object'
        ? Object.entries(schema.properties ?? {}).map(([key, property]) =>
            fieldOf(key, property, schemas, schema.required?.includes(key) ?? false, depth + 1),
          )
        : [],
    ...(kind === 'member' && { source: USER }),
    item: kind === 'list' ? fieldOf('', schema.items ?? {}, schemas, true, depth + 1) : undefined,
  }
}

function kindOf(name: string, schema: JsonSchema, schemas: Schemas, depth: number): FieldKind {
  if (schema.enum) return 'enum'
  switch (schema.type) {
    case 'boolean':
      return 'boolean'
    case 'integer':
      if (isDuration(name)) return 'duration'
      return /(amount|price|cents|minor)$/i.test(name) && /minor unit|cents/i.test(schema.description ?? '')
        ? 'money'
        : 'number'
    case 'number':
      return 'number'
    case 'string':
      if (schema.format === 'date-time') return 'dateTime'
      if (schema.format === 'date') return 'date'
      if (schema.pattern?.startsWith(USER_ID)) return 'member'
      return isProse(name, schema) ? 'longText' : 'text'
    case 'array': {
      const item = unwrap(schema.items ?? {}, schemas).schema
      const isPlain = item.type === 'string' || item.type === 'number' || item.type === 'integer' || item.enum
      return isPlain || (isRecord(item) && depth < MAX_DEPTH) ? 'list' : 'json'
    }
    case 'object':
      return isRecord(schema) && depth < MAX_DEPTH ? 'object' : 'json'
    default:
      return 'json'
  }
}

const isProse = (name: string, { pattern, format, maxLength = 0 }: JsonSchema): boolean =>
  LONG_NAMES.test(name)
    ? maxLength > MAX_INPUT_LENGTH
    : maxLength > MAX_LINE_LENGTH && pattern === undefined && format === undefined
const isRecord = ({ type, properties = {} }: JsonSchema): boolean =>
  type === 'object' && Object.keys(properties).length > 0

/** The types of a value that has one of several: `boolean`, `string`; none for other schemas. */
export const anyTypes = ({ anyOf = [] }: JsonSchema): readonly string[] => {
  const types = anyOf.flatMap(({ type }) => (typeof type === 'string' ? [type] : []))
  return types.length === anyOf.length && types.includes('string') ? types : []
}

/** A value that a record must have and that can be on or off is off. */
export const emptyValue = (field: Field): FormValue =>
  formValue(
    field,
    field.schema.default ?? (field.required && anyTypes(field.schema)[0] === 'boolean' ? false : undefined),
  )

/** What a form shows for a value of a record. @param currency of its amounts. */
function formValue(field: Field, value: unknown, currency?: unknown): FormValue {
  switch (field.kind) {
    case 'boolean':
      // An optional check mark that nobody set is not sent.
      return value === undefined || value === null ? (field.required ? false : '') : value === true
    case 'object':
      return Object.fromEntries(
        field.fields.map(inner => [
          inner.name,
          formValue(inner, (value as Record<string, unknown> | null)?.[inner.name], currency),
        ]),
      )
    case 'list':
      return Array.isArray(value) && field.item ? value.map(item => formValue(field.item as Field, item, currency)) : []
    case 'json':
      return value === undefined ? '' : JSON.stringify(value, null, 2)
    case 'money':
      return typeof value === 'number' ? toMajor(value, field.source?.currency ?? currency) : ''
    case 'dateTime':
      return typeof value === 'string' ? toLocalTime(value) : ''
    case 'reference':
      return field.source?.reference?.many ? (Array.isArray(value) ? value.map(String) : []) : String(value ?? '')
    default:
      return value === undefined || value === null ? '' : String(value)
  }
}

export const formValues = (fields: readonly Field[], record: Readonly<Record<string, unknown>> = {}): FormValues =>
  Object.fromEntries(
    fields.map(field => [
      field.name,
      record[field.name] === undefined ? emptyValue(field) : formValue(field, record[field.name], record.currency),
    ]),
  )

/** The value for `<input type="datetime-local">`, in the zone of the browser. */
export function toLocalTime(instant: string): string {
  const date = new Date(instant)
  if (Number.isNaN(date.getTime())) return ''
  const local = new Date(date.getTime() - date.getTimezoneOffset() * MINUTE)
  return local.toISOString().slice(0, 19)
}

/**
 * The body of a request.
 * @param before the values that the form started with: unchanged fields are left out.
 */
export function formBody(
  fields: readonly Field[],
  values: FormValues,
  before?: FormValues,
): { readonly body: Record<string, unknown>; readonly invalid: readonly InvalidValue[] } {
  const invalid: InvalidValue[] = []
  const body: Record<string, unknown> = {}
  for (const field of fields) {
    const value = values[field.name] ?? ''
    // In another currency, the same text is another amount.
    const isOther =
      field.kind === 'money' && field.source?.currency === undefined && before?.currency !== values.currency
    if (before && !isOther && isSame(value, before[field.name] ?? '')) continue
    const currency = field.source?.currency ?? values.currency
    const sent = sentValue(field, value, `/${field.name}`, { invalid, currency })
    if (sent !== undefined) body[field.name] = sent
    else if (before && field.nullable) body[field.name] = null
    else if (before && (field.kind === 'list' || Array.isArray(value))) body[field.name] = []
    else if (before && (field.kind === 'text' || field.kind === 'longText')) {
      // Only fields of a collection that a row must have can't be null.
      if (field.source) invalid.push({ pointer: `/${field.name}`, reason: 'required' })
      else body[field.name] = ''
    }
  }
  return { body, invalid }
}

export const isSame = (a: FormValue | undefined, b: FormValue | undefined): boolean =>
  JSON.stringify(a) === JSON.stringify(b)

interface Reading {
  readonly invalid: InvalidValue[]
  readonly currency: unknown
}

function sentValue(field: Field, value: FormValue, pointer: string, reading: Reading): unknown {
  if (field.kind === 'boolean') return value === '' ? undefined : value === true
  if (field.kind === 'reference' && Array.isArray(value)) return value.length === 0 ? undefined : value
  if (field.kind === 'list' && Array.isArray(value)) {
    const items = value.map((item, index) =>
      // An item that was added and left empty is not sent.
      item === '' ? undefined : sentValue(field.item as Field, item, `${pointer}/${index}`, reading),
    )
    const set = items.filter(item => item !== undefined)
    return set.length === 0 && !field.required ? undefined : set
  }
  if (field.kind === 'object') {
    const invalid: InvalidValue[] = []
    const entries = field.fields.flatMap(inner => {
      const sent = sentValue(inner, (value as FormValues)[inner.name] ?? '', `${pointer}/${inner.name}`, {
        ...reading,
        invalid,
      })
      return sent === undefined ? [] : [[inner.name, sent] as const]
    })
    // An optional object that was left empty is not sent.
    const isLeft = entries.length === 0 && !field.required
    reading.invalid.push(...invalid.filter(({ reason }) => !isLeft || reason !== 'required'))
    return isLeft ? undefined : Object.fromEntries(entries)
  }
  const text = String(value)
  if (text === '') {
    if (field.required && !field.nullable) reading.invalid.push({ pointer, reason: 'required' })
    return undefined
  }
  if (field.kind === 'enum') return field.schema.enum?.find(option => String(option) === text) ?? text
  return parsed(field, text, pointer, reading)
}

function parsed({ kind, schema }: Field, text: string, pointer: string, { invalid, currency }: Reading): unknown {
  const fail = (reason: InvalidValue['reason']) => {
    invalid.push({ pointer, reason })
    return undefined
  }
  if (kind === 'money') return toMinor(text, currency) ?? fail('number')
  if (kind === 'number' || kind === 'duration') {
    const written = kind === 'number' ? plainNumber(text, false, schema.type === 'integer') : text.replace(',', '.')
    const number = Number(written)
    return written !== undefined && Number.isFinite(number) && isExactNumber(written.trim()) ? number : fail('number')
  }
  if (kind === 'dateTime') {
    const date = new Date(text)
    return Number.isNaN(date.getTime()) ? fail('date') : date.toISOString()
  }
  if (kind !== 'json') return text
  try {
    return parseJson(text)
  } catch {
    return fail('json')
  }
}
