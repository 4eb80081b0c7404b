/**
 * The SQL of a computed field, which is a generated column: PostgreSQL updates it with every write of the row. Numbers
 * are double precision. Null operands make the result null, except with `==`, `!=`, `?:` and functions that ignore them. Pure.
 */
import type { BinaryOperator, Expression, FunctionName } from '../fields/expression.ts'
import { literal, quoteName } from './sql-literals.ts'

export interface ExpressionColumn {
  readonly column: string
  readonly isNumber: boolean
  /** The row variable of a trigger. */
  readonly record?: string
}

export function expressionSql(expression: Expression, columnOf: (field: string) => ExpressionColumn): string {
  const visit = (inner: Expression) => expressionSql(inner, columnOf)
  switch (expression.kind) {
    case 'value':
      return valueSql(expression.value)
    case 'field': {
      const { column, isNumber, record } = columnOf(expression.name)
      const value = record === undefined ? quoteName(column) : `${record}.${quoteName(column)}`
      return isNumber ? `${value}::double precision` : value
    }
    case 'unary':
      return expression.operator === '-' ? `(- ${visit(expression.operand)})` : `(not ${visit(expression.operand)})`
    case 'choice': {
      const { when, then, otherwise } = expression
      return `(case when ${visit(when)} then ${visit(then)} else ${visit(otherwise)} end)`
    }
    case 'binary': {
      const { operator, left, right } = expression
      return `(${binarySql(operator, visit(left), visit(right), isText(left) || isText(right))})`
    }
    case 'call':
      return FUNCTIONS[expression.name](expression.operands.map(visit))
  }

  function isText(inner: Expression): boolean {
    switch (inner.kind) {
      case 'value':
        return typeof inner.value === 'string'
      case 'field':
        return !columnOf(inner.name).isNumber
      case 'unary':
        return false
      case 'choice':
        return isText(inner.then) || isText(inner.otherwise)
      case 'binary':
        return inner.operator === '+' && (isText(inner.left) || isText(inner.right))
      case 'call':
        return inner.name === 'coalesce' ? inner.operands.some(isText) : TEXT_FUNCTIONS.includes(inner.name)
    }
  }
}

const TEXT_FUNCTIONS: readonly FunctionName[] = ['lower', 'upper', 'trim', 'text']

function valueSql(value: string | number | boolean | null): string {
  if (typeof value === 'number') return `${literal(value)}::double precision`
  if (value === null) return 'null'
  return typeof value === 'string' ? `${literal(value)}::text` : literal(value)
}

/** @param concatenates whether `+` joins texts. */
function binarySql(operator: BinaryOperator, left: string, right: string, concatenates: boolean): string {
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
      return concatenates ? `${left} || ${right}` : `${left} + ${right}`
    // A division by zero is null, where PostgreSQL would reject the row.
    case '/':
      return `${left} / nullif(${right}, 0)`
    case '%':
      return `mod((${left})::numeric, nullif(${right}, 0)::numeric)::double precision`
    default:
      return `${left} ${operator} ${right}`
  }
}

const call = (name: string) => (operands: readonly string[]) => `${name}(${operands.join(', ')})`
const FUNCTIONS: { readonly [Name in FunctionName]: (operands: readonly string[]) => string } = {
  abs: call('abs'),
  ceil: call('ceil'),
  floor: call('floor'),
  round: ([operand]) => `floor(${operand} + 0.5)`,
  min: call('least'),
  max: call('greatest'),
  length: ([operand]) => `char_length(${operand})::double precision`,
  lower: call('lower'),
  upper: call('upper'),
  trim: call('btrim'),
  text: ([operand]) => `(${operand})::text`,
  number: ([operand]) =>
    `(case when ${operand} ~ '^[[:space:]]*[-+]?[0-9]{1,250}([.][0-9]{1,250})?[[:space:]]*$' then (${operand})::double precision end)`,
  coalesce: call('coalesce'),
}
