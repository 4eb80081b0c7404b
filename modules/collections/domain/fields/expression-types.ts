/** Checks the types in an expression. Pure. */
import type { FieldType } from '../declarations/collection.ts'
import {
  type BinaryOperator,
  type Expression,
  ExpressionError,
  type ExpressionType,
  FUNCTIONS,
  type FunctionName,
  type FunctionSpec,
} from './expression.ts'

/** Types of fields that expressions can read. */
export const EXPRESSION_TYPES: { readonly [Type in FieldType]?: ExpressionType } = {
  text: 'text',
  longtext: 'text',
  markdown: 'text',
  slug: 'text',
  email: 'text',
  url: 'text',
  enum: 'text',
  integer: 'number',
  number: 'number',
  money: 'number',
  boolean: 'boolean',
}

/**
 * Returns the type of the result; undefined for `null`.
 * @param typeOf returns the type of a field, or throws an Error with the reason why it can't be used.
 * @throws ExpressionError
 */
export function expressionType(
  expression: Expression,
  typeOf: (field: string) => ExpressionType,
): ExpressionType | undefined {
  const visit = (inner: Expression) => expressionType(inner, typeOf)
  switch (expression.kind) {
    case 'value':
      return expression.value === null ? undefined : (LITERAL_TYPES[typeof expression.value] as ExpressionType)
    case 'field':
      return fieldType(expression, typeOf)
    case 'unary':
      return expect(visit(expression.operand), expression.operator === '-' ? 'number' : 'boolean', expression)
    case 'choice':
      expect(visit(expression.when), 'boolean', expression)
      return same([visit(expression.then), visit(expression.otherwise)], expression)
    case 'binary':
      return binaryType(expression, visit(expression.left), visit(expression.right))
    case 'call':
      return callType(expression, expression.operands.map(visit))
  }
}

const LITERAL_TYPES: Readonly<Record<string, ExpressionType>> = { string: 'text', number: 'number', boolean: 'boolean' }

function fieldType({ name, offset }: { name: string; offset: number }, typeOf: (field: string) => ExpressionType) {
  try {
    return typeOf(name)
  } catch (error) {
    throw new ExpressionError(error instanceof Error ? error.message : String(error), offset)
  }
}

type Typed = ExpressionType | undefined
type At = { readonly offset: number }

function expect(found: Typed, wanted: ExpressionType, { offset }: At): ExpressionType {
  if (found !== undefined && found !== wanted)
    throw new ExpressionError(`Expected a ${wanted}, but found a ${found}`, offset)
  return wanted
}

function same(types: readonly Typed[], { offset }: At): Typed {
  const known = [...new Set(types.filter(type => type !== undefined))]
  if (known.length > 1)
    throw new ExpressionError(`Expected values of one type, but found a ${known.join(' and a ')}`, offset)
  return known[0]
}

function binaryType(
  { operator, offset }: At & { operator: BinaryOperator },
  left: Typed,
  right: Typed,
): ExpressionType {
  const both = (wanted: ExpressionType) => {
    for (const type of [left, right]) expect(type, wanted, { offset })
  }
  if (operator === '&&' || operator === '||') both('boolean')
  else if (operator === '+') {
    const type = same([left, right], { offset }) ?? 'number'
    if (type === 'boolean') throw new ExpressionError("Booleans can't be added", offset)
    return type
  } else if (['-', '*', '/', '%'].includes(operator)) {
    both('number')
    return 'number'
  } else same([left, right], { offset })
  return 'boolean'
}

function callType({ name, offset }: At & { name: FunctionName }, operands: readonly Typed[]): Typed {
  const spec: FunctionSpec = FUNCTIONS[name]
  const expected = spec.many ? 'at least 1 operand' : '1 operand'
  if (spec.many ? operands.length === 0 : operands.length !== 1)
    throw new ExpressionError(`${name}() requires ${expected}, not ${operands.length}`, offset)
  const { takes } = spec
  if (takes === 'same') return same(operands, { offset })
  for (const operand of operands) expect(operand, takes, { offset })
  return spec.returns === 'same' ? undefined : spec.returns
}
