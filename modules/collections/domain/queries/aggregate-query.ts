/** Compiles `GET /aggregate` to one statement. Pure. */
import { type PeriodStep, periodsOf, type ReportPeriods, wording } from '@larder-dev/larder/kernel'
import { all, columnOf, Parameters } from '../conditions/condition-sql.ts'
import { findTarget, type Target, unknownName } from '../conditions/resolved-condition.ts'
import type { Collection } from '../declarations/collection.ts'
import type { View } from '../rights/view.ts'
import { quoteName } from '../tables/sql-literals.ts'
import { parseFilters, type Query } from './filters.ts'
import { matchingSql, type Statement } from './list-query.ts'
import { badParameter } from './parameter-errors.ts'
import { listOf, nameOf, type Selection } from './selection.ts'
import { type Columns, targetSql } from './selection-sql.ts'

export interface AggregateParameters extends Query {
  readonly group?: string | undefined
  /** Counts in periods instead of groups. */
  readonly by?: PeriodStep | undefined
  /** Field of the time; `createdAt` by default. */
  readonly time?: string | undefined
  readonly from?: string | undefined
  readonly to?: string | undefined
  readonly timeZone?: string | undefined
  readonly limit?: number | undefined
  readonly sum?: string | undefined
  readonly avg?: string | undefined
  readonly min?: string | undefined
  readonly max?: string | undefined
}

const FUNCTIONS = ['sum', 'avg', 'min', 'max'] as const
type AggregateFunction = (typeof FUNCTIONS)[number]
const MAX_GROUP_FIELDS = 3
const MAX_VALUES = 10
const DEFAULT_GROUPS = 100

interface Value {
  readonly name: AggregateFunction
  readonly target: Target
}
export interface AggregatePlan {
  readonly groups: readonly Target[]
  /** Undefined without `by`. */
  readonly periods: ReportPeriods | undefined
  readonly values: readonly Value[]
  readonly statement: Statement
}
export interface AggregateGroup {
  /** First day of the period. */
  readonly start?: string
  readonly group: Readonly<Record<string, unknown>>
  readonly count: number
  readonly [name: string]: unknown
}

/**
 * Fields that the caller can't read are unknown. Throws `malformed` and `validation_failed`.
 * @param now the last period is that of this time if the query names none.
 */
export function planAggregate(
  view: View,
  collection: Collection,
  query: AggregateParameters,
  now: number,
): AggregatePlan {
  const series = seriesOf(view, collection, query, now)
  const groups = listOf(query.group ?? '').map(name => groupTarget(view, collection, name))
  if (groups.length > MAX_GROUP_FIELDS)
    throw badParameter('group', 'too_many', wording('must have at most {count} fields', { count: MAX_GROUP_FIELDS }))
  const values = FUNCTIONS.flatMap(name =>
    listOf(query[name] ?? '').map(field => ({ name, target: valueTarget(view, collection, name, field) })),
  )
  if (values.length > MAX_VALUES)
    throw badParameter('sum', 'too_many', wording('is one of more than {count} values', { count: MAX_VALUES }))
  const filters = parseFilters(view, collection, query)
  const context = view.sqlContext(new Parameters())
  const selection: Selection = { collection, targets: groups, expansions: new Map(), depth: 1 }
  const columns = [
    'count(*) as "$count"',
    ...values.map(
      ({ name, target }, at) =>
        `${name}(${columnOf('r', target.column)}${exactly(name, target)})${castOf(name, target)} as "$${at}"`,
    ),
    ...groups.map((_, at) => `g.g${at}`),
  ]
  const selected = matchingSql(context, view, collection, filters)
  if (series) {
    const text = seriesSql(collection, series, context.parameters, columns, selected)
    return { groups, values, periods: series.periods, statement: { text, values: context.parameters.values } }
  }
  const keys = groups.map((target, at) => `${targetSql(context, selection, target, 'r')} as g${at}`)
  const lateral = groups.length > 0 ? ` cross join lateral (select ${keys.join(', ')}) g` : ''
  const text = `select ${columns.join(', ')} from ${quoteName(collection.table)} r${lateral} where ${selected}${
    groups.length > 0 ? ` group by ${groups.map((_, at) => `g.g${at}`).join(', ')}` : ''
  } order by "$count" desc${groups.map((_, at) => `, g.g${at}`).join('')} limit ${context.parameters.add(query.limit ?? DEFAULT_GROUPS)}`
  return { groups, values, periods: undefined, statement: { text, values: context.parameters.values } }
}

interface Series {
  readonly target: Target
  readonly periods: ReportPeriods
}

/** Undefined without `by`. */
function seriesOf(view: View, collection: Collection, query: AggregateParameters, now: number): Series | undefined {
  const { by, time = 'createdAt', from, to, timeZone, group, limit } = query
  if (by === undefined) {
    const [alone] = Object.entries({ time: query.time, from, to, timeZone }).flatMap(([name, value]) =>
      value === undefined ? [] : [name],
    )
    if (alone !== undefined) throw badParameter(alone, 'not_allowed', wording('needs {name}', { name: 'by' }))
    return undefined
  }
  const [other] = Object.entries({ group, limit }).flatMap(([name, value]) => (value === undefined ? [] : [name]))
  if (other !== undefined)
    throw badParameter(other, 'not_allowed', wording("can't be combined with {name}", { name: 'by' }))
  const target = findTarget(view, collection, time)
  if (!target) throw badParameter('time', 'unknown_field', unknownName(view, collection, time))
  if (!isTime(typeOf(target)))
    throw badParameter(
      'time',
      'not_allowed',
      wording('must be a date or a time, which {field} is not', { field: time }),
    )
  return { target, periods: periodsOf({ by, from, to, timeZone }, now) }
}

const isTime = (type: string): boolean => type === 'date' || type === 'datetime'

/** Counts rows by the number of their period, from 1 on. Times are compared as they are, so that their index serves. */
function seriesSql(
  collection: Collection,
  { target, periods: { starts, until, timeZone } }: Series,
  parameters: Parameters,
  columns: readonly string[],
  selected: string,
): string {
  const column = columnOf('r', target.column)
  const isDate = typeOf(target) === 'date'
  const [zone, last] = [isDate ? '' : parameters.add(timeZone), parameters.add(until)]
  const days = parameters.add(starts)
  // The start of a day, in the time zone.
  const timeOf = (day: string) => (isDate ? `${day}::date` : `(${day}::timestamp at time zone ${zone}::text)`)
  const bounds = `array(select ${timeOf('day')} from unnest(${days}::text[]) with ordinality s(day, at) order by at)`
  const range = [`${column} >= ${timeOf(`(${days}::text[])[1]`)}`, `${column} < ${timeOf(`${last}::text`)}`]
  return `select width_bucket(${column}, (${bounds})) as "$period", ${columns.join(', ')}
    from ${quoteName(collection.table)} r where ${all([selected, ...range])} group by 1`
}

/** Fractions are added as decimals: 0.1 + 0.2 is 0.3. The text has all of their digits. */
const exactly = (name: AggregateFunction, target: Target): string =>
  (name === 'sum' || name === 'avg') && typeOf(target) === 'number' ? '::text::numeric' : ''

/** `min` and `max` of other types keep theirs. */
const castOf = (name: AggregateFunction, { spec }: Target): string => {
  if (name === 'sum' || name === 'avg') return '::float8'
  return spec.schema.format === 'date' ? '::text' : ''
}

function groupTarget(view: View, collection: Collection, name: string): Target {
  const target = findTarget(view, collection, name)
  if (!target) throw badParameter('group', 'unknown_field', unknownName(view, collection, name))
  const type = target.kind === 'field' ? target.field.type : 'text'
  const isMany = target.kind === 'field' && target.field.reference?.many
  if (isMany || ['json', 'longtext', 'markdown'].includes(type))
    throw badParameter('group', 'not_allowed', wording("can't group by {field}", { field: name }))
  return target
}

const NUMERIC = ['integer', 'number', 'money', 'duration']

function valueTarget(view: View, collection: Collection, name: AggregateFunction, field: string): Target {
  const target = findTarget(view, collection, field)
  if (!target) throw badParameter(name, 'unknown_field', unknownName(view, collection, field))
  const type = typeOf(target)
  if (!NUMERIC.includes(type) && !(isTime(type) && (name === 'min' || name === 'max')))
    throw badParameter(name, 'not_allowed', wording("can't be used with {field}", { field }))
  return target
}

function typeOf(target: Target): string {
  if (target.kind === 'field') {
    const { type, computed } = target.field
    return type === 'computed' ? (computed?.of ?? 'text') : type
  }
  if (target.name === 'revision') return 'integer'
  return target.name === 'createdAt' || target.name === 'updatedAt' ? 'datetime' : 'text'
}

export function aggregateGroups(plan: AggregatePlan, rows: readonly Columns[]): AggregateGroup[] {
  const { groups, periods } = plan
  if (periods) {
    const found = new Map(rows.map(row => [Number(row.$period), row]))
    // Periods without rows are part of the answer: a chart has no gaps.
    return periods.starts.map((start, at) => ({
      start,
      group: {},
      ...valuesOf(plan, found.get(at + 1) ?? { $count: 0 }),
    }))
  }
  return rows.map(row => ({
    group: Object.fromEntries(groups.map((target, at) => [nameOf(target), toJson(target, row[`g${at}`])])),
    ...valuesOf(plan, row),
  }))
}

function valuesOf({ values }: AggregatePlan, row: Columns): { readonly count: number } {
  const result: Record<string, Record<string, unknown>> = {}
  for (const [at, { name, target }] of values.entries()) {
    result[name] ??= {}
    result[name][nameOf(target)] = resultOf(name, target, row[`$${at}`])
  }
  return { count: Number(row.$count), ...result }
}

const toJson = ({ spec }: Target, value: unknown): unknown =>
  value === null || value === undefined ? null : spec.fromColumn(value)

/** Sums and averages of durations are numbers of milliseconds. */
function resultOf(name: AggregateFunction, target: Target, value: unknown): unknown {
  if (value === null || value === undefined) return null
  return name === 'sum' || name === 'avg' ? Number(value) : target.spec.fromColumn(value)
}
