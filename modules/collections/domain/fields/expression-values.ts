/** Evaluates expressions in memory, as PostgreSQL evaluates those of expression-sql.ts. Pure. */
import { DAY, HOUR, MINUTE } from '@larder-dev/larder/kernel'
import type { BinaryOperator, Expression, ExpressionType, FunctionName } from './expression.ts'
import { expressionType } from './expression-types.ts'

/** Dates, times and durations are numbers, as `ExpressionType` says. */
export type ExpressionValue = string | number | boolean | null

export interface ExpressionRow {
  typeOf(field: string): ExpressionType
  valueOf(field: string): ExpressionValue
  /** Milliseconds since 1970. */
  now(): number
}

export function expressionValue(expression: Expression, row: ExpressionRow): ExpressionValue {
  const visit = (inner: Expression) => expressionValue(inner, row)
  switch (expression.kind) {
    case 'value':
      return expression.value
    case 'field':
      return row.valueOf(expression.name)
    case 'unary': {
      const operand = visit(expression.operand)
      if (operand === null) return null
      return expression.operator === '-' ? -Number(operand) : !operand
    }
    case 'choice':
      return visit(visit(expression.when) === true ? expression.then : expression.otherwise)
    case 'binary': {
      const { operator, left, right } = expression
      const typeOf = (inner: Expression) => expressionType(inner, row.typeOf)
      return binaryValue(operator, [visit(left), visit(right)], () => [typeOf(left), typeOf(right)])
    }
    case 'call': {
      const operands = expression.operands.map(visit)
      const types = () => expression.operands.map(inner => expressionType(inner, row.typeOf))
      return callValue(expression.name, operands, types, row)
    }
  }
}

type Types = readonly (ExpressionType | undefined)[]

function binaryValue(
  operator: BinaryOperator,
  [left, right]: readonly [ExpressionValue, ExpressionValue],
  types: () => Types,
): ExpressionValue {
  if (operator === '&&')
    return left === false || right === false ? false : left === null || right === null ? null : true
  if (operator === '||') return left === true || right === true ? true : left === null || right === null ? null : false
  if (operator === '==') return left === right
  if (operator === '!=') return left !== right
  if (left === null || right === null) return null
  if (operator === '+' && typeof left === 'string') return left + String(right)
  const [a, b] = [Number(left), Number(right)]
  switch (operator) {
    case '+':
    case '-': {
      const [first, second] = types()
      // A date has no hours.
      const [days, more] = [first === 'number' && second === 'date' ? half(a) : a, first === 'date' ? half(b) : b]
      return operator === '+' ? days + more : days - more
    }
    case '*':
      return a * b
    case '/':
      return b === 0 ? null : a / b
    case '%':
      return b === 0 ? null : remainder(a, b)
    default:
      return compare(operator, left, right)
  }
}

function compare(operator: '<' | '<=' | '>' | '>=', left: string | number | boolean, right: string | number | boolean) {
  const order = left < right ? -1 : left > right ? 1 : 0
  if (operator === '<') return order < 0
  if (operator === '<=') return order <= 0
  return operator === '>' ? order > 0 : order >= 0
}

/** Rounds half up. */
const half = (value: number): number => Math.floor(value + 0.5)

/** PostgreSQL calculates with decimal numbers of 15 digits here. */
function remainder(left: number, right: number): number {
  const [a, b] = [decimalOf(left), decimalOf(right)]
  const scale = Math.max(a.scale, b.scale)
  const [x, y] = [a.digits * 10n ** BigInt(scale - a.scale), b.digits * 10n ** BigInt(scale - b.scale)]
  return y === 0n ? Number.NaN : Number(`${x % y}e-${scale}`)
}

function decimalOf(value: number): { readonly digits: bigint; readonly scale: number } {
  const [mantissa = '0', exponent = '0'] = value.toExponential(14).split('e')
  const scale = 14 - Number(exponent)
  const digits = BigInt(mantissa.replace('.', ''))
  return scale < 0 ? { digits: digits * 10n ** BigInt(-scale), scale: 0 } : { digits, scale }
}

/** The form of a double in PostgreSQL. */
function textOf(value: number): string {
  if (Object.is(value, -0)) return '-0'
  const [mantissa = '0', power = '0'] = value.toExponential().split('e')
  const exponent = Number(power)
  if (exponent >= -4 && exponent < 15)
    return value.toFixed(Math.max(0, mantissa.replace(/^-?\d\.?/, '').length - exponent))
  const digits = String(Math.abs(exponent)).padStart(2, '0')
  return `${mantissa}e${exponent < 0 ? '-' : '+'}${digits}`
}

const UNITS = { days: DAY, hours: HOUR, minutes: MINUTE } as const
const NUMBER = /^[ \t\n\v\f\r]*[-+]?\d{1,250}(\.\d{1,250})?[ \t\n\v\f\r]*$/
const MAX_MONTHS = 120_000

function callValue(
  name: FunctionName,
  operands: readonly ExpressionValue[],
  types: () => Types,
  { now }: ExpressionRow,
): ExpressionValue {
  const known = operands.filter(operand => operand !== null)
  if (name === 'coalesce') return known[0] ?? null
  if (name === 'min' || name === 'max') return known.length === 0 ? null : Math[name](...known.map(Number))
  if (name === 'join') return operands[0] === null ? null : known.slice(1).join(String(operands[0]))
  if (name === 'now') return now()
  if (name === 'today') return Math.floor(now() / DAY)
  if (known.length < operands.length) return null
  const [text, number] = [String(operands[0]), Number(operands[0])]
  switch (name) {
    case 'abs':
    case 'ceil':
    case 'floor':
      return Math[name](number)
    case 'round':
      return half(number)
    case 'length':
      return [...text].length
    case 'lower':
      return text.toLowerCase()
    case 'upper':
      return text.toUpperCase()
    case 'trim':
      return text.replace(/^ +/, '').replace(/ +$/, '')
    case 'split':
      return part(text, String(operands[1]), half(Number(operands[2])))
    case 'replace':
      return operands[1] === '' ? text : text.split(String(operands[1])).join(String(operands[2]))
    case 'substring':
      return slice(text, Number(operands[1]), operands.length > 2 ? Number(operands[2]) : undefined)
    case 'text':
      return types()[0] === 'date' ? dateText(number) : textOf(number)
    case 'number':
      return NUMBER.test(text) ? Number(text) : null
    case 'date':
      return Math.floor(number / DAY)
    case 'year':
    case 'month':
    case 'day':
      return calendar(name, types()[0] === 'datetime' ? Math.floor(number / DAY) : number)
    case 'days':
    case 'hours':
    case 'minutes':
      return types()[0] === 'duration' ? number / UNITS[name] : number * UNITS[name]
    case 'addMonths':
      return addMonths(number, half(Number(operands[1])))
  }
}

function part(text: string, separator: string, position: number): string | null {
  if (position === 0) return null
  const parts = separator === '' ? [text] : text.split(separator)
  return parts.at(position > 0 ? position - 1 : position) ?? ''
}

function slice(text: string, start: number, count?: number): string {
  const from = Math.max(half(start), 1) - 1
  return [...text].slice(from, count === undefined ? undefined : from + Math.max(half(count), 0)).join('')
}

/** Days since 1970 of the years 1 to 9999. */
export const FIRST_DAY = -719_162
export const LAST_DAY = 2_932_896
const isInRange = (day: number): boolean => day >= FIRST_DAY && day <= LAST_DAY

/** `2026-01-31`; null beyond the years 1 to 9999. */
export const dateText = (day: number): string | null =>
  isInRange(day) ? new Date(day * DAY).toISOString().slice(0, 10) : null

function calendar(part: 'year' | 'month' | 'day', day: number): number | null {
  const text = dateText(day)
  const [year, month, dayOfMonth] = text === null ? [] : text.split('-').map(Number)
  return { year, month, day: dayOfMonth }[part] ?? null
}

function addMonths(day: number, count: number): number | null {
  if (!isInRange(day) || Math.abs(count) > MAX_MONTHS) return null
  const date = new Date(day * DAY)
  const first = new Date(date)
  first.setUTCDate(1)
  first.setUTCMonth(first.getUTCMonth() + count)
  const next = new Date(first)
  next.setUTCMonth(next.getUTCMonth() + 1)
  const length = (next.getTime() - first.getTime()) / DAY
  const found = first.getTime() / DAY + Math.min(date.getUTCDate(), length) - 1
  return isInRange(found) ? found : null
}
