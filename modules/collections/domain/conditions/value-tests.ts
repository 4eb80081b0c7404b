/** The operators of conditions on values in memory. Pure. */
import { byNames } from '@larder-dev/larder/kernel'
import type { Comparable, Operator } from '../fields/field-types.ts'

/** `ne`, `notIn` and `exists: false` pass if their opposite fails, so what has no value passes them. */
export function testValues(
  operator: Operator,
  operands: readonly Comparable[],
  values: readonly Comparable[],
): boolean {
  if (operator === 'exists') return values.length > 0 === operands[0]
  if (operator === 'ne' || operator === 'notIn') return !values.some(value => operands.includes(value))
  return values.some(value => POSITIVE[operator](value, operands))
}

/** Texts are compared as names, as the database does. Days sort like names. */
export const compareValues = (a: Comparable, b: Comparable): number =>
  typeof a === 'string' && typeof b === 'string' ? byNames(a, b) : Number(a) - Number(b)
const ordered =
  (matches: (order: number) => boolean) =>
  (value: Comparable, [operand]: readonly Comparable[]): boolean =>
    operand !== undefined && matches(compareValues(value, operand))

type Positive = Exclude<Operator, 'exists' | 'ne' | 'notIn'>
const POSITIVE: Readonly<Record<Positive, (value: Comparable, operands: readonly Comparable[]) => boolean>> = {
  eq: (value, operands) => operands.includes(value),
  in: (value, operands) => operands.includes(value),
  gt: ordered(order => order > 0),
  gte: ordered(order => order >= 0),
  lt: ordered(order => order < 0),
  lte: ordered(order => order <= 0),
  contains: (value, [operand]) => String(value).includes(String(operand)),
  startsWith: (value, [operand]) => String(value).startsWith(String(operand)),
  endsWith: (value, [operand]) => String(value).endsWith(String(operand)),
}
