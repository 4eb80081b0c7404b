/** Creates the triggers that keep the columns of searches, and drops others, in the transaction of a change. */
import { type Expansion, physicalLayout } from '../../domain/changes/expansion.ts'
import type { CollectionLayout } from '../../domain/tables/layout.ts'
import { SEARCH_TRIGGER, searchTrigger } from '../../domain/tables/search-column.ts'
import type { Query } from './schema-store.ts'

interface ExistingTrigger {
  readonly table: string
  /** Quoted, with its arguments. */
  readonly func: string
  readonly version: string | null
}

const EXISTING = `select c.relname as table, t.tgfoid::regprocedure::text as func, obj_description(t.oid, 'pg_trigger') as version
  from pg_trigger t join pg_class c on c.oid = t.tgrelid
  where t.tgname = '${SEARCH_TRIGGER}' and c.relnamespace = current_schema()::regnamespace`

/** A trigger would fail while the change renames the columns that it reads. @param tables those that change. */
export async function dropSearchTriggers(query: Query, tables: ReadonlySet<string | undefined>): Promise<void> {
  const { rows } = await query<ExistingTrigger>(EXISTING)
  for (const { table, func } of rows) if (tables.has(table)) await query(`drop function ${func} cascade`)
}

export async function reconcileSearchTriggers(
  query: Query,
  layouts: readonly CollectionLayout[],
  expansions: readonly Expansion[],
): Promise<void> {
  const { rows } = await query<ExistingTrigger>(EXISTING)
  const wanted = layouts.flatMap(layout => searchTrigger(physicalLayout(layout, expansions)) ?? [])
  const isSame = ({ table, version }: ExistingTrigger) =>
    wanted.some(trigger => trigger.table === table && trigger.version === version)
  for (const trigger of rows) if (!isSame(trigger)) await query(`drop function ${trigger.func} cascade`)
  const kept = new Set(rows.filter(isSame).map(({ table }) => table))
  for (const { table, create } of wanted) if (!kept.has(table)) for (const sql of create) await query(sql)
}
