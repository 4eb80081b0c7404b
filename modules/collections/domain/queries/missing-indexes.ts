/** Fields of a list that an index could find its rows by, but that have none. Pure. */

import { Parameters } from '../conditions/condition-sql.ts'
import type { Part, Target, Test } from '../conditions/resolved-condition.ts'
import type { Collection } from '../declarations/collection.ts'
import type { Operator } from '../fields/field-types.ts'
import type { View } from '../rights/view.ts'
import { quoteName } from '../tables/sql-literals.ts'
import type { Filters } from './filters.ts'
import type { Statement } from './list-query.ts'
import { matchingSql } from './list-query.ts'
import type { Order } from './sorting.ts'

export interface MissingIndexes {
  /** The first field of `sort`. */
  readonly sort: string | undefined
  /** Fields of `filter`. */
  readonly filters: readonly string[]
  /** Whether an order or a condition is evaluated without an index, also one that no index could evaluate. */
  readonly scans: boolean
}

/** Operators for which PostgreSQL can use the index of a field. */
const INDEXED_OPERATORS: readonly Operator[] = ['eq', 'in', 'gt', 'gte', 'lt', 'lte']

export function missingIndexes(collection: Collection, filters: Filters, order: Order | undefined): MissingIndexes {
  const tests = [...filters.filter, ...filters.alternatives.flat()].flatMap(indexTests)
  const [first] = order?.keys ?? []
  const equal = equalFields(filters)
  const sort = first && !hasIndex(collection, first.name, equal) ? first.name : undefined
  const hasNone = (test: Test) => !hasIndex(collection, nameOf(test.path.field), equal)
  return {
    sort,
    filters: tests.flatMap(test => (test && isIndexable(test) && hasNone(test) ? nameOf(test.path.field) : [])),
    scans: sort !== undefined || tests.some(test => !test || !isIndexable(test) || hasNone(test)),
  }
}

/** Undefined for what no index evaluates. */
function indexTests(part: Part): (Test | undefined)[] {
  if ('or' in part) return part.or.flat().flatMap(indexTests)
  if ('not' in part) return [undefined]
  return 'holds' in part ? [] : [part]
}

/** The conditions that an index evaluates. */
export function indexedFilters(collection: Collection, filters: Filters): Filters {
  const equal = equalFields(filters)
  const isIndexed = (part: Part) =>
    'path' in part && isIndexable(part) && hasIndex(collection, nameOf(part.path.field), equal)
  return { filter: filters.filter.filter(isIndexed), alternatives: [] }
}

/** Estimates how many rows the conditions match, without reading them. */
export function estimateStatement(view: View, collection: Collection, filters: Filters): Statement {
  const context = view.sqlContext(new Parameters())
  const where = matchingSql(context, view, collection, filters)
  return {
    text: `explain (format json) select from ${quoteName(collection.table)} r where ${where}`,
    values: context.parameters.values,
  }
}

const nameOf = (target: Target): string => (target.kind === 'system' ? target.name : target.field.name)

const isIndexable = ({ path, operator }: Test): boolean =>
  path.hops.length === 0 && INDEXED_OPERATORS.includes(operator)

/** Fields of the row with one value each. An index of several fields continues behind them. */
const equalFields = ({ filter }: Filters): ReadonlySet<string> =>
  new Set(
    filter.flatMap(part =>
      'path' in part && part.operator === 'eq' && part.path.hops.length === 0 ? [nameOf(part.path.field)] : [],
    ),
  )

/** Whether an index of the table begins with the field, or continues with it behind fields that have one value. */
function hasIndex({ fields, unique, index }: Collection, name: string, equal: ReadonlySet<string>): boolean {
  const field = fields.get(name)
  if (!field) return name === 'id' || name === 'createdAt'
  if (field.index || field.unique || field.type === 'reference' || field.type === 'member') return true
  return [...index, ...unique.flatMap(key => (key.where ? [] : [key.fields]))].some(key => {
    const at = key.indexOf(name)
    return at >= 0 && key.slice(0, at).every(before => equal.has(before))
  })
}
