/** Runs with all values of their steps, and the end of their waits, for tests of a product. */
import type { Deps } from '@larder-dev/larder/kernel'
import { shownStepState } from '../../domain/run-states.ts'
import type { LoggedRun, LoggedStep } from '../../ports.ts'
import { runTable, stepTable } from '../../records/run.ts'
import type { Runs } from '../runs/run-record.ts'

export interface RunLog {
  /** The oldest first. */
  list(query: RunLogQuery): Promise<readonly LoggedRun[]>
  /** Those whose next step is due, or runs. */
  countRunning(): Promise<number>
  /** Continues runs that wait for a time. Returns their number. */
  endWaits(query: RunLogQuery): Promise<number>
}
interface RunLogQuery {
  readonly automation?: string
  readonly tenantId?: string
}

const REASON = 'tests of a product read the runs of every workspace'
const MAX_RUNS = 1000
const RUNS = `select ${runTable.columns()}, input from automations_runs
  where ($1::text is null or automation = $1) and ($2::text is null or tenant_id = $2) order by id limit ${MAX_RUNS}`
const STEPS = `select ${stepTable.columns()}, run_id as "runId" from automations_steps where run_id = any ($1)
  order by run_id, position, item`
const RUNNING = `select count(*)::int as n from automations_runs where state = 'running' and finished_at is null`
const END_WAITS = `update automations_runs r set wakes_at = now() from automations_steps s
  where s.tenant_id = r.tenant_id and s.run_id = r.id and s.position = r.position
    and s.action = 'wait' and s.state = 'waiting' and r.state = 'waiting'
    and ($1::text is null or r.automation = $1) and ($2::text is null or r.tenant_id = $2)
  returning r.id, r.tenant_id as "tenantId"`

export function createRunLog({ systemDatabase, runs: open }: Deps<'systemDatabase'> & { readonly runs: Runs }): RunLog {
  const everywhere = () => systemDatabase.acrossTenants(REASON)
  return {
    async list({ automation = null, tenantId = null }) {
      const unit = everywhere()
      const runs = await runTable.query<{ input: LoggedRun['input'] }>(unit, RUNS, [automation, tenantId])
      const steps = await stepTable.query<{ runId: string }>(unit, STEPS, [runs.map(({ id }) => id)])
      const byRun = new Map<string, LoggedStep[]>(runs.map(({ id }) => [id, []]))
      const over = new Set(runs.flatMap(({ id, finishedAt }) => (finishedAt === null ? [] : id)))
      for (const { runId, state, ...step } of steps)
        byRun.get(runId)?.push({ ...step, state: shownStepState(state, over.has(runId)) })
      return runs.map(run => ({ ...run, steps: byRun.get(run.id) ?? [] }))
    },
    async countRunning() {
      const { rows } = await everywhere().query<{ n: number }>(RUNNING)
      return rows[0]?.n ?? 0
    },
    endWaits: ({ automation = null, tenantId = null }) =>
      everywhere().transaction(async unit => {
        const { rows } = await unit.query<{ id: string; tenantId: string }>(END_WAITS, [automation, tenantId])
        for (const run of rows) await open.wake(run)
        return rows.length
      }),
  }
}
