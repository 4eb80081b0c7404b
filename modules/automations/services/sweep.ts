/** Deletes old runs and definitions, and finds runs whose job was lost. */
import { type Deps, isSuspendedSql } from '@larder-dev/larder/kernel'
import { keepMs, type Options } from '../options.ts'
import type { Definitions } from './definitions.ts'
import type { Runs } from './runs/run-record.ts'
import type { Planning } from './starts/planning.ts'

const REASON = 'old runs of every workspace are deleted, and lost ones found'
const BATCH = 1000
const DELETE = `delete from automations_runs where ctid in (
  select ctid from automations_runs where finished_at < now() - $1 * interval '1 millisecond' limit ${BATCH})`
/** Their job ended as dead, for example because the database was away for hours. Those of suspended workspaces have one. */
const LOST = `select id, tenant_id as "tenantId" from automations_runs r
  where finished_at is null and coalesce(wakes_at, created_at) < now() - interval '10 minutes' and id > $1
    and not ${isSuspendedSql('r.tenant_id')} order by id limit ${BATCH}`

export interface Sweep {
  run(signal: AbortSignal): Promise<void>
}

export const createSweep = (
  {
    systemDatabase,
    runs,
    definitions,
    planning,
  }: Deps<'systemDatabase'> & {
    readonly runs: Runs
    readonly definitions: Definitions
    readonly planning: Planning
  },
  options: Options,
): Sweep => ({
  async run(signal) {
    const unit = systemDatabase.acrossTenants(REASON)
    while (!signal.aborted) if ((await unit.query(DELETE, [keepMs(options)])).rowCount < BATCH) break
    await definitions.sweep()
    await planning.sweep()
    for (let after: string | undefined = ''; after !== undefined && !signal.aborted; ) {
      const { rows }: { rows: readonly LostRun[] } = await unit.query<LostRun>(LOST, [after])
      for (const run of rows) await runs.enqueue(run)
      after = rows.length === BATCH ? rows.at(-1)?.id : undefined
    }
  },
})

interface LostRun {
  readonly id: string
  readonly tenantId: string
}
