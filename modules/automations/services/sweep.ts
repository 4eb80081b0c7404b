/** Deletes old runs, and finds runs whose job was lost. */
import type { Deps } from '@larder-dev/larder/kernel'
import { keepMs, type Options } from '../options.ts'
import type { Runs } from './runs/run-record.ts'

const REASON = 'old runs of every workspace are deleted, and lost ones found'
const BATCH = 1000
const DELETE = `delete from automations_runs where ctid in (
  select ctid from automations_runs where finished_at < now() - $1 * interval '1 millisecond' limit ${BATCH})`
/** Their job ended as dead, for example because the database was away for hours. */
const LOST = `select id, tenant_id as "tenantId" from automations_runs
  where finished_at is null and coalesce(wakes_at, created_at) < now() - interval '10 minutes' limit ${BATCH}`

export interface Sweep {
  run(signal: AbortSignal): Promise<void>
}

export const createSweep = (
  { systemDatabase, runs }: Deps<'systemDatabase'> & { readonly runs: Runs },
  options: Options,
): Sweep => ({
  async run(signal) {
    const unit = systemDatabase.acrossTenants(REASON)
    while (!signal.aborted) if ((await unit.query(DELETE, [keepMs(options)])).rowCount < BATCH) break
    const { rows } = await unit.query<{ id: string; tenantId: string }>(LOST)
    for (const run of rows) await runs.enqueue(run)
  },
})
