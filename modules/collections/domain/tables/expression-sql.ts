/**
 * The SQL of an expression. That of a computed field is a generated column, which PostgreSQL updates with every write of the
 * row. Numbers are double precision, and so are dates, times and durations, as `ExpressionType` says. Null operands make the
 * result null, except with `==`, `!=`, `?:` and functions that ignore them. Pure.
 */
import { DAY, HOUR, MINUTE } from '@larder-dev/larder/kernel'
import type { ColumnType } from '../fields/column-types.ts'
import type { BinaryOperator, Expression, ExpressionType, FunctionName } from '../fields/expression.ts'
import { expressionType } from '../fields/expression-types.ts'
import { literal, quoteName } from './sql-literals.ts'

export interface ExpressionColumn {
  readonly column: string
  readonly type: ExpressionType
  /** The row variable of a trigger. */
  readonly record?: string
}

/** @param now SQL of the time in milliseconds since 1970, in expressions that can read it. */
export function expressionSql(
  expression: Expression,
  columnOf: (field: string) => ExpressionColumn,
  now = 'null::double precision',
): string {
  const visit = (inner: Expression) => expressionSql(inner, columnOf, now)
  const typeOf = (inner: Expression) => expressionType(inner, name => columnOf(name).type)
  switch (expression.kind) {
    case 'value':
      return valueSql(expression.value)
    case 'field': {
      const { column, type, record } = columnOf(expression.name)
      return COLUMNS[type](record === undefined ? quoteName(column) : `${record}.${quoteName(column)}`)
    }
    case 'unary':
      return expression.operator === '-' ? `(- ${visit(expression.operand)})` : `(not ${visit(expression.operand)})`
    case 'choice': {
      const { when, then, otherwise } = expression
      return `(case when ${visit(when)} then ${visit(then)} else ${visit(otherwise)} end)`
    }
    case 'binary': {
      const { operator, left, right } = expression
      return `(${binarySql(operator, visit(left), visit(right), [typeOf(left), typeOf(right)])})`
    }
    case 'call':
      return FUNCTIONS[expression.name](expression.operands.map(visit), expression.operands.map(typeOf), now)
  }
}

/** The time of a statement, in milliseconds since 1970. */
export const NOW_SQL = `floor(extract(epoch from now()) * 1000)::double precision`

/** A column as a value of an expression. */
const COLUMNS: { readonly [Type in ExpressionType]: (column: string) => string } = {
  text: column => column,
  boolean: column => column,
  number: column => `${column}::double precision`,
  duration: column => `${column}::double precision`,
  date: column => `(${column} - date '1970-01-01')::double precision`,
  datetime: column => `floor(extract(epoch from ${column} at time zone 'UTC') * 1000)::double precision`,
}

/** Beyond this, a double isn't an exact integer. */
const MAX_EXACT = Number.MAX_SAFE_INTEGER

/** The result of an expression as a value of a column. */
export function resultSql(sql: string, type: ExpressionType, columnType: ColumnType): string {
  if (type === 'date') return `larder_day(${sql})`
  if (type === 'datetime') return `larder_time(${sql})`
  if (columnType !== 'bigint') return `(${sql})::${columnType}`
  const least = type === 'duration' ? 0 : -MAX_EXACT
  return `(case when ${sql} between ${least} and ${MAX_EXACT} then floor(${sql} + 0.5)::bigint end)`
}

function valueSql(value: string | number | boolean | null): string {
  if (typeof value === 'number') return `${literal(value)}::double precision`
  if (value === null) return 'null'
  return typeof value === 'string' ? `${literal(value)}::text` : literal(value)
}

type Types = readonly (ExpressionType | undefined)[]

function binarySql(operator: BinaryOperator, left: string, right: string, [first, second]: Types): string {
  switch (operator) {
    case '&&':
      return `${left} and ${right}`
    case '||':
      return `${left} or ${right}`
    case '==':
      return `${left} is not distinct from ${right}`
    case '!=':
      return `${left} is distinct from ${right}`
    case '+':
      if (first === 'text' || second === 'text') return `${left} || ${right}`
      if (first === 'number' && second === 'date') return `${rounded(left)} + ${right}`
      return `${left} + ${first === 'date' ? rounded(right) : right}`
    case '-':
      return `${left} - ${first === 'date' ? rounded(right) : right}`
    // A division by zero is null, where PostgreSQL would reject the row.
    case '/':
      return `${left} / nullif(${right}, 0)`
    case '%':
      return `mod((${left})::numeric, nullif(${right}, 0)::numeric)::double precision`
    default:
      return `${left} ${operator} ${right}`
  }
}

const rounded = (sql: string): string => `floor(${sql} + 0.5)`
const position = (sql: string): string => `larder_position(${sql})`

type Call = (operands: readonly string[], types: Types, now: string) => string
const call =
  (name: string): Call =>
  operands =>
    `${name}(${operands.join(', ')})`
const dayOf = (sql: string, type: ExpressionType | undefined): string =>
  type === 'datetime' ? `floor(${sql} / ${DAY})` : sql
const calendar =
  (part: string): Call =>
  ([operand = ''], [type]) =>
    `extract(${part} from larder_day(${dayOf(operand, type)}))::double precision`
const unit =
  (length: number): Call =>
  ([operand], [type]) =>
    type === 'duration' ? `(${operand} / ${length})` : `(${operand} * ${length})`
/** From the characters `1` on: SQL would count those before the first one. */
const first = (sql: string): string => `greatest(${position(sql)}, 1)`

const FUNCTIONS: { readonly [Name in FunctionName]: Call } = {
  abs: call('abs'),
  ceil: call('ceil'),
  floor: call('floor'),
  round: ([operand = '']) => rounded(operand),
  min: call('least'),
  max: call('greatest'),
  length: ([operand]) => `char_length(${operand})::double precision`,
  lower: call('lower'),
  upper: call('upper'),
  trim: call('btrim'),
  split: ([text, separator, number = '']) => `split_part(${text}, ${separator}, nullif(${position(number)}, 0))`,
  replace: call('replace'),
  substring: ([text, start = '', count]) =>
    count === undefined
      ? `(case when ${start} is not null then substr(${text}, ${first(start)}) end)`
      : `(case when ${start} is not null and ${count} is not null then substr(${text}, ${first(start)}, greatest(${position(count)}, 0)) end)`,
  // `concat_ws` isn't allowed in generated columns.
  join: ([separator, ...texts]) =>
    `substr(${texts.map(text => `coalesce(${separator} || ${text}, '')`).join(' || ')}, char_length(${separator}) + 1)`,
  text: ([operand], [type]) => (type === 'date' ? `larder_day_text(${operand})` : `(${operand})::text`),
  number: ([operand]) =>
    `(case when ${operand} ~ '^[[:space:]]*[-+]?[0-9]{1,250}([.][0-9]{1,250})?[[:space:]]*$' then (${operand})::double precision end)`,
  date: ([operand = '']) => dayOf(operand, 'datetime'),
  year: calendar('year'),
  month: calendar('month'),
  day: calendar('day'),
  days: unit(DAY),
  hours: unit(HOUR),
  minutes: unit(MINUTE),
  addMonths: ([day, count = '']) => `larder_add_months(${day}, ${rounded(count)})`,
  today: (_operands, _types, now) => `floor(${now} / ${DAY})`,
  now: (_operands, _types, now) => now,
  coalesce: call('coalesce'),
}
