/** Creates the triggers that number rows, and drops others, in the transaction of a change. */
import { copiedLayout, type Expansion, physicalLayout } from '../../domain/changes/expansion.ts'
import type { CollectionLayout } from '../../domain/tables/layout.ts'
import { SEQUENCE_TRIGGER, sequenceTrigger } from '../../domain/tables/sequence-trigger.ts'
import type { Query } from './schema-store.ts'

interface ExistingTrigger {
  readonly table: string
  /** Quoted, with its arguments. */
  readonly func: string
  readonly version: string | null
}

const EXISTING = `select c.relname as table, t.tgfoid::regprocedure::text as func, obj_description(t.oid, 'pg_trigger') as version
  from pg_trigger t join pg_class c on c.oid = t.tgrelid
  where t.tgname = '${SEQUENCE_TRIGGER}' and c.relnamespace = current_schema()::regnamespace`

export async function reconcileSequenceTriggers(
  query: Query,
  layouts: readonly CollectionLayout[],
  expansions: readonly Expansion[],
): Promise<void> {
  const { rows } = await query<ExistingTrigger>(EXISTING)
  const wanted = layouts.flatMap(layout => triggerOf(layout, expansions) ?? [])
  const isSame = ({ table, version }: ExistingTrigger) =>
    wanted.some(trigger => trigger.table === table && trigger.version === version)
  for (const trigger of rows) if (!isSame(trigger)) await query(`drop function ${trigger.func} cascade`)
  const kept = new Set(rows.filter(isSame).map(({ table }) => table))
  for (const { table, create } of wanted) if (!kept.has(table)) for (const sql of create) await query(sql)
}

function triggerOf(layout: CollectionLayout, expansions: readonly Expansion[]) {
  const column = ({ fields }: CollectionLayout) => fields.find(({ sequence }) => sequence !== undefined)?.column
  const physical = physicalLayout(layout, expansions)
  const [own, copy] = [column(physical), column(copiedLayout(layout, expansions))]
  return sequenceTrigger(physical, copy === undefined || copy === own ? [] : [copy])
}
