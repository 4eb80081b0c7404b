/** Plans schedules, and the moments of rows that existed before their automation. */
import { type Deps, SECOND, statementTime } from '@larder-dev/larder/kernel'
import { nextTime } from '../../domain/times/zoned.ts'
import type { Definitions } from '../definitions.ts'
import type { Dates } from './dates.ts'
import type { Targets } from './targets.ts'

const REASON = 'schedules of automations belong to no tenant'
const OWN = '(automation, trigger) in (select * from unnest($1::text[], $2::text[]))'
/** A trigger that is new, or that a recipe has again, is planned anew. */
const SAVE = `insert into automations_schedules (automation, trigger, next_at, planned_at)
  select s.automation, s.trigger, s.next_at, null
  from unnest($1::text[], $2::text[], $3::timestamptz[]) as s (automation, trigger, next_at)
  on conflict (automation, trigger) do update
    set next_at = excluded.next_at, planned_at = null, changed_at = now(), retired_at = null
  where automations_schedules.retired_at is not null
  returning automation`
/** Processes of another recipe may have them, and go on with them. */
const RETIRE = `update automations_schedules set retired_at = now() where retired_at is null and not ${OWN}`
const CLAIM = `update automations_schedules set retired_at = null where retired_at is not null and ${OWN}`
const forgetting = (
  which: string,
) => `with gone as (delete from automations_schedules where ${which} returning automation, trigger)
  delete from automations_dates d using gone g where d.automation = g.automation and d.trigger = g.trigger`
const FORGET_OTHERS = forgetting(`not ${OWN}`)
const FORGET_RETIRED = forgetting(`retired_at < now() - interval '1 day'`)
/**
 * Processes of the former recipe may handle events of rows for a while, without this trigger. So moments are planned until
 * a pass has begun an hour after the change.
 */
const PLANNED_SHORTLY_AFTER = `changed_at + interval '1 hour'`
const UNPLANNED = `select automation, changed_at as "changedAt", clock_timestamp() as now from automations_schedules
  where ${OWN} and (planned_at is null or planned_at < ${PLANNED_SHORTLY_AFTER})`
const LEFT_TO_OTHERS = `select from automations_schedules
  where not ${OWN} and planned_at is null and retired_at is null and now() < ${PLANNED_SHORTLY_AFTER} limit 1`
const OTHERS_DELAY = 15 * SECOND

/** SQLSTATE: undefined_table and undefined_column. */
const NOT_CREATED: ReadonlySet<string> = new Set(['42P01', '42703'])
/** The table or the column belongs to a collection or a field that is new. */
const isNotCreated = (error: unknown): boolean => NOT_CREATED.has(String(Reflect.get(Object(error), 'code')))

export interface Planning {
  /** The moments of existing rows that `plan` would write; undefined for another trigger, and for a new collection. */
  countMoments(key: string): Promise<number | undefined>
  /**
   * At each start: what the recipe changed. What the recipe doesn't have stays, because processes of another one may run.
   * @param removes whether no such process runs: it is deleted.
   */
  save(removes: boolean): Promise<void>
  /** Plans the moments of existing rows, for automations that are new or have changed. */
  plan(signal: AbortSignal): Promise<void>
  /** Claims the schedules and moments of this recipe, and deletes those that no process has claimed for a day. */
  sweep(): Promise<void>
}

export function createPlanning({
  systemDatabase,
  database,
  clock,
  jobs,
  definitions,
  dates,
  targets,
}: Deps<'systemDatabase' | 'database' | 'clock' | 'jobs'> & {
  readonly definitions: Definitions
  readonly dates: Dates
  readonly targets: Targets
}): Planning {
  const system = () => systemDatabase.acrossTenants(REASON)
  /** By the clock of the database, by which schedules are due. */
  async function currentTime(): Promise<number> {
    const { rows } = await system().query<{ now: Date }>('select coalesce($1::timestamptz, now()) as now', [
      statementTime(clock),
    ])
    return rows[0]?.now.getTime() ?? clock.now()
  }
  const timed = [...definitions.current.values()].filter(
    ({ trigger }) => trigger.kind === 'schedule' || trigger.kind === 'date',
  )
  /** What `OWN` takes. */
  const own = [timed.map(({ key }) => key), timed.map(({ key }) => definitions.triggerOf(key))]
  const enqueuePlan = (at?: Date) => jobs.enqueue('automations.plan', {}, { key: 'changed', ...(at && { at }) })

  return {
    async countMoments(key) {
      const automation = dates.automations.find(each => each.key === key)
      if (!automation) return undefined
      let count = 0
      try {
        for await (const { tenantId, rows } of targets.rows(automation.trigger.collection))
          count += dates.countMoments(automation, tenantId, rows, clock.now())
      } catch (error) {
        if (isNotCreated(error)) return undefined
        throw error
      }
      return count
    },

    async save(removes) {
      const now = timed.some(({ trigger }) => trigger.kind === 'schedule') ? await currentTime() : 0
      const next = timed.map(({ trigger }) => {
        const time = trigger.kind === 'schedule' ? nextTime(trigger.cron, trigger.timeZone, now) : undefined
        return time === undefined ? null : new Date(time).toISOString()
      })
      const { saved } = await system().all({
        saved: [SAVE, [...own, next]],
        others: [removes ? FORGET_OTHERS : RETIRE, own],
      })
      const keys = dates.automations.map(({ key }) => key)
      if (saved.rows.some(({ automation }) => keys.includes(String(automation)))) await enqueuePlan()
    },

    async plan(signal) {
      const { rows } = await system().query<{ automation: string; changedAt: Date; now: Date }>(UNPLANNED, own)
      for (const { automation: key, changedAt, now } of rows) {
        const automation = dates.automations.find(each => each.key === key)
        if (automation)
          for await (const { tenantId, rows: found } of targets.rows(automation.trigger.collection)) {
            signal.throwIfAborted()
            await database
              .tenant(tenantId)
              .query(...dates.planStep(automation, tenantId, { rows: found, since: changedAt, readAt: now }))
          }
        await system().query(
          'update automations_schedules set planned_at = $3 where automation = $1 and trigger = $2',
          [key, definitions.triggerOf(key), now],
        )
      }
      const { rowCount } = await system().query(LEFT_TO_OTHERS, own)
      if (rowCount > 0) await enqueuePlan(new Date(clock.now() + OTHERS_DELAY))
    },

    async sweep() {
      await system().query(CLAIM, own)
      await system().query(FORGET_RETIRED)
    },
  }
}
