/** SQL of periods that must not overlap. Pure. */
import type { Periods } from '../declarations/collection.ts'
import type { ColumnType } from '../fields/column-types.ts'
import type { CollectionLayout } from './layout.ts'
import { quoteName } from './sql-literals.ts'

/** Days or times, from the first until just before the second. */
export const rangeOf = (columnType: ColumnType, from: string, to: string): string =>
  `${columnType === 'date' ? 'daterange' : 'tstzrange'}(${from}, ${to})`

/**
 * The constraint after `exclude`. Rows without a period, or with a missing value of `by`, never conflict. The condition
 * also keeps a range whose end comes first from being made.
 */
export function exclusionOf({ fields }: CollectionLayout, { by, from, to }: Periods): string {
  const columnOf = (name: string) => quoteName(fields.find(field => field.name === name)?.column ?? name)
  const type = fields.find(field => field.name === from)?.columnType ?? 'timestamptz'
  const [start, end] = [columnOf(from), columnOf(to)]
  const equal = ['tenant_id', ...by.map(columnOf)].map(column => `${column} with =`)
  return `using gist (${[...equal, `${rangeOf(type, start, end)} with &&`].join(', ')}) where (deleted_at is null and ${start} < ${end})`
}
