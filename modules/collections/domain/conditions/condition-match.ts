/** Evaluates conditions in memory, as `condition-sql.ts` does in the database. Pure. */
import { byNames } from '@larder-dev/larder/kernel'
import type { Row } from '../declarations/collection.ts'
import type { Comparable, Operator } from '../fields/field-types.ts'
import type { Hop, Part, Path, ResolvedCondition, Target, Test } from './resolved-condition.ts'

/** The rows that a reference leads to, in memory: those that exist and are not in the trash. */
export type FindRows = (reference: Hop, ids: readonly string[]) => readonly Row[]

/** @param row JSON values, as the API returns them. References are IDs. */
export const matchesCondition = (condition: ResolvedCondition, row: Row, findRows: FindRows): boolean =>
  condition.every(part => holds(part, row, findRows))

function holds(part: Part, row: Row, findRows: FindRows): boolean {
  if ('or' in part) return part.or.some(each => matchesCondition(each, row, findRows))
  if ('not' in part) return part.not.some(each => fails(each, row, findRows))
  return passes(part, valuesAt(part.path, row, findRows))
}
/** Whether the opposite of a part holds. A test whose operand has no value neither holds nor fails. */
function fails(part: Part, row: Row, findRows: FindRows): boolean {
  if ('or' in part) return part.or.every(each => each.some(inner => fails(inner, row, findRows)))
  if ('not' in part) return matchesCondition(part.not, row, findRows)
  return part.operands !== undefined && !part.isPartial && !passes(part, valuesAt(part.path, row, findRows))
}

/** The values of a field without nulls: several for a reference to many rows. */
function valuesAt({ field, hops }: Path, row: Row, findRows: FindRows): Comparable[] {
  const name = field.kind === 'system' ? field.name : field.field.name
  const rows = hops.reduce<readonly Row[]>(
    (from, hop) => from.flatMap(each => findRows(hop, listOf(each[hop.field.name]) as string[])),
    [row],
  )
  // A list is several references, but one value of JSON, which is tested for existence only.
  const values = rows.flatMap(found => (isReference(field) ? listOf(found[name]) : [found[name]]))
  return values.filter(value => value !== null && value !== undefined).map(value => field.spec.parse(value) ?? true)
}
const isReference = (field: Target): boolean => field.kind === 'field' && field.field.reference !== undefined

const listOf = (value: unknown): unknown[] =>
  value === null || value === undefined ? [] : Array.isArray(value) ? value : [value]

/** `ne`, `notIn` and `exists: false` pass if their opposite fails, so a row without a value passes them. */
export function passes({ path, operator, operands }: Test, values: readonly Comparable[]): boolean {
  if (!operands) return false
  if (operator === 'exists') return values.length > 0 === operands[0]
  if (operator === 'ne' || operator === 'notIn') return !values.some(value => operands.includes(value))
  const test = POSITIVE[operator === 'contains' && isReference(path.field) ? 'eq' : operator]
  return values.some(value => test(value, operands))
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
