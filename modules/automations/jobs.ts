import { type Deps, job, MINUTE } from '@larder-dev/larder/kernel'
import type { AutomationServices } from './services.ts'

type JobDeps = Deps<'operator'> & Pick<AutomationServices, 'runner' | 'due' | 'planning' | 'sweep'>

export const jobs = ({ operator, runner, due, planning, sweep }: JobDeps) => [
  job('automations.run', {
    timeout: 10 * MINUTE,
    attempts: 20,
    outgoing: true,
    run: ({ runId }, { tenantId, signal }) => runner.run(tenantId ?? operator.tenantId, runId, signal),
  }),
  job('automations.due', {
    every: '15s',
    timeout: 10 * MINUTE,
    outgoing: true,
    run: (_, { signal }) => due.run(signal),
  }),
  job('automations.start_scheduled', {
    timeout: 60 * MINUTE,
    attempts: 20,
    outgoing: true,
    run: ({ automation, plannedAt }, { signal }) => due.startScheduled(automation, plannedAt, signal),
  }),
  job('automations.plan', { every: '1h', timeout: 60 * MINUTE, run: (_, { signal }) => planning.plan(signal) }),
  job('automations.sweep', { every: '10m', timeout: 10 * MINUTE, run: (_, { signal }) => sweep.run(signal) }),
]
