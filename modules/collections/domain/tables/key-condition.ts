/** SQL of the condition of a unique key. The predicate of an index has no parameters. Pure. */
import type { Scalar } from '@larder-dev/larder/kernel/internal'
import type { Where } from '../declarations/condition.ts'
import type { FieldLayout } from './layout.ts'
import { columnValue, quoteName } from './sql-literals.ts'

/** Operators that the condition of a key can have. */
export const KEY_OPERATORS = ['eq', 'ne', 'in', 'notIn', 'exists'] as const
type KeyOperator = (typeof KEY_OPERATORS)[number]

type Column = Pick<FieldLayout, 'name' | 'type' | 'column' | 'columnType'>

/**
 * True or not true for each row, as `matchesCondition` decides it.
 * @param columns names of columns, if they differ from those of the layout. @param alias of the table.
 */
export function whereSql(
  { fields }: { readonly fields: readonly Column[] },
  where: Where,
  { columns, alias }: { readonly columns?: ReadonlyMap<string, string>; readonly alias?: string } = {},
): string {
  const tests = Object.entries(where).flatMap(([name, given]) => {
    const field = fields.find(other => other.name === name)
    if (!field) return []
    const quoted = quoteName(columns?.get(name) ?? field.column)
    const column = alias === undefined ? quoted : `${alias}.${quoted}`
    const operators = typeof given === 'object' ? given : { eq: given }
    return Object.entries(operators).map(([operator, operand]) =>
      TESTS[operator as KeyOperator](column, [operand].flat() as Scalar[], field),
    )
  })
  return tests.length === 1 ? (tests[0] as string) : `(${tests.join(' and ')})`
}

type Test = (column: string, operands: readonly Scalar[], field: Column) => string
const listOf = (operands: readonly Scalar[], { type, columnType }: Column): string =>
  operands.map(operand => `${columnValue(type, operand)}::${columnType}`).join(', ')
const isOneOf: Test = (column, operands, field) => `${column} in (${listOf(operands, field)})`
const isNoneOf: Test = (column, operands, field) => `(${isOneOf(column, operands, field)}) is not true`
const TESTS: Readonly<Record<KeyOperator, Test>> = {
  eq: isOneOf,
  in: isOneOf,
  ne: isNoneOf,
  notIn: isNoneOf,
  exists: (column, [wanted]) => `${column} is ${wanted === true ? 'not null' : 'null'}`,
}
