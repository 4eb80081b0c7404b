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
  date: 'date',
  datetime: 'datetime',
  duration: 'duration',
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
      return unaryType(expression, visit(expression.operand))
    case 'choice':
      expect(visit(expression.when), ['boolean'], expression)
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

function expect(found: Typed, wanted: readonly ExpressionType[], { offset }: At): void {
  if (found !== undefined && !wanted.includes(found))
    throw new ExpressionError(`Expected a ${wanted.join(' or a ')}, but found a ${found}`, offset)
}

function same(types: readonly Typed[], { offset }: At): Typed {
  const known = [...new Set(types.filter(type => type !== undefined))]
  if (known.length > 1)
    throw new ExpressionError(`Expected values of one type, but found a ${known.join(' and a ')}`, offset)
  return known[0]
}

/** `left operator right` → result, where the types differ, or where the result has another one. */
const ARITHMETIC: Readonly<Record<string, ExpressionType>> = {
  'date + number': 'date',
  'number + date': 'date',
  'date - number': 'date',
  'date - date': 'number',
  'datetime + duration': 'datetime',
  'duration + datetime': 'datetime',
  'datetime - duration': 'datetime',
  'datetime - datetime': 'duration',
  'duration + duration': 'duration',
  'duration - duration': 'duration',
  'number + number': 'number',
  'number - number': 'number',
  'text + text': 'text',
}

function unaryType({ operator, offset }: At & { operator: '-' | '!' }, operand: Typed): ExpressionType {
  const wanted = operator === '-' ? 'number' : 'boolean'
  expect(operand, [wanted], { offset })
  return wanted
}

function binaryType(
  { operator, offset }: At & { operator: BinaryOperator },
  left: Typed,
  right: Typed,
): ExpressionType {
  const both = (wanted: ExpressionType) => {
    for (const type of [left, right]) expect(type, [wanted], { offset })
  }
  if (operator === '&&' || operator === '||') both('boolean')
  else if (operator === '+' || operator === '-') {
    const standard = left ?? right ?? 'number'
    const found = ARITHMETIC[`${left ?? standard} ${operator} ${right ?? standard}`]
    if (found) return found
    if (left === undefined || right === undefined) return standard
    const action = operator === '+' ? "can't be added" : "can't be subtracted"
    throw new ExpressionError(
      left === right ? `Two values of type ${left} ${action}` : `A ${left} and a ${right} ${action}`,
      offset,
    )
  } else if (['*', '/', '%'].includes(operator)) {
    both('number')
    return 'number'
  } else same([left, right], { offset })
  return 'boolean'
}

function callType({ name, offset }: At & { name: FunctionName }, operands: readonly Typed[]): Typed {
  const { takes, optional = 0, many = false, returns }: FunctionSpec = FUNCTIONS[name]
  const least = takes.length - optional
  if (operands.length < least || (!many && operands.length > takes.length))
    throw new ExpressionError(
      `${name}() requires ${countOf(least, takes.length, many)}, not ${operands.length}`,
      offset,
    )
  for (const [at, operand] of operands.entries()) expect(operand, takes[at] ?? takes.at(-1) ?? [], { offset })
  if (returns === 'same') return same(operands, { offset })
  return typeof returns === 'function' ? returns(operands) : returns
}

function countOf(least: number, most: number, many: boolean): string {
  const operands = (count: number) => (count === 1 ? '1 operand' : `${count} operands`)
  if (many) return `at least ${operands(least)}`
  return least === most ? operands(least) : `${least} or ${operands(most)}`
}

/** Whether the result of an expression depends on the time. */
export function readsTime(expression: Expression): boolean {
  switch (expression.kind) {
    case 'value':
    case 'field':
      return false
    case 'unary':
      return readsTime(expression.operand)
    case 'choice':
      return [expression.when, expression.then, expression.otherwise].some(readsTime)
    case 'binary':
      return readsTime(expression.left) || readsTime(expression.right)
    case 'call': {
      const spec: FunctionSpec = FUNCTIONS[expression.name]
      return spec.ofNow === true || expression.operands.some(readsTime)
    }
  }
}
