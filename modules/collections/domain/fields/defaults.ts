/** The values of new rows that have none. Pure. */
import { DAY } from '@larder-dev/larder/kernel'
import type { DefaultVariable, Field } from '../declarations/collection.ts'
import { type Expression, type ExpressionType, parseExpression } from './expression.ts'
import { EXPRESSION_TYPES, expressionType } from './expression-types.ts'
import { dateText, type ExpressionValue, expressionValue } from './expression-values.ts'
import { dayOf, specOf } from './field-types.ts'

/** Whether a new row gets a value without being given one. */
export const isFilled = ({ default: standard, defaultFrom, from, sequence }: Field): boolean =>
  standard !== undefined || defaultFrom !== undefined || from !== undefined || sequence !== undefined

/** The value of `$now` in a field. */
export const timeOf = ({ type }: Pick<Field, 'type'>, now: string): string => (type === 'date' ? dayOf(now) : now)

/** Who creates a row, and when. */
export interface Creation {
  readonly member: string | null
  readonly user: string | null
  /** Milliseconds. */
  readonly now: number
}

export function variableDefault(
  field: Field,
  variable: DefaultVariable,
  { member, user, now }: Creation,
): string | null {
  if (variable === '$member') return member
  return variable === '$user' ? user : timeOf(field, new Date(now).toISOString())
}

const parsed = new Map<string, Expression>()
function parse(source: string): Expression {
  const known = parsed.get(source)
  if (known) return known
  const expression = parseExpression(source)
  parsed.set(source, expression)
  return expression
}

/** @param values of the row. Invalid ones count as missing. */
export function expressionDefault(
  field: Field,
  source: string,
  fields: ReadonlyMap<string, Field>,
  values: Readonly<Record<string, unknown>>,
  now: number,
): unknown {
  const expression = parse(source)
  const typeOf = (name: string): ExpressionType => EXPRESSION_TYPES[fields.get(name)?.type ?? 'text'] ?? 'text'
  const result = expressionValue(expression, {
    typeOf,
    valueOf: name => operandOf(fields.get(name), values[name]),
    now: () => now,
  })
  return resultOf(field, result, expressionType(expression, typeOf))
}

function operandOf(field: Field | undefined, value: unknown): ExpressionValue {
  if (!field || value === null || value === undefined) return null
  const found = specOf(field).parse(value)
  if (found === undefined) return null
  return field.type === 'date' ? Date.parse(String(found)) / DAY : found
}

/** Year 9999. */
const LAST_TIME = 253_402_300_799_999
const FIRST_TIME = -62_135_596_800_000

function resultOf(field: Field, value: ExpressionValue, type: ExpressionType | undefined): unknown {
  if (value === null || typeof value === 'boolean' || typeof value === 'string') return value
  if (type === 'date') return dateText(value)
  const rounded = Math.floor(value + 0.5)
  if (type === 'datetime') return rounded >= FIRST_TIME && rounded <= LAST_TIME ? new Date(rounded).toISOString() : null
  if (type === 'duration')
    return rounded >= 0 && Number.isSafeInteger(rounded) ? specOf(field).fromColumn(rounded) : null
  if (field.type === 'number') return Number.isFinite(value) ? value : null
  return Number.isSafeInteger(rounded) ? rounded : null
}
