/** Starts what is due: schedules, and moments of rows. A recurring job calls it. */
import { type Deps, isSuspendedSql, statementTime, type Unit } from '@larder-dev/larder/kernel'
import type { TriggerKind } from '../../domain/definition/automation.ts'
import { lastTime, nextTime } from '../../domain/times/zoned.ts'
import type { Definitions } from '../definitions.ts'
import type { NewRun, RunStarter } from './run-starter.ts'
import type { Target, Targets } from './targets.ts'

const REASON = 'automations of every workspace are started at their time'
/** Rows of one statement. */
const BATCH = 500
/** Passes of one run of the job, so that it ends. */
const MAX_PASSES = 200

const NOW = 'coalesce($1::timestamptz, now())'
const OWN = '(automation, trigger) in (select * from unnest($2::text[], $3::text[]))'

interface DueDate {
  readonly tenantId: string
  readonly automation: string
  readonly collection: string
  readonly rowId: string
  readonly date: Date
  readonly isOver: boolean
}
/**
 * Those of suspended workspaces wait. Those that this process doesn't know belong to a newer recipe, whose workers start
 * them, or to an older one.
 */
const TAKE_DATES = `delete from automations_dates where ctid in (
    select d.ctid from automations_dates d where due_at <= ${NOW} and ${OWN}
      and not ${isSuspendedSql('d.tenant_id')}
    order by due_at limit ${BATCH} for update skip locked)
  returning tenant_id as "tenantId", automation, collection, row_id as "rowId", date,
    date < ${NOW} and due_at < ${NOW} - interval '1 minute' and due_at < date as "isOver"`
const TAKE_SCHEDULE = `select automation, next_at as "nextAt", ${NOW} as now from automations_schedules
  where next_at <= ${NOW} and ${OWN} order by next_at limit 1 for update skip locked`

/** Those of a recipe that was removed long ago are no ones'. */
const SCHEDULED = `select from automations_schedules where automation = $1 and next_at is not null
  and (retired_at is null or retired_at > now() - interval '1 hour')`
const MOVE_SCHEDULE = 'update automations_schedules set next_at = $3 where automation = $1 and trigger = $2'

export interface Due {
  run(signal: AbortSignal): Promise<void>
  /** Starts the runs of a schedule in batches, each in a transaction of its own. Repeated, it starts those that lack. */
  startScheduled(automation: string, plannedAt: string, signal: AbortSignal): Promise<void>
}

export function createDue({
  systemDatabase,
  clock,
  jobs,
  definitions,
  starter,
  targets,
}: Deps<'systemDatabase' | 'clock' | 'jobs'> & {
  readonly definitions: Definitions
  readonly starter: RunStarter
  readonly targets: Targets
}): Due {
  const transaction = <T>(work: (unit: Unit) => Promise<T>): Promise<T> =>
    systemDatabase.acrossTenants(REASON).transaction(work)

  /** What `OWN` takes. */
  function ownOf(kind: TriggerKind): readonly (readonly string[])[] {
    const keys = [...definitions.current.values()].flatMap(({ key, trigger }) => (trigger.kind === kind ? key : []))
    return [keys, keys.map(definitions.triggerOf)]
  }

  /** Returns whether there may be more. */
  const startDates = (): Promise<boolean> =>
    transaction(async unit => {
      const { rows } = await unit.query<DueDate>(TAKE_DATES, [statementTime(clock), ...ownOf('date')])
      await starter.start(
        unit,
        rows.map(({ tenantId, automation, collection, rowId, date, isOver }) => ({
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
      const { rows } = await unit.query<{ automation: string; nextAt: Date; now: Date }>(TAKE_SCHEDULE, [
        statementTime(clock),
        ...ownOf('schedule'),
      ])
      const [due] = rows
      if (!due) return false
      const automation = definitions.current.get(due.automation)
      const trigger = automation?.trigger
      if (trigger?.kind !== 'schedule') throw new Error(`${due.automation} has no schedule`)
      const { cron, timeZone } = trigger
      const now = due.now.getTime()
      // After an outage, only the latest run is made up for.
      const planned = lastTime(cron, timeZone, due.nextAt.getTime(), now) ?? due.nextAt.getTime()
      const next = nextTime(cron, timeZone, now)
      await unit.defer([
        [
          MOVE_SCHEDULE,
          [
            due.automation,
            definitions.triggerOf(due.automation),
            next === undefined ? null : new Date(next).toISOString(),
          ],
        ],
      ])
      const plannedAt = new Date(planned).toISOString()
      const key = `${due.automation} ${plannedAt}`
      await jobs.enqueue('automations.start_scheduled', { automation: due.automation, plannedAt }, { key })
      return true
    })

  /** Rejects if the recipe of another process has the schedule, so that the job is repeated there. */
  async function leaveToOthers(key: string): Promise<void> {
    const { rows } = await systemDatabase.acrossTenants(REASON).query(SCHEDULED, [key])
    if (rows.length > 0) throw new Error(`The recipe of this process has no schedule ${key}`)
  }

  const runAt = (automation: string, planned: string, { tenantId, collection, rowId }: Target): NewRun => ({
    automation,
    tenantId,
    trigger: 'schedule',
    key: rowId === null ? planned : `${planned} ${rowId}`,
    collection,
    rowId,
    input: { plannedAt: planned },
  })

  return {
    async run(signal) {
      for (let pass = 0; pass < MAX_PASSES && !signal.aborted; pass++) if (!(await startDates())) break
      for (let pass = 0; pass < MAX_PASSES && !signal.aborted; pass++) if (!(await startSchedule())) break
    },
    async startScheduled(key, plannedAt, signal) {
      const trigger = definitions.current.get(key)?.trigger
      if (trigger?.kind !== 'schedule') return leaveToOthers(key)
      for await (const found of targets.of(trigger.each)) {
        signal.throwIfAborted()
        await transaction(unit =>
          starter.start(
            unit,
            found.map(target => runAt(key, plannedAt, target)),
          ),
        )
      }
    },
  }
}
