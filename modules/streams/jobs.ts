import { type Deps, type Job, job } from 'larder/kernel'
import { sweepPeers } from './realtime/peer-sweep.ts'
import { createLiveStatus } from './services/live-status-service.ts'

type JobDeps = Deps<
  'database' | 'systemDatabase' | 'sessions' | 'events' | 'jobs' | 'bus' | 'clock' | 'topics' | 'mediaEdge'
>

export function streamJobs(deps: JobDeps): Job[] {
  const liveStatus = createLiveStatus(deps)
  return [
    job('streams.go_idle', { run: data => liveStatus.goIdle(data.tenant_id, data.session_id, data.lost_at) }),
    job('streams.kick', {
      async run({ session_id }, { signal }) {
        await deps.mediaEdge.kick(session_id, signal)
      },
    }),
    job('streams.sweep', { every: '10s', run: () => sweepPeers(deps) }),
  ]
}
