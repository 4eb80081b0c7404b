/** Metrics of jobs, over all tenants and processes. */
import type { Deps, Registrations } from '@larder-dev/larder/kernel'
import { createJobActivity } from './activity.ts'

export function metrics(deps: Deps<'systemDatabase'>): Registrations['metrics'] {
  const activity = createJobActivity(deps)
  return [
    {
      name: 'larder_jobs',
      help: 'Jobs by name and state; dead ones are dead letters. Every process reports the total of all processes',
      type: 'gauge',
      read: async () =>
        (await activity.counts()).flatMap(({ name, waiting, running, dead }) =>
          Object.entries({ waiting, running, dead }).map(([state, value]) => ({ labels: { name, state }, value })),
        ),
    },
  ]
}
