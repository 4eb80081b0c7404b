/** Ends runs whose question is open when their row is deleted. Others end when their next step begins. */
import type { Deps, Unit } from '@larder-dev/larder/kernel'
import type { Automation } from '../../domain/definition/automation.ts'
import type { Definitions } from '../definitions.ts'
import type { RowKinds } from '../row-kinds.ts'
import type { Runs } from '../runs/run-record.ts'
import type { AnyEvent } from '../starts/event-starts.ts'
import type { AskOpener } from './ask-opener.ts'

export interface GoneRows {
  /** The events of rows that questions are about. */
  readonly types: readonly string[]
  /** In the surrounding unit. */
  end(unit: Unit, events: readonly AnyEvent[]): Promise<void>
}

/** Runs that a deleted row has started keep it. */
const ASKING = `select r.tenant_id as "tenantId", r.id
  from json_to_recordset($1::json) as g (tenant_id text, collection text, row_id text)
  join automations_runs r on r.tenant_id = g.tenant_id and r.collection = g.collection and r.row_id = g.row_id
  where r.finished_at is null and not r.input ? 'row' and exists (
    select from automations_asks a where a.tenant_id = r.tenant_id and a.run_id = r.id and a.answered_at is null)
  order by r.id`

export function createGoneRows({
  definitions,
  rowKinds,
  runs,
  askOpener,
  jobs,
}: Deps<'jobs'> & {
  readonly definitions: Definitions
  readonly rowKinds: RowKinds
  readonly runs: Runs
  readonly askOpener: AskOpener
}): GoneRows {
  const asking = [...definitions.current.values()].filter(({ steps }) => steps.some(({ kind }) => kind === 'ask'))
  const collections = new Set(asking.flatMap(automation => collectionsOf(automation, rowKinds)))
  return {
    types: [...collections].flatMap(name => rowKinds.all.get(name)?.events.deleted ?? []),
    async end(unit, events) {
      const gone = events.flatMap(({ type, tenantId, payload }) => {
        const found = rowKinds.ofEvent(type)
        const row = payload.row as { readonly id: string } | undefined
        return found?.kind === 'deleted' && collections.has(found.rows.collection)
          ? [{ tenant_id: tenantId, collection: found.rows.collection, row_id: row?.id }]
          : []
      })
      if (gone.length === 0) return
      const { rows } = await unit.query<{ tenantId: string; id: string }>(ASKING, [JSON.stringify(gone)])
      for (const { tenantId, id } of rows) {
        const { run } = await runs.lock(unit, tenantId, id)
        if (!run) continue
        await unit.defer([runs.moveOf(run, { state: 'ended', position: run.position })])
        await askOpener.close(unit, run)
        await jobs.cancel('automations.run', id)
      }
    },
  }
}

function collectionsOf({ trigger }: Automation, rowKinds: RowKinds): readonly string[] {
  if (trigger.kind === 'event') return trigger.events.flatMap(type => rowKinds.ofEvent(type)?.rows.collection ?? [])
  if (trigger.kind === 'date') return [trigger.collection]
  if (trigger.kind === 'button') return [trigger.on]
  return trigger.kind === 'schedule' && typeof trigger.each === 'object' && trigger.each
    ? [trigger.each.collection]
    : []
}
