/** The recorded state of the tables: which collections they were made for, and what has been retired. */
import type { Deps, Result } from '@larder-dev/larder/kernel'
import type { Expansion } from '../../domain/changes/expansion.ts'
import type { SchemaState } from '../../domain/changes/schema-changes.ts'
import type { Retired } from '../../domain/changes/schema-plan.ts'
import type { CollectionLayout } from '../../domain/tables/layout.ts'
import { quoteName } from '../../domain/tables/sql-literals.ts'
import { retiredTable } from '../../records.ts'

export type OwnerSession = Parameters<Parameters<Deps<'schemaOwner'>['schemaOwner']['connect']>[0]>[0]
export type SchemaMigrator = Parameters<Parameters<OwnerSession['transaction']>[0]>[0]
export type Query = <Row>(sql: string, values?: readonly unknown[]) => Promise<Result<Row>>

/** A retired object with the id of its record. */
export interface StoredRetired extends Retired {
  readonly id: string
}
export interface StoredState extends SchemaState {
  readonly retired: readonly StoredRetired[]
}

interface ExpansionRow {
  readonly expansion: Expansion
  readonly complete: boolean
  readonly since: Date
}

export async function readState(query: Query): Promise<StoredState> {
  const { rows: layouts } = await query<{ layout: CollectionLayout }>(
    'select layout from collections_schema order by name',
  )
  const { rows: retired } = await query<Omit<StoredRetired, 'retiredAt'> & { retired_at: Date }>(
    `select id::text, collection, field, layout, tables, column_name as column, retired_at from collections_retired order by id`,
  )
  const { rows: expansions } = await query<ExpansionRow>(
    'select expansion, complete, since from collections_expansions order by collection, field, kind',
  )
  return {
    layouts: layouts.map(({ layout }) => layout),
    retired: retired.map(({ retired_at, ...rest }) => ({ ...rest, retiredAt: retired_at.getTime() })),
    expansions: expansions.map(({ expansion, complete, since }) => ({
      ...expansion,
      complete,
      since: since.getTime(),
    })),
  }
}

export async function writeLayouts(query: Query, layouts: readonly CollectionLayout[]): Promise<void> {
  await query('delete from collections_schema where name <> all ($1::text[])', [layouts.map(({ name }) => name)])
  await query(
    `insert into collections_schema (name, layout) select l ->> 'name', l from jsonb_array_elements($1::jsonb) as l
     on conflict (name) do update set layout = excluded.layout`,
    [JSON.stringify(layouts)],
  )
}

export async function recordRetired(
  query: Query,
  { collection, field, layout, tables, column, retiredAt }: Retired,
): Promise<void> {
  const [text, values] = retiredTable.insertStep({
    collection,
    field,
    tableName: tableOf({ layout, collection }),
    columnName: column,
    layout,
    tables,
    retiredAt: new Date(retiredAt),
  })
  await query(text, values)
}
const tableOf = ({ layout, collection }: Pick<Retired, 'layout' | 'collection'>): string =>
  'table' in layout ? layout.table : collection

export async function forgetRetired(query: Query, retired: Retired): Promise<void> {
  await query('delete from collections_retired where id = $1', [(retired as StoredRetired).id])
}

/** Drops what was retired before this time. Returns the number of dropped objects. */
export async function dropRetired(query: Query, before: Date): Promise<number> {
  const { rows } = await query<StoredRetired & { currentTable: string | null }>(
    `select r.id::text, r.collection, r.field, r.tables, r.column_name as column, s.layout ->> 'table' as "currentTable"
       from collections_retired r left join collections_schema s on s.name = r.collection
      where r.retired_at < $1 order by r.id`,
    [before],
  )
  for (const retired of rows) {
    for (const table of Object.values(retired.tables)) await query(`drop table if exists ${quoteName(table)} cascade`)
    if (retired.column !== null && retired.currentTable !== null)
      await query(
        `alter table if exists ${quoteName(retired.currentTable)} drop column if exists ${quoteName(retired.column)} cascade`,
      )
    await forgetRetired(query, retired)
    // A collection of the same name begins to count again.
    if (retired.field === null && retired.currentTable === null)
      await query('delete from collections_sequences where collection = $1', [retired.collection])
  }
  return rows.length
}
