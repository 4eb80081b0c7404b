/** The order of a list and the cursor of its next page. Pure. */
import { common, encodeCursor, wording } from '@larder-dev/larder/kernel'
import { all, any, columnOf, type Parameters } from '../conditions/condition-sql.ts'
import { findTarget, type Target, unknownName } from '../conditions/resolved-condition.ts'
import type { Collection } from '../declarations/collection.ts'
import { columnType, isNamed, NAME_COLLATION } from '../fields/column-types.ts'
import { isSortable } from '../fields/field-types.ts'
import type { View } from '../rights/view.ts'
import { badParameter } from './parameter-errors.ts'
import { listOf } from './selection.ts'

/** One key of the order. The last one is the ID, which is unique. */
export interface SortKey {
  readonly name: string
  readonly descending: boolean
  readonly nullable: boolean
  /** Whether it is ordered as names. */
  readonly isName?: boolean
  readonly kind: 'text' | 'integer' | 'number' | 'boolean' | 'time' | 'date'
  /** The value of a row, for a table with this alias. */
  sql(alias: string): string
}
export interface Order {
  readonly keys: readonly SortKey[]
  /** Part of each cursor, so that a cursor of another order is rejected. */
  readonly signature: string
}

export const MAX_SORT_FIELDS = 3
/** Characters: three texts of 600 characters. */
export const MAX_CURSOR_LENGTH = 10_000
export const NEWEST_FIRST = '-createdAt'
/** Part of the cursors of orders by texts, so that those of another collation are rejected. */
const NAME_ORDER = '~und'

/**
 * The newest rows come first by default. Throws `malformed` for fields that can't be sorted by.
 * @param sort names separated by commas, or a list of them.
 */
export function parseOrder(view: View, collection: Collection, sort: string | readonly string[] = NEWEST_FIRST): Order {
  const names = listOf(String(sort))
  if (names.length === 0 || names.length > MAX_SORT_FIELDS)
    throw badParameter('sort', 'too_many', wording('must have 1 to {count} fields', { count: MAX_SORT_FIELDS }))
  const keys = names.map(name => keyOf(view, collection, name))
  const first = keys[0] as SortKey
  const isUnique = keys.some(({ name }) => name === 'id')
  const signature = [...names, ...(keys.some(({ isName }) => isName) ? [NAME_ORDER] : [])].join(',')
  return { keys: isUnique ? keys : [...keys, idKey(first.descending)], signature }
}

/** IDs sort by their time of creation, and their index exists. */
const idKey = (descending: boolean): SortKey => ({
  name: 'id',
  descending,
  nullable: false,
  kind: 'text',
  sql: alias => `${alias}.id`,
})

function keyOf(view: View, collection: Collection, given: string): SortKey {
  const descending = given.startsWith('-')
  const name = descending ? given.slice(1) : given
  if (name === 'createdAt') return idKey(descending)
  const target = findTarget(view, collection, name)
  if (!target) throw badParameter('sort', 'unknown_field', unknownName(view, collection, name))
  if (target.kind === 'field' ? !isSortable(target.field) : !target.spec.sortable)
    throw badParameter('sort', 'not_sortable', wording("can't sort by {field}", { field: name }))
  const isName = target.kind === 'field' && isNamed(target.field)
  const collation = isName ? ` collate ${NAME_COLLATION}` : ''
  return {
    name: target.kind === 'field' ? target.field.name : name,
    descending,
    nullable: target.kind === 'field' && !target.field.required,
    isName,
    kind: kindOf(target),
    sql: alias => `${columnOf(alias, target.column)}${collation}`,
  }
}

function kindOf(target: Target): SortKey['kind'] {
  const { spec } = target
  const { type, format } = spec.schema
  if (format === 'date-time') return 'time'
  if (format === 'date') return 'date'
  if (type === 'boolean') return 'boolean'
  if (target.kind === 'field' && columnType(target.field) === 'double precision') return 'number'
  // Durations are texts in JSON and milliseconds in the table.
  return type === 'string' && typeof spec.parse('1s') === 'string' ? 'text' : 'integer'
}

/** The order of lists without `sort`. */
export const isNewestFirst = ({ keys: [first, ...rest] }: Order): boolean =>
  first?.name === 'id' && first.descending && rest.length === 0

/** The ID in a cursor of the order of `isNewestFirst`. Throws `invalid_cursor`. */
export const idOfCursor = (order: Order, cursor: string | undefined): string | undefined =>
  cursor === undefined ? undefined : (decode(cursor, order)[0] ?? undefined)

/** Nulls are last in ascending order, as PostgreSQL sorts them and as its indexes store them. */
export const orderSql = ({ keys }: Order, alias: string): string =>
  keys.map(key => `${key.sql(alias)}${key.descending ? ' desc' : ''}`).join(', ')

const EPOCH_MICROSECONDS = /^-?\d{1,18}$/

/** The values of the keys as columns `$0`, `$1`, … without loss of precision: times in microseconds since 1970. */
export const cursorColumnsSql = ({ keys }: Order, alias: string): string =>
  keys.map((key, at) => `${cursorValueSql(key, key.sql(alias))} as "$${at}"`).join(', ')

const cursorValueSql = ({ kind }: SortKey, expression: string): string =>
  kind === 'time' ? `(extract(epoch from ${expression}) * 1000000)::bigint::text` : `${expression}::text`

/** @param row with the columns of `cursorColumnsSql`. */
export const cursorOf = ({ keys, signature }: Order, row: Readonly<Record<string, unknown>>): string =>
  encodeCursor([signature, ...keys.map((_, at) => (row[`$${at}`] ?? null) as string | null)])

/**
 * The rows after the cursor as SQL conditions, whose rows follow each other. An index evaluates each of them if all keys
 * have the same direction and only the first one can be null. Throws `invalid_cursor`.
 */
export function rangesAfter(
  order: Order,
  cursor: string | undefined,
  alias: string,
  parameters: Parameters,
): readonly string[] {
  if (cursor === undefined) return ['true']
  const values = decode(cursor, order)
  const references = order.keys.map((key, at) => {
    const value = values[at] ?? null
    return value === null ? null : parameterSql(key, value, parameters)
  })
  const [first, ...rest] = order.keys
  if (first && rest.every(key => !key.nullable && key.descending === first.descending))
    return indexedRanges(order.keys, references, alias)
  const beyond = order.keys.map((key, at) =>
    all([
      ...order.keys.slice(0, at).map((before, index) => equalSql(before.sql(alias), references[index] ?? null)),
      beyondSql(key, key.sql(alias), references[at] ?? null),
    ]),
  )
  return [any(beyond)]
}

/** Comparisons of rows. Nulls are last in ascending order and first in descending order. */
function indexedRanges(keys: readonly SortKey[], references: readonly (string | null)[], alias: string): string[] {
  const [first, ...rest] = keys as readonly [SortKey, ...SortKey[]]
  const compare = (compared: readonly SortKey[], values: readonly (string | null)[]) =>
    `(${compared.map(key => key.sql(alias)).join(', ')}) ${first.descending ? '<' : '>'} (${values.join(', ')})`
  const column = first.sql(alias)
  if (references[0] === null) {
    const others = `${column} is null and ${compare(rest, references.slice(1))}`
    return first.descending ? [others, `${column} is not null`] : [others]
  }
  const later = compare(keys, references)
  return first.nullable && !first.descending ? [later, `${column} is null`] : [later]
}

const equalSql = (column: string, value: string | null): string =>
  value === null ? `${column} is null` : `${column} = ${value}`

function beyondSql({ descending, nullable }: SortKey, column: string, value: string | null): string {
  if (descending) return value === null ? `${column} is not null` : `${column} < ${value}`
  if (value === null) return 'false'
  return nullable ? `(${column} > ${value} or ${column} is null)` : `${column} > ${value}`
}

/** The types of the columns: with another type, PostgreSQL can't use an index. */
const CASTS = {
  text: 'text',
  integer: 'bigint',
  number: 'double precision',
  boolean: 'boolean',
  date: 'date',
} as const

function parameterSql({ kind }: SortKey, value: string, parameters: Parameters): string {
  const parameter = parameters.add(value)
  if (kind !== 'time') return `${parameter}::${CASTS[kind]}`
  // PostgreSQL multiplies intervals as double precision, which can't hold the microseconds of all years.
  const [seconds, rest] = [`${parameter}::bigint / 1000000`, `${parameter}::bigint % 1000000`]
  return `(timestamptz 'epoch' + (${seconds}) * interval '1 second' + (${rest}) * interval '1 microsecond')`
}

/** Cursors are untrusted: values are checked before PostgreSQL parses them. */
function decode(cursor: string, { keys, signature }: Order): (string | null)[] {
  const values = parse(cursor)
  if (!Array.isArray(values) || values.length !== keys.length + 1 || values[0] !== signature)
    throw common.invalid_cursor()
  return keys.map((key, at) => {
    const value: unknown = values[at + 1]
    if (value === null && key.nullable) return null
    if (typeof value !== 'string' || !FORMATS[key.kind](value)) throw common.invalid_cursor()
    return value
  })
}

function parse(cursor: string): unknown {
  if (cursor.length > MAX_CURSOR_LENGTH || !/^[\w-]+$/.test(cursor)) return undefined
  try {
    return JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'))
  } catch {
    return undefined
  }
}

/** Microseconds of the years 1 to 9999. */
const MAX_MICROSECONDS = 253_402_300_800_000_000
const MAX_BIGINT = 9_223_372_036_854_775_807n
const FORMATS: Readonly<Record<SortKey['kind'], (value: string) => boolean>> = {
  text: value => !/[\0\p{Cs}]/u.test(value),
  integer: value => /^-?\d{1,19}$/.test(value) && BigInt(value) <= MAX_BIGINT && BigInt(value) >= -MAX_BIGINT,
  number: value => /^-?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(value) && Number.isFinite(Number(value)),
  boolean: value => value === 'true' || value === 'false',
  time: value => EPOCH_MICROSECONDS.test(value) && Math.abs(Number(value)) < MAX_MICROSECONDS,
  date: value =>
    /^\d{4}-\d{2}-\d{2}$/.test(value) &&
    new Date(`${value}T00:00:00Z`).toString() !== 'Invalid Date' &&
    new Date(`${value}T00:00:00Z`).toISOString().startsWith(value),
}
