/** Evaluates conditions in memory, as `condition-sql.ts` does in the database. Pure. */
import type { Row } from '../declarations/collection.ts'
import type { Comparable } from '../fields/field-types.ts'
import type { Hop, Part, Path, ResolvedCondition, Target, Test } from './resolved-condition.ts'
import { testValues } from './value-tests.ts'

/** The rows that a reference leads to, in memory: those that exist and are not in the trash. */
export type FindRows = (reference: Hop, ids: readonly string[]) => readonly Row[]

/** @param row JSON values, as the API returns them. References are IDs. */
export const matchesCondition = (condition: ResolvedCondition, row: Row, findRows: FindRows): boolean =>
  condition.every(part => holds(part, row, findRows))

function holds(part: Part, row: Row, findRows: FindRows): boolean {
  if ('or' in part) return part.or.some(each => matchesCondition(each, row, findRows))
  if ('not' in part) return part.not.some(each => fails(each, row, findRows))
  if ('holds' in part) return part.holds === true
  return passes(part, valuesAt(part.path, row, findRows))
}
/** Whether the opposite of a part holds. A test whose operand has no value neither holds nor fails. */
function fails(part: Part, row: Row, findRows: FindRows): boolean {
  if ('or' in part) return part.or.every(each => each.some(inner => fails(inner, row, findRows)))
  if ('not' in part) return matchesCondition(part.not, row, findRows)
  if ('holds' in part) return part.holds === false
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

export const passes = ({ path, operator, operands }: Test, values: readonly Comparable[]): boolean =>
  operands !== undefined &&
  testValues(operator === 'contains' && isReference(path.field) ? 'eq' : operator, operands, values)
