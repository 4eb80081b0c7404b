/** Starts what is due: schedules, and moments of rows. A recurring job calls it. */
import type { Deps, Unit } from '@larder-dev/larder/kernel'
import type { Automation, Trigger } from '../../domain/definition/automation.ts'
import { lastTime, nextTime } from '../../domain/times/zoned.ts'
import type { Definitions } from '../definitions.ts'
import type { NewRun, RunStarter } from './run-starter.ts'
import type { Targets } from './targets.ts'

const REASON = 'automations of every workspace are started at their time'
/** Rows of one statement. */
const BATCH = 500
/** Passes of one run of the job, so that it ends. */
const MAX_PASSES = 200

interface DueDate {
  readonly tenantId: string
  readonly automation: string
  readonly collection: string
  readonly rowId: string
  readonly date: Date
  readonly isOver: boolean
}
/** Those of suspended workspaces wait. */
const TAKE_DATES = `delete from automations_dates where ctid in (
    select d.ctid from automations_dates d where due_at <= now()
      and not exists (select from larder_suspended_tenants s where s.tenant_id = d.tenant_id)
    order by due_at limit ${BATCH} for update skip locked)
  returning tenant_id as "tenantId", automation, collection, row_id as "rowId", date,
    date < now() and due_at < now() - interval '10 minutes' and due_at < date as "isOver"`
const TAKE_SCHEDULE = `select automation, next_at as "nextAt", now() as now from automations_schedules
  where next_at <= now() order by next_at limit 1 for update skip locked`

type ScheduleTrigger = Extract<Trigger, { kind: 'schedule' }>

export interface Due {
  run(signal: AbortSignal): Promise<void>
}

export function createDue({
  systemDatabase,
  definitions,
  starter,
  targets,
}: Deps<'systemDatabase'> & {
  readonly definitions: Definitions
  readonly starter: RunStarter
  readonly targets: Targets
}): Due {
  const transaction = <T>(work: (unit: Unit) => Promise<T>): Promise<T> =>
    systemDatabase.acrossTenants(REASON).transaction(work)

  /** Returns whether there may be more. */
  const startDates = (): Promise<boolean> =>
    transaction(async unit => {
      const { rows } = await unit.query<DueDate>(TAKE_DATES)
      const known = rows.filter(({ automation }) => definitions.current.get(automation)?.trigger.kind === 'date')
      await starter.start(
        unit,
        known.map(({ tenantId, automation, collection, rowId, date, isOver }) => ({
          automation,
          tenantId,
          trigger: 'date',
          key: `${rowId} ${date.toISOString()}`,
          collection,
          rowId,
          input: { date: date.toISOString() },
          skipped: isOver,
        })),
      )
      return rows.length === BATCH
    })

  const startSchedule = (): Promise<boolean> =>
    transaction(async unit => {
      const { rows } = await unit.query<{ automation: string; nextAt: Date; now: Date }>(TAKE_SCHEDULE)
      const [due] = rows
      if (!due) return false
      const automation = definitions.current.get(due.automation)
      const trigger = automation?.trigger
      if (!automation || trigger?.kind !== 'schedule') {
        await unit.defer([['update automations_schedules set next_at = null where automation = $1', [due.automation]]])
        return true
      }
      const { cron, timeZone } = trigger
      const now = due.now.getTime()
      // After an outage, only the latest run is made up for.
      const planned = lastTime(cron, timeZone, due.nextAt.getTime(), now) ?? due.nextAt.getTime()
      const next = nextTime(cron, timeZone, now)
      await unit.defer([
        [
          'update automations_schedules set next_at = $2 where automation = $1',
          [automation.key, next === undefined ? null : new Date(next).toISOString()],
        ],
      ])
      for await (const runs of scheduled(automation, trigger, new Date(planned).toISOString()))
        await starter.start(unit, runs)
      return true
    })

  async function* scheduled(
    automation: Automation,
    trigger: ScheduleTrigger,
    planned: string,
  ): AsyncGenerator<NewRun[]> {
    for await (const found of targets.of(trigger.each))
      yield found.map(({ tenantId, collection, rowId }) => ({
        automation: automation.key,
        tenantId,
        trigger: 'schedule',
        key: rowId === null ? planned : `${planned} ${rowId}`,
        collection,
        rowId,
        input: { plannedAt: planned },
      }))
  }

  return {
    async run(signal) {
      for (let pass = 0; pass < MAX_PASSES && !signal.aborted; pass++) if (!(await startDates())) break
      for (let pass = 0; pass < MAX_PASSES && !signal.aborted; pass++) if (!(await startSchedule())) break
    },
  }
}
