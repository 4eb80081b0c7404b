/** Compares the field of a table with that of the recipe. Pure. */
import { isBlank } from '@larder-dev/larder/kernel'
import { linearPattern } from '../fields/patterns.ts'
import type { FieldLayout, Rules } from '../tables/layout.ts'
import { columnValue, literal, quoteName } from '../tables/sql-literals.ts'
import { defaultSql } from '../tables/table-sql.ts'
import type { Check } from './schema-plan.ts'

/** Where the values of a field are before the change. */
export interface Place {
  readonly table: string
  readonly column: string
  /** The SQL expression of a value that is computed from the row. */
  readonly sql?: string
}
const sqlOf = ({ column, sql }: Place): string => sql ?? quoteName(column)

export interface FieldChange {
  readonly details: readonly string[]
  readonly checks: readonly Check[]
  readonly notes: readonly Check[]
  readonly sql: readonly string[]
  /** Whether generated columns that read the column must be created again. */
  readonly changesType: boolean
}

const TEXTS: readonly FieldLayout['type'][] = ['text', 'longtext', 'markdown', 'slug', 'email', 'url', 'enum']
const INTEGERS: readonly FieldLayout['type'][] = ['integer', 'money']

/** Whether values of one type are values of the other, apart from its rules. */
export function isConvertible(from: FieldLayout, to: FieldLayout): boolean {
  if (from.reference || to.reference)
    return from.reference?.to === to.reference?.to && from.reference?.many === to.reference?.many
  if (from.type === to.type) return true
  if (TEXTS.includes(from.type) && TEXTS.includes(to.type)) return true
  if (INTEGERS.includes(from.type) && INTEGERS.includes(to.type)) return true
  return (INTEGERS.includes(from.type) && to.type === 'number') || (from.type === 'date' && to.type === 'datetime')
}

/** @param table name of the table after the change. */
export function compareField(from: FieldLayout, to: FieldLayout, table: string, place: Place): FieldChange {
  const parts = [
    compareType(from, to, table, place),
    compareRequired(from, to, table, place),
    compareRules(from, to, place),
    compareUnique(from, to, place),
    compareRest(from, to),
  ]
  return {
    details: parts.flatMap(({ details }) => details),
    checks: parts.flatMap(({ checks }) => checks),
    notes: parts.flatMap(({ notes }) => notes),
    sql: parts.flatMap(({ sql }) => sql),
    changesType: from.columnType !== to.columnType,
  }
}

type Part = Omit<FieldChange, 'changesType'>
const NOTHING: Part = { details: [], checks: [], notes: [], sql: [] }

/** Formats that values of a type have, as POSIX patterns. */
const FORMATS: { readonly [Type in FieldLayout['type']]?: string } = {
  slug: '^[a-z0-9]+(-[a-z0-9]+)*$',
  email: '^[^[:space:]@<>]+@[^[:space:]@<>]+$',
  url: '^[Hh][Tt][Tt][Pp][Ss]?://',
}

function compareType(from: FieldLayout, to: FieldLayout, table: string, place: Place): Part {
  if (from.type === to.type) return NOTHING
  const format = FORMATS[to.type]
  const cast =
    to.type === 'datetime'
      ? `${quoteName(to.column)}::timestamp at time zone 'UTC'`
      : `${quoteName(to.column)}::${to.columnType}`
  return {
    ...NOTHING,
    details: [`type ${from.type} → ${to.type}`],
    checks:
      format === undefined
        ? []
        : [unfit(place, `${sqlOf(place)} !~ ${literal(format)}`, `not of type ${to.type}: {count} ({keys})`)],
    sql:
      from.columnType === to.columnType
        ? []
        : [`alter table ${quoteName(table)} alter column ${quoteName(to.column)} type ${to.columnType} using ${cast}`],
  }
}

function compareRequired(from: FieldLayout, to: FieldLayout, table: string, place: Place): Part {
  if (from.required === to.required || to.joinTable !== null) return NOTHING
  const [name, column] = [quoteName(table), quoteName(to.column)]
  if (!to.required)
    return { ...NOTHING, details: ['optional'], sql: [`alter table ${name} alter column ${column} drop not null`] }
  const standard = defaultSql(to)
  return {
    details: ['required'],
    checks:
      standard === undefined
        ? [
            unfit(
              place,
              `${quoteName(place.column)} is null`,
              'no value, and the field has no default: {count} ({keys})',
            ),
          ]
        : [],
    notes: TEXTS.includes(to.type) && to.type !== 'enum' ? [blanks(place)] : [],
    sql: [
      ...(standard === undefined ? [] : [`update ${name} set ${column} = ${standard} where ${column} is null`]),
      `alter table ${name} alter column ${column} set not null`,
    ],
  }
}

function compareRules(from: FieldLayout, to: FieldLayout, place: Place): Part {
  const changed = (Object.keys(to.rules) as (keyof Rules)[]).filter(
    name => JSON.stringify(from.rules[name]) !== JSON.stringify(to.rules[name]),
  )
  const column = sqlOf(place)
  const value = (bound: string | number) => `${columnValue(to.type, bound)}::${from.columnType}`
  const { minLength, maxLength, min, max, pattern, values } = to.rules
  const checkOf: { readonly [Name in keyof Rules]: () => Check | undefined } = {
    minLength: () =>
      minLength === null || isAtLeast(from.rules.minLength, minLength)
        ? undefined
        : unfit(
            place,
            `char_length(${column}) < ${minLength}`,
            `shorter than ${minLength} characters: {count} ({keys})`,
          ),
    maxLength: () =>
      maxLength === null || isAtLeast(maxLength, from.rules.maxLength)
        ? undefined
        : unfit(
            place,
            `char_length(${column}) > ${maxLength}`,
            `longer than ${maxLength} characters: {count} ({keys})`,
          ),
    min: () => (min === null ? undefined : unfit(place, `${column} < ${value(min)}`, `below ${min}: {count} ({keys})`)),
    max: () => (max === null ? undefined : unfit(place, `${column} > ${value(max)}`, `above ${max}: {count} ({keys})`)),
    pattern: () =>
      pattern === null
        ? undefined
        : {
            ...unfit(place, `${column} is not null`, `not matching ${pattern}: {count} ({keys})`),
            reads: { table: place.table, value: column, accepts: linearPattern(pattern) },
          },
    values: () => {
      const removed = values && from.rules.values?.every(word => values.includes(word))
      return !values || removed
        ? undefined
        : unfit(
            place,
            `${column} <> all (array[${values.map(literal).join(', ')}]::text[])`,
            `a value that is not listed: {count} ({keys})`,
          )
    },
  }
  return {
    ...NOTHING,
    details: changed.map(name => `${name} ${format(from.rules[name])} → ${format(to.rules[name])}`),
    checks: changed.flatMap(name => checkOf[name]() ?? []),
  }
}

const isAtLeast = (large: number | null, small: number | null): boolean =>
  large !== null && small !== null && large >= small
const format = (value: unknown): string =>
  value === null ? 'none' : Array.isArray(value) ? value.join('|') : String(value)

function compareUnique(from: FieldLayout, to: FieldLayout, place: Place): Part {
  if (from.unique === to.unique) return NOTHING
  return {
    ...NOTHING,
    details: [to.unique ? 'unique' : 'not unique'],
    checks: to.unique ? [duplicates(place.table, [sqlOf(place)])] : [],
  }
}

function compareRest(from: FieldLayout, to: FieldLayout): Part {
  const details = [
    ...(from.index === to.index ? [] : [to.index ? 'index' : 'no index']),
    ...(describeDefault(from) === describeDefault(to)
      ? []
      : [`default ${describeDefault(from)} → ${describeDefault(to)}`]),
    ...(from.onUpdate === to.onUpdate ? [] : [to.onUpdate ? `onUpdate ${to.onUpdate}` : 'no onUpdate']),
    ...(from.sequence === to.sequence || from.sequence === undefined
      ? []
      : [to.sequence === undefined ? 'no sequence' : `sequence ${from.sequence} → ${to.sequence}`]),
    ...(from.reference && to.reference && from.reference.onDelete !== to.reference.onDelete
      ? [`onDelete ${from.reference.onDelete} → ${to.reference.onDelete}`]
      : []),
  ]
  return { ...NOTHING, details }
}

/** `"open"`, `$now`, or an expression. */
export function describeDefault({ default: standard, defaultFrom }: FieldLayout): string {
  if (!defaultFrom) return JSON.stringify(standard)
  return 'variable' in defaultFrom ? defaultFrom.variable : defaultFrom.expression
}

const unfit = ({ table }: Place, where: string, message: string): Check => ({
  from: `${quoteName(table)} where ${where}`,
  key: 'id',
  noun: 'row',
  message,
})

/** Rows keep such a text until the field is changed. */
const blanks = (place: Place): Check => ({
  ...unfit(
    place,
    `${sqlOf(place)} is not null`,
    'a text that shows nothing, which stays until it is changed: {count} ({keys})',
  ),
  reads: { table: place.table, value: sqlOf(place), accepts: value => !isBlank(value) },
})

/** What computed values of a field must fit. */
export function valueChecks(to: FieldLayout, place: Place): Check[] {
  const none = { minLength: null, maxLength: null, min: null, max: null, pattern: null, values: null }
  const from: FieldLayout = { ...to, unique: false, rules: none }
  const format = FORMATS[to.type]
  return [
    ...(to.required ? [unfit(place, `${sqlOf(place)} is null`, 'no value from using: {count} ({keys})')] : []),
    ...(format === undefined
      ? []
      : [unfit(place, `${sqlOf(place)} !~ ${literal(format)}`, `not of type ${to.type}: {count} ({keys})`)]),
    ...compareRules(from, to, place).checks,
    ...compareUnique(from, to, place).checks,
  ]
}

/** Values that occur more than once in a workspace. @param values SQL. @param where SQL of the rows that count. */
export function duplicates(table: string, values: readonly string[], where = 'true'): Check {
  const names = values.map((_, at) => `v${at}`)
  const present = values.map(value => `${value} is not null`).join(' and ')
  return {
    from: `(select ${values.map((value, at) => `${value} as v${at}`).join(', ')} from ${quoteName(table)} where deleted_at is null and ${where} and ${present}
      group by tenant_id, ${values.join(', ')} having count(*) > 1) as found`,
    key: `concat_ws(', ', ${names.map(name => `${name}::text`).join(', ')})`,
    noun: 'value',
    message: 'more than once in a workspace: {count} ({keys})',
  }
}
