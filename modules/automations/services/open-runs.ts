/** Runs that aren't over, for a change of the recipe. */
import { type Deps, Problem } from '@larder-dev/larder/kernel'
import { problems } from '../problems.ts'
import type { Control } from './control.ts'

export interface OpenRuns {
  /** Their number by the definition that they keep. */
  groups(): Promise<readonly RunGroup[]>
  /** Moves runs, their moments and their schedule to the new name of an automation. A second call changes nothing. */
  rename(from: string, to: string): Promise<void>
  /** Cancels those of an automation that keep one of these definitions. */
  cancel(automation: string, digests: readonly string[]): Promise<void>
}
export interface RunGroup {
  readonly automation: string
  readonly digest: string
  /** The step of the run that is furthest behind. */
  readonly position: number
  readonly count: number
}

const REASON = 'a change of the recipe concerns the runs of every workspace'
const BATCH = 500
const GROUPS = `select automation, digest, min(position)::int as position, count(*)::int as count
  from automations_runs where finished_at is null group by automation, digest order by automation, digest`
const OPEN = `select id, tenant_id as "tenantId" from automations_runs
  where automation = $1 and digest = any ($2) and finished_at is null order by id limit ${BATCH}`
/** A run that the new name has with the same key is the same. */
const RENAME = [
  `update automations_runs r set automation = $2 where automation = $1 and not exists (
     select 1 from automations_runs o where o.tenant_id = r.tenant_id and o.automation = $2 and o.key = r.key)`,
  'update automations_asks set automation = $2 where automation = $1',
  `update automations_dates d set automation = $2 where automation = $1 and not exists (
     select 1 from automations_dates o where o.tenant_id = d.tenant_id and o.automation = $2 and o.row_id = d.row_id
       and o.trigger = d.trigger)`,
  `update automations_schedules s set automation = $2 where automation = $1
     and not exists (select 1 from automations_schedules o where o.automation = $2 and o.trigger = s.trigger)`,
  'update automations_definitions set automation = $2 where automation = $1',
] as const

export function createOpenRuns({
  systemDatabase,
  control,
}: Deps<'systemDatabase'> & { readonly control: Control }): OpenRuns {
  const everywhere = () => systemDatabase.acrossTenants(REASON)
  return {
    groups: async () => (await everywhere().query<RunGroup>(GROUPS)).rows,
    async rename(from, to) {
      await everywhere().all(RENAME.map(sql => [sql, [from, to]] as const))
    },
    async cancel(automation, digests) {
      for (;;) {
        const { rows } = await everywhere().query<{ id: string; tenantId: string }>(OPEN, [automation, digests])
        for (const { id, tenantId } of rows)
          await control.cancel(tenantId, id).catch(error => {
            // It ended in the meantime.
            if (!Problem.is(error) || error.code !== problems.run_over.code) throw error
          })
        if (rows.length < BATCH) return
      }
    },
  }
}
