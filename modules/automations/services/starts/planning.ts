/** Plans schedules, and the moments of rows that existed before their automation. */
import { type Deps, fingerprint, statementTime } from '@larder-dev/larder/kernel'
import type { Automation } from '../../domain/definition/automation.ts'
import { nextTime } from '../../domain/times/zoned.ts'
import type { Definitions } from '../definitions.ts'
import type { Dates } from './dates.ts'
import type { Targets } from './targets.ts'

const REASON = 'schedules of automations belong to no tenant'
/** A changed trigger is planned anew. */
const SAVE = `insert into automations_schedules (automation, trigger, next_at, planned_at)
  select s.automation, s.trigger, s.next_at, null
  from json_to_recordset($1::json) as s (automation text, trigger text, next_at timestamptz)
  on conflict (automation) do update
    set trigger = excluded.trigger, next_at = excluded.next_at, planned_at = null, changed_at = now()
  where automations_schedules.trigger <> excluded.trigger
  returning automation`
const FORGET = 'delete from automations_schedules where automation <> all ($1)'
const FORGET_DATES = 'delete from automations_dates where automation <> all ($1)'

/** SQLSTATE: undefined_table and undefined_column. */
const NOT_CREATED: ReadonlySet<string> = new Set(['42P01', '42703'])
/** The table or the column belongs to a collection or a field that is new. */
const isNotCreated = (error: unknown): boolean => NOT_CREATED.has(String(Reflect.get(Object(error), 'code')))

const triggerDigest = ({ trigger, when }: Pick<Automation, 'trigger' | 'when'>): string => fingerprint([trigger, when])

export interface Planning {
  /** The moments of existing rows that `plan` would write; undefined for another trigger, and for a new collection. */
  countMoments(key: string): Promise<number | undefined>
  /** At each start: what the recipe changed. */
  save(): Promise<void>
  /** Plans the moments of existing rows, for automations that are new or have changed. */
  plan(signal: AbortSignal): Promise<void>
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

    async save() {
      const timed = [...definitions.current.values()].filter(
        ({ trigger }) => trigger.kind === 'schedule' || trigger.kind === 'date',
      )
      const now = timed.some(({ trigger }) => trigger.kind === 'schedule') ? await currentTime() : 0
      const list = timed.map(({ key, trigger, when }) => {
        const next = trigger.kind === 'schedule' ? nextTime(trigger.cron, trigger.timeZone, now) : undefined
        return {
          automation: key,
          trigger: triggerDigest({ trigger, when }),
          next_at: next === undefined ? null : new Date(next).toISOString(),
        }
      })
      const keys = dates.automations.map(({ key }) => key)
      const { saved } = await system().all({
        saved: [SAVE, [JSON.stringify(list)]],
        others: [FORGET, [timed.map(({ key }) => key)]],
        dates: [FORGET_DATES, [keys]],
      })
      if (saved.rows.some(({ automation }) => keys.includes(String(automation))))
        await jobs.enqueue('automations.plan', {}, { key: 'changed' })
    },

    async plan(signal) {
      const { rows } = await system().query<{ automation: string; trigger: string; changedAt: Date }>(
        'select automation, trigger, changed_at as "changedAt" from automations_schedules where planned_at is null',
      )
      for (const { automation: key, trigger, changedAt } of rows) {
        const current = definitions.current.get(key)
        // A process with a newer recipe plans it.
        if (!current || triggerDigest(current) !== trigger) continue
        const automation = dates.automations.find(each => each.key === key)
        if (automation)
          for await (const { tenantId, rows: found } of targets.rows(automation.trigger.collection)) {
            signal.throwIfAborted()
            await database
              .tenant(tenantId)
              .query(...dates.planStep(automation, tenantId, { rows: found, since: changedAt }))
          }
        await system().query(
          'update automations_schedules set planned_at = now() where automation = $1 and trigger = $2',
          [key, trigger],
        )
      }
    },
  }
}
