/** Statements that rename and drop parts of tables. Pure. */

import { historyTableName } from '../declarations/naming.ts'
import type { CollectionLayout, FieldLayout } from '../tables/layout.ts'
import { literal, quoteName } from '../tables/sql-literals.ts'
import { dropIndexSql, indexesOf } from '../tables/table-sql.ts'
import { allForeignKeys, tablesOf } from './layout-changes.ts'
import type { SchemaStatement } from './schema-plan.ts'

export const alter = ({ table }: Pick<CollectionLayout, 'table'>, action: string): SchemaStatement => ({
  sql: `alter table ${quoteName(table)} ${action}`,
})

export const renameTable = (from: string, to: string): SchemaStatement => ({
  sql: `alter table ${quoteName(from)} rename to ${quoteName(to)}`,
})

/** The search column keeps reading a renamed column, so only its change drops it. */
export function dropIndexes(before: CollectionLayout, after: CollectionLayout): SchemaStatement[] {
  const kept = new Set(indexesOf({ ...after, search: before.search }).map(({ name }) => name))
  return indexesOf(before)
    .filter(({ name }) => !kept.has(name))
    .map(index => ({ sql: dropIndexSql(index) }))
}

/** Indexes and foreign keys of both layouts are in the same order. */
function renameParts(before: CollectionLayout, after: CollectionLayout): SchemaStatement[] {
  const [indexes, keys] = [indexesOf(after), allForeignKeys(after)]
  return [
    ...indexesOf(before).flatMap(({ name }, position) => {
      const to = indexes[position]?.name ?? name
      return to === name ? [] : [{ sql: `alter index if exists ${quoteName(name)} rename to ${quoteName(to)}` }]
    }),
    ...allForeignKeys(before).flatMap(({ name }, position) => {
      const to = keys[position]
      if (!to || to.name === name) return []
      return [
        { sql: `alter table ${quoteName(to.table)} rename constraint ${quoteName(name)} to ${quoteName(to.name)}` },
      ]
    }),
  ]
}

export function renameFieldStatements(
  before: CollectionLayout,
  after: CollectionLayout,
  field: FieldLayout,
  to: FieldLayout,
): SchemaStatement[] {
  const history = quoteName(historyTableName(after.name))
  const [old, key] = [literal(field.name), literal(to.name)]
  return [
    // Before the statements that lock the table against reads.
    ...(after.history
      ? [
          {
            sql: `update ${history} set row = (row - ${old}) || jsonb_build_object(${key}, row -> ${old}) where row ? ${old}`,
          },
        ]
      : []),
    field.joinTable === null || to.joinTable === null
      ? alter(after, `rename column ${quoteName(field.column)} to ${quoteName(to.column)}`)
      : renameTable(field.joinTable, to.joinTable),
    ...renameParts(before, after),
  ]
}

export function renameCollectionStatements(before: CollectionLayout, after: CollectionLayout): SchemaStatement[] {
  const targets = tablesOf(after)
  return [
    ...tablesOf(before).map((name, position) => renameTable(name, targets[position] ?? name)),
    ...renameParts(before, after),
    {
      sql: `update collections_sequences set collection = ${literal(after.name)} where collection = ${literal(before.name)}`,
    },
    {
      sql: `update collections_retired set collection = ${literal(after.name)} where collection = ${literal(before.name)} and field is not null`,
    },
  ]
}

/** Removes references to rows that were deleted while the field was retired. A required one makes the change fail. */
export function clearDangling({ table }: CollectionLayout, { reference, column, joinTable }: FieldLayout): string[] {
  if (!reference) return []
  const [own, value] = joinTable === null ? [table, column] : [joinTable, 'target_id']
  const exists = (name: string, id: string, shared: boolean) =>
    `exists (select from ${quoteName(name)} t where t.id = o.${quoteName(id)}${shared ? '' : ' and t.tenant_id = o.tenant_id'})`
  const isDangling = `o.${quoteName(value)} is not null and not ${exists(reference.table, value, reference.shared)}`
  if (joinTable !== null)
    return [`delete from ${quoteName(own)} o where ${isDangling} or not ${exists(table, 'row_id', false)}`]
  return [`update ${quoteName(own)} o set ${quoteName(value)} = null where ${isDangling}`]
}
