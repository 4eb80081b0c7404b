/** Moments before and after dates of rows: they move with the date, and go with the row. */
import type { Deps, Step } from '@larder-dev/larder/kernel'
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
  /** The moments of rows of one workspace after `since` and after their last change, in place of those that were written before the rows were read. */
  planStep(
    automation: DateAutomation,
    tenantId: string,
    planned: { readonly rows: readonly Row[]; readonly since: Date; readonly readAt: Date },
  ): Step
  /** The moment of a row that is locked, in place of the one that it had. None for another recipe's automation. */
  moveSteps(key: string, tenantId: string, row: Row): readonly Step[]
}
export type DateAutomation = Automation & { readonly trigger: DateTrigger }

/** The rest is known when the moment is due. */
const ofRow = (condition: DateAutomation['when']): DateAutomation['when'] =>
  Object.fromEntries(
    Object.entries(condition).filter(([path, test]) => pathsOf({ [path]: test }).every(([root]) => root === 'row')),
  )

const REMOVE = `delete from automations_dates where tenant_id = $1 and row_id = $2
  and (automation, trigger) in (select * from unnest($3::text[], $4::text[]))`
/** Also those of other recipes. */
const REMOVE_ALL = 'delete from automations_dates where tenant_id = $1 and collection = $2 and row_id = $3'
/**
 * A moment that had passed when its row or its automation was written is none: nobody is reminded of what is over. One that
 * passed since then, while no worker ran, is due, and stays if the date did not move. With `moves`, a row without a moment
 * gets none. With `$2`, moments that were written since then stay: they are those of a later change.
 */
const WRITE = `with given as (
    select * from json_to_recordset($1::json) as g (tenant_id text, automation text, trigger text, collection text,
      row_id text, date timestamptz, due_at timestamptz, since timestamptz, moves boolean)),
  passed as (
    delete from automations_dates d using given g where d.tenant_id = g.tenant_id and d.automation = g.automation
      and d.row_id = g.row_id and d.trigger = g.trigger and coalesce(g.due_at, '-infinity') <= g.since
      and g.due_at is distinct from d.due_at and ($2::timestamptz is null or d.written_at < $2))
  insert into automations_dates as d (tenant_id, automation, trigger, collection, row_id, date, due_at)
  select tenant_id, automation, trigger, collection, row_id, date, due_at from given g
  where due_at > since and (moves is not true or exists (
    select from automations_dates o where o.tenant_id = g.tenant_id and o.automation = g.automation and o.row_id = g.row_id))
  on conflict (tenant_id, automation, row_id, trigger) do update
    set date = excluded.date, due_at = excluded.due_at, written_at = clock_timestamp()
  where $2::timestamptz is null or d.written_at < $2`

export function createDates({
  clock,
  definitions,
  rowKinds,
  rowReader,
}: Deps<'clock'> & {
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
        trigger: definitions.triggerOf(key),
        collection: trigger.collection,
        row_id: String(row.id),
        date: new Date(moment.date).toISOString(),
        due_at: new Date(moment.due).toISOString(),
      }
    )
  }
  const writeStep = (list: readonly object[], readAt?: Date): Step => [
    WRITE,
    [JSON.stringify(list), readAt?.toISOString() ?? null],
  ]
  /** The moment of a row, or that it has none. */
  const written = (automation: DateAutomation, tenantId: string, row: Row) =>
    given(automation, tenantId, row) ?? {
      tenant_id: tenantId,
      automation: automation.key,
      trigger: definitions.triggerOf(automation.key),
      row_id: String(row.id),
    }

  /** What its event doesn't have. */
  const readsPrivate = ({ trigger, when }: DateAutomation): boolean => {
    const hidden = rowKinds.all.get(trigger.collection)?.privateFields ?? []
    const fields = pathsOf(when).flatMap(([root, field = '']) => (root === 'row' ? field : []))
    return [trigger.field, ...fields].some(field => hidden.includes(field))
  }
  const withPrivate = new Set([...byCollection].flatMap(([name, each]) => (each.some(readsPrivate) ? name : [])))

  async function stepsOfEvent({ type, tenantId, payload, occurredAt }: AnyEvent): Promise<Step[]> {
    const found = rowKinds.ofEvent(type)
    const changed = payload.row as Row | undefined
    const { collection = '' } = found?.rows ?? {}
    const concerned = byCollection.get(collection) ?? []
    if (!found || !changed || concerned.length === 0) return []
    if (found.kind === 'deleted') return [[REMOVE_ALL, [tenantId, collection, String(changed.id)]]]
    const row = withPrivate.has(collection) ? await rowReader.get(tenantId, collection, String(changed.id)) : changed
    const planned = concerned
      .filter(({ imports }) => payload.bulk !== true || imports || found.kind === 'updated')
      .flatMap(each => {
        const moment = row && given(each, tenantId, row)
        return moment ? { ...moment, since: occurredAt, moves: payload.bulk === true && !each.imports } : []
      })
    const kept = planned.map(({ automation }) => automation)
    const gone = concerned.flatMap(({ key }) => (kept.includes(key) ? [] : key))
    const removed = [tenantId, String(changed.id), gone, gone.map(definitions.triggerOf)]
    return [
      ...(planned.length > 0 ? [writeStep(planned)] : []),
      ...(gone.length > 0 && found.kind !== 'created' ? [[REMOVE, removed] as const] : []),
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
    planStep: (automation, tenantId, { rows, since, readAt }) =>
      writeStep(
        rows.map(row => ({ ...written(automation, tenantId, row), since: later(since, row.updatedAt) })),
        readAt,
      ),
    moveSteps: (key, tenantId, row) =>
      automations
        .filter(automation => automation.key === key)
        .map(automation => writeStep([{ ...written(automation, tenantId, row), since: new Date(clock.now()) }])),
  }
}

const later = (time: Date, written: unknown): Date =>
  typeof written === 'string' && Date.parse(written) > time.getTime() ? new Date(written) : time
