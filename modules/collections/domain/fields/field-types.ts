/** What each field type means: its JSON value, its column value, its schema, its operators. Pure. */
import { idPattern, type JsonSchema, plainNumber } from '@larder-dev/larder/kernel'
import { cleanAddress, isExactNumber, type Operators, textError } from '@larder-dev/larder/kernel/internal'
import type { Field, FieldType, SystemField } from '../declarations/collection.ts'
import { isDay } from './days.ts'
import { DURATION_VALUE_PATTERN, durationSql, formatDuration, parseDuration } from './durations.ts'

export type Operator = keyof Operators
/** A value as memory compares it: milliseconds for times and durations. */
export type Comparable = string | number | boolean

export interface FieldTypeSpec {
  /** The JSON value without the field's own bounds. */
  readonly schema: JsonSchema
  readonly operators: readonly Operator[]
  readonly sortable: boolean
  /** Parses a JSON value that matches the schema, or a text in a query. Returns undefined if it isn't a value of the type. */
  readonly parse: (value: unknown) => Comparable | undefined
  /** Parameter of a statement. */
  readonly toColumn: (value: Comparable) => unknown
  /** JSON value of a column, or of a member of `row_to_json`. */
  readonly fromColumn: (value: unknown) => unknown
  /** A column as SQL whose value `row_to_json` writes as `fromColumn` returns it. Without it, the column itself. */
  readonly jsonSql?: (column: string) => string
}

const EQUALITY = ['eq', 'ne', 'in', 'notIn', 'exists'] as const
const ORDER = [...EQUALITY, 'gt', 'gte', 'lt', 'lte'] as const
const TEXT = [...ORDER, 'contains', 'startsWith', 'endsWith'] as const

/** Characters. Longer sort values would not fit into a cursor. */
const MAX_SORTABLE_LENGTH = 600

const same = (value: unknown): unknown => value
const text = (
  options: { readonly schema?: JsonSchema; readonly operators?: readonly Operator[]; readonly sortable?: boolean } = {},
): FieldTypeSpec => ({
  schema: { type: 'string', ...options.schema },
  operators: options.operators ?? TEXT,
  sortable: options.sortable ?? false,
  // Equal texts have equal bytes, wherever they come from.
  parse: value => (typeof value === 'string' && textError(value) === undefined ? value.normalize('NFC') : undefined),
  toColumn: same,
  fromColumn: same,
})

function parseNumber(value: unknown): number | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined
  if (typeof value !== 'string' || !/^-?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(value)) return undefined
  const number = Number(value)
  return Number.isFinite(number) && isExactNumber(value) ? number : undefined
}
function parseInteger(value: unknown): number | undefined {
  // Whoever writes `1.000` means a thousand.
  if (typeof value === 'string' && plainNumber(value, false, true) === undefined) return undefined
  const number = parseNumber(value)
  return Number.isSafeInteger(number) ? number : undefined
}
const integer: FieldTypeSpec = {
  schema: { type: 'integer', minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER },
  operators: ORDER,
  sortable: true,
  parse: parseInteger,
  toColumn: same,
  fromColumn: Number,
}
const number: FieldTypeSpec = { ...integer, schema: { type: 'number' }, parse: parseNumber }
/** Excel writes TRUE and FALSE. */
const parseBoolean = (text: string): boolean | undefined =>
  /^true$/i.test(text) ? true : /^false$/i.test(text) ? false : undefined
const boolean: FieldTypeSpec = {
  schema: { type: 'boolean' },
  operators: EQUALITY,
  sortable: true,
  parse: value => (typeof value === 'boolean' ? value : typeof value === 'string' ? parseBoolean(value) : undefined),
  toColumn: same,
  fromColumn: same,
}

const MIN_TIME = Date.parse('0001-01-01T00:00:00Z')
const MAX_TIME = Date.parse('9999-12-31T23:59:59.999Z')
const DATE = /^\d{4}-\d{2}-\d{2}$/
const DATE_TIME = /^\d{4}-\d{2}-\d{2}[Tt ]\d{2}:\d{2}:\d{2}(\.\d+)?([Zz]|[+-]\d{2}:?\d{2})$/

function parseTime(value: unknown): number | undefined {
  // In a query, an unescaped `+` is a space.
  if (typeof value !== 'string') return undefined
  const given = value.includes(' ') ? value.replace(/ (\d{2}:?\d{2})$/, '+$1') : value
  if (!DATE_TIME.test(given) || !isDay(given.slice(0, 10))) return undefined
  const time = Date.parse(given.toUpperCase().replace(' ', 'T'))
  return time >= MIN_TIME && time <= MAX_TIME ? time : undefined
}
function parseDate(value: unknown): string | undefined {
  return typeof value === 'string' && DATE.test(value) && isDay(value) ? value : undefined
}
/** The form of a time in `row_to_json`, with up to six decimals. */
const UTC = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2})(?:\.(\d{1,6}))?\+00:00$/
/** The form that `iso` returns. */
const ISO = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/
function iso(value: unknown): string {
  if (value instanceof Date) return value.toISOString()
  if (ISO.test(value as string)) return value as string
  const [, seconds, decimals = ''] = UTC.exec(value as string) ?? []
  if (seconds === undefined) return new Date(value as string).toISOString()
  return `${seconds}.${decimals.slice(0, 3).padEnd(3, '0')}Z`
}

const datetime: FieldTypeSpec = {
  schema: { type: 'string', format: 'date-time' },
  operators: ORDER,
  sortable: true,
  parse: parseTime,
  toColumn: value => new Date(value as number).toISOString(),
  fromColumn: iso,
  jsonSql: column => `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`,
}
const date: FieldTypeSpec = {
  schema: { type: 'string', format: 'date' },
  operators: ORDER,
  sortable: true,
  parse: parseDate,
  toColumn: same,
  fromColumn: same,
}
const duration: FieldTypeSpec = {
  schema: { type: 'string', pattern: DURATION_VALUE_PATTERN, examples: ['90m'] },
  operators: ORDER,
  sortable: true,
  parse: value => (typeof value === 'string' ? parseDuration(value) : undefined),
  toColumn: same,
  fromColumn: value => formatDuration(Number(value)),
  jsonSql: durationSql,
}
const json: FieldTypeSpec = {
  schema: {},
  operators: ['exists'],
  sortable: false,
  parse: () => undefined,
  toColumn: same,
  fromColumn: same,
}

const id = (schema: JsonSchema): FieldTypeSpec => text({ schema, operators: EQUALITY })

const SPECS: Readonly<Record<Exclude<FieldType, 'computed'>, FieldTypeSpec>> = {
  text: text({ sortable: true }),
  longtext: text(),
  markdown: text(),
  slug: text({ schema: { pattern: '^[a-z0-9]+(-[a-z0-9]+)*$', examples: ['my-first-course'] }, sortable: true }),
  email: {
    ...text({ schema: { format: 'email' }, sortable: true }),
    parse: value => (typeof value === 'string' && textError(value) === undefined ? cleanAddress(value) : undefined),
  },
  // No other schemes: a link to `javascript:` would run in the page that shows it.
  url: text({ schema: { format: 'uri', pattern: '^[Hh][Tt][Tt][Pp][Ss]?://', examples: ['https://example.com/'] } }),
  integer,
  number,
  money: integer,
  boolean,
  date,
  datetime,
  duration,
  enum: text({ sortable: true }),
  json,
  file: id({ pattern: idPattern('med') }),
  member: id({ pattern: idPattern('mem') }),
  reference: id({ maxLength: 64 }),
}
const MANY_REFERENCE: FieldTypeSpec = { ...SPECS.reference, operators: [...EQUALITY, 'contains'] }
const COMPUTED = { text: { ...SPECS.text, sortable: false }, number, integer, boolean, date, datetime } as const

export function specOf(field: Pick<Field, 'type' | 'computed' | 'reference'>): FieldTypeSpec {
  if (field.type === 'computed') return COMPUTED[field.computed?.of ?? 'text']
  if (field.type === 'reference' && field.reference?.many) return MANY_REFERENCE
  return SPECS[field.type as Exclude<FieldType, 'computed'>]
}

export const SYSTEM_SPECS: Readonly<Record<SystemField, FieldTypeSpec>> = {
  id: { ...id({}), sortable: true },
  createdAt: datetime,
  updatedAt: datetime,
  createdBy: id({}),
  revision: integer,
}

/** Whether lists can be sorted by the field. Private fields can't be. */
export function isSortable(field: Field): boolean {
  const { sortable } = specOf(field)
  return sortable && !field.private && (field.maxLength ?? 0) <= MAX_SORTABLE_LENGTH
}
export const operatorsOf = (field: Field): readonly Operator[] => (field.private ? [] : specOf(field).operators)

/** The day of a time, in UTC. */
export const dayOf = (time: string): string => new Date(time).toISOString().slice(0, 10)
