/** Moments before and after dates of rows: they move with the date, and go with the row. */
import type { Step } from '@larder-dev/larder/kernel'
import type { Automation } from '../../domain/definition/automation.ts'
import { type DateTrigger, momentOf } from '../../domain/times/moment.ts'
import { matches, pathsOf } from '../../domain/values/condition.ts'
import type { Definitions } from '../definitions.ts'
import type { RowKinds } from '../row-kinds.ts'
import type { RowReader } from '../row-reader.ts'
import type { AnyEvent } from './event-starts.ts'

type Row = Readonly<Record<string, unknown>>

export interface Dates {
  /** The events of rows with such dates. */
  readonly types: readonly string[]
  readonly automations: readonly DateAutomation[]
  /** What events change, in their order. */
  stepsOf(events: readonly AnyEvent[]): Promise<readonly Step[]>
  /** The number of moments of these rows that are still to come. */
  countMoments(automation: DateAutomation, tenantId: string, rows: readonly Row[], now: number): number
  /** The moments of rows of one workspace after `since`, in place of those that they had. */
  planStep(
    automation: DateAutomation,
    tenantId: string,
    planned: { readonly rows: readonly Row[]; readonly since: Date },
  ): Step
}
export type DateAutomation = Automation & { readonly trigger: DateTrigger }

/** The rest is known when the moment is due. */
const ofRow = (condition: DateAutomation['when']): DateAutomation['when'] =>
  Object.fromEntries(
    Object.entries(condition).filter(([path, test]) => pathsOf({ [path]: test }).every(([root]) => root === 'row')),
  )

const REMOVE = 'delete from automations_dates where tenant_id = $1 and automation = any ($2) and row_id = $3'
/**
 * A moment that had passed when its row or its automation was written is none: nobody is reminded of what is over. One that
 * passed since then, while no worker ran, is due, and stays if the date did not move. With `moves`, a row without a moment
 * gets none.
 */
const WRITE = `with given as (
    select * from json_to_recordset($1::json) as g (tenant_id text, automation text, collection text, row_id text,
      date timestamptz, due_at timestamptz, moves boolean)),
  passed as (
    delete from automations_dates d using given g where d.tenant_id = g.tenant_id and d.automation = g.automation
      and d.row_id = g.row_id and coalesce(g.due_at, '-infinity') <= $2 and g.due_at is distinct from d.due_at)
  insert into automations_dates (tenant_id, automation, collection, row_id, date, due_at)
  select tenant_id, automation, collection, row_id, date, due_at from given g where due_at > $2 and (moves is not true or exists (
    select from automations_dates o where o.tenant_id = g.tenant_id and o.automation = g.automation and o.row_id = g.row_id))
  on conflict (tenant_id, automation, row_id) do update set date = excluded.date, due_at = excluded.due_at`

export function createDates({
  definitions,
  rowKinds,
  rowReader,
}: {
  readonly definitions: Definitions
  readonly rowKinds: RowKinds
  readonly rowReader: RowReader
}): Dates {
  const automations = [...definitions.current.values()].filter(
    (each): each is DateAutomation => each.trigger.kind === 'date',
  )
  const byCollection = new Map<string, DateAutomation[]>()
  for (const each of automations) {
    const { collection } = each.trigger
    byCollection.set(collection, [...(byCollection.get(collection) ?? []), each])
  }

  const given = ({ key, trigger, when }: DateAutomation, tenantId: string, row: Row) => {
    const moment = matches(ofRow(when), { row }) ? momentOf(trigger, row[trigger.field]) : undefined
    return (
      moment && {
        tenant_id: tenantId,
        automation: key,
        collection: trigger.collection,
        row_id: String(row.id),
        date: new Date(moment.date).toISOString(),
        due_at: new Date(moment.due).toISOString(),
      }
    )
  }
  const writeStep = (list: readonly unknown[], since: string): Step => [WRITE, [JSON.stringify(list), since]]

  /** What its event doesn't have. */
  const readsPrivate = ({ trigger, when }: DateAutomation): boolean => {
    const hidden = rowKinds.all.get(trigger.collection)?.privateFields ?? []
    const fields = pathsOf(when).flatMap(([root, field = '']) => (root === 'row' ? field : []))
    return [trigger.field, ...fields].some(field => hidden.includes(field))
  }
  const withPrivate = new Set([...byCollection].flatMap(([name, each]) => (each.some(readsPrivate) ? name : [])))

  async function stepsOfEvent({ type, tenantId, payload, occurredAt }: AnyEvent): Promise<Step[]> {
    const found = rowKinds.ofEvent(type)
    const written = payload.row as Row | undefined
    const { collection = '' } = found?.rows ?? {}
    const concerned = byCollection.get(collection) ?? []
    if (!found || !written || concerned.length === 0) return []
    const row =
      found.kind !== 'deleted' && withPrivate.has(collection)
        ? await rowReader.get(tenantId, collection, String(written.id))
        : written
    const planned =
      found.kind === 'deleted' || !row
        ? []
        : concerned
            .filter(({ imports }) => payload.bulk !== true || imports || found.kind === 'updated')
            .flatMap(each => {
              const moment = given(each, tenantId, row)
              return moment ? { ...moment, moves: payload.bulk === true && !each.imports } : []
            })
    const kept = planned.map(({ automation }) => automation)
    const gone = concerned.flatMap(({ key }) => (kept.includes(key) ? [] : key))
    return [
      ...(planned.length > 0 ? [writeStep(planned, occurredAt)] : []),
      ...(gone.length > 0 && found.kind !== 'created' ? [[REMOVE, [tenantId, gone, String(written.id)]] as const] : []),
    ]
  }

  return {
    automations,
    types: [...byCollection.keys()].flatMap(name => Object.values(rowKinds.all.get(name)?.events ?? {})),
    async stepsOf(events) {
      const steps: Step[] = []
      for (const event of events) steps.push(...(await stepsOfEvent(event)))
      return steps
    },
    countMoments: (automation, tenantId, rows, now) =>
      rows.filter(row => Date.parse(given(automation, tenantId, row)?.due_at ?? '') > now).length,
    planStep: (automation, tenantId, { rows, since }) =>
      writeStep(
        rows.map(
          row =>
            given(automation, tenantId, row) ?? {
              tenant_id: tenantId,
              automation: automation.key,
              row_id: String(row.id),
            },
        ),
        since.toISOString(),
      ),
  }
}
