/** Metrics of runs, over all tenants and processes. */
import type { Deps, Registrations } from '@larder-dev/larder/kernel'
import { OPEN_STATES } from '../domain/run-states.ts'

const STATES = [...OPEN_STATES, 'failed'] as const
/** Each part has an index. Runs that are over are many, so those of an hour are counted. */
const COUNT = `select state, count(*)::int as count from automations_runs where finished_at is null group by state
  union all select 'failed', count(*)::int from automations_runs
    where finished_at > now() - interval '1 hour' and state = 'failed'`

export const runMetrics = ({ systemDatabase }: Deps<'systemDatabase'>): Registrations['metrics'] => [
  {
    name: 'larder_automation_runs',
    help: 'Runs of automations that are due or wait, and those that failed in the last hour. Every process reports the same',
    type: 'gauge',
    async read() {
      const unit = systemDatabase.acrossTenants('runs of every workspace are counted')
      const { rows } = await unit.query<{ state: string; count: number }>(COUNT)
      const counts = new Map(rows.map(({ state, count }) => [state, count]))
      return STATES.map(state => ({ labels: { state }, value: counts.get(state) ?? 0 }))
    },
  },
]
