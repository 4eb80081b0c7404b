/** Creates missing indexes and drops others. Only constraints lock tables. */

import { copiedLayout, type Expansion, physicalLayout } from '../../domain/changes/expansion.ts'
import { hash, identifier } from '../../domain/declarations/naming.ts'
import type { CollectionLayout } from '../../domain/tables/layout.ts'
import { quoteName } from '../../domain/tables/sql-literals.ts'
import { createIndexSql, dropIndexSql, type IndexSpec, indexesOf } from '../../domain/tables/table-sql.ts'
import type { Query } from './schema-store.ts'

/** Not unique: a value that is taken violates the index of the first name only, which both recipes know. */
function copyIndexes(layout: CollectionLayout, expansions: readonly Expansion[]): IndexSpec[] {
  const kept = new Set(indexesOf(physicalLayout(layout, expansions)).map(({ name }) => name))
  return indexesOf(copiedLayout(layout, expansions))
    .filter(({ name, table, exclusion }) => table === layout.table && !exclusion && !kept.has(name))
    .map(index => ({
      ...index,
      unique: false,
      name: identifier(`${index.table}_${hash(`${index.definition} copy`)}_idx`),
    }))
}

interface ExistingIndex {
  readonly name: string
  readonly table: string
  /** Whether it is the index of a constraint. */
  readonly exclusion: boolean
  /** False for one whose creation was interrupted. */
  readonly valid: boolean
}

interface Session {
  readonly query: Query
  /** Waits for a table only for a while, and is repeated. */
  inTransaction(work: (query: Query) => Promise<unknown>): Promise<void>
}

/** Can be interrupted and repeated at any time. */
export async function reconcileIndexes(
  { query, inTransaction }: Session,
  layouts: readonly CollectionLayout[],
  expansions: readonly Expansion[],
): Promise<void> {
  const wanted = layouts.flatMap(layout => [
    ...indexesOf(physicalLayout(layout, expansions)),
    ...copyIndexes(layout, expansions),
  ])
  const tables = [...new Set([...layouts.map(({ table }) => table), ...wanted.map(({ table }) => table)])]
  const { rows } = await query<ExistingIndex>(
    `select c.relname as name, t.relname as table, i.indisexclusion as exclusion, i.indisvalid as valid
       from pg_index i join pg_class c on c.oid = i.indexrelid join pg_class t on t.oid = i.indrelid
      where t.relname = any ($1) and t.relnamespace = current_schema()::regnamespace and not i.indisprimary`,
    [tables],
  )
  const names = new Set(wanted.map(({ name }) => name))
  const drop = async (index: ExistingIndex) => {
    if (index.exclusion) await inTransaction(inside => inside(dropIndexSql(index)))
    else await query(`drop index concurrently if exists ${quoteName(index.name)}`)
  }
  for (const index of rows) if (!index.valid) await drop(index)
  const valid = new Set(rows.filter(index => index.valid).map(({ name }) => name))
  for (const index of wanted) {
    if (valid.has(index.name)) continue
    if (index.exclusion) await inTransaction(inside => inside(createIndexSql(index)))
    else await query(createIndexSql(index, true))
  }
  // Last, so that lists aren't slow while their new index is created.
  for (const index of rows) if (index.valid && !names.has(index.name)) await drop(index)
}
