/** Runs with all values of their steps, for tests of a product. */
import type { Deps } from '@larder-dev/larder/kernel'
import type { LoggedRun, LoggedStep } from '../../ports.ts'
import { runTable, stepTable } from '../../records/run.ts'

export interface RunLog {
  /** The oldest first. */
  list(query: { readonly automation?: string; readonly tenantId?: string }): Promise<readonly LoggedRun[]>
  /** Those whose next step is due, or runs. */
  countRunning(): Promise<number>
}

const REASON = 'tests of a product read the runs of every workspace'
const MAX_RUNS = 1000
const RUNS = `select ${runTable.columns()}, input from automations_runs
  where ($1::text is null or automation = $1) and ($2::text is null or tenant_id = $2) order by id limit ${MAX_RUNS}`
const STEPS = `select ${stepTable.columns()}, run_id as "runId" from automations_steps where run_id = any ($1)
  order by run_id, position, item`
const RUNNING = `select count(*)::int as n from automations_runs where state = 'running' and finished_at is null`

export function createRunLog({ systemDatabase }: Deps<'systemDatabase'>): RunLog {
  const everywhere = () => systemDatabase.acrossTenants(REASON)
  return {
    async list({ automation = null, tenantId = null }) {
      const unit = everywhere()
      const runs = await runTable.query<{ input: LoggedRun['input'] }>(unit, RUNS, [automation, tenantId])
      const steps = await stepTable.query<{ runId: string }>(unit, STEPS, [runs.map(({ id }) => id)])
      const byRun = new Map<string, LoggedStep[]>(runs.map(({ id }) => [id, []]))
      for (const { runId, ...step } of steps) byRun.get(runId)?.push(step)
      return runs.map(run => ({ ...run, steps: byRun.get(run.id) ?? [] }))
    },
    async countRunning() {
      const { rows } = await everywhere().query<{ n: number }>(RUNNING)
      return rows[0]?.n ?? 0
    },
  }
}
