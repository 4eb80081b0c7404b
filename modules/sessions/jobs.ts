import { type Deps, job, SECOND } from '@larder-dev/larder/kernel'
import { createSweeper } from './services/session-sweeper.ts'

export function sessionJobs(deps: Deps<'database' | 'systemDatabase' | 'events' | 'clock' | 'bus'>) {
  const sweep = createSweeper(deps)
  // A killed worker holds the job's lock for twice its timeout, so the timeout is short.
  return [job('sessions.sweep', { every: '5s', timeout: 5 * SECOND, run: (_, { signal }) => sweep(signal) })]
}
