import { type Deps, type Job, job } from '@larder-dev/larder/kernel'
import { CHAT_TOPIC } from './domain/values.ts'
import { sweepPeers } from './realtime/peer-sweep.ts'
import type { StreamServices } from './services.ts'

type JobDeps = Deps<'systemDatabase' | 'bus' | 'topics'> &
  Pick<StreamServices, 'mediaEdge' | 'liveStatus' | 'edgeComparison' | 'edgeConnections'>

export function streamJobs(deps: JobDeps): Job[] {
  const { bus, topics, mediaEdge, liveStatus, edgeComparison, edgeConnections } = deps
  return [
    job('streams.go_idle', { run: data => liveStatus.goIdle(data.tenant_id, data.session_id, data.lost_at) }),
    job('streams.kick', {
      async run({ session_id }, { signal }) {
        await mediaEdge.kickAll(session_id, signal)
      },
    }),
    job('streams.close_revoked', {
      run: ({ tenant_id, session_id }, { signal }) => edgeConnections.closeRevoked(tenant_id, session_id, signal),
    }),
    job('streams.expire_token', {
      async run({ tenant_id: tenantId, session_id: sessionId, token_id: tokenId }, { signal }) {
        bus.publish('streams.changed', { tenantId, sessionId, change: 'token_revoked', tokenId })
        topics.reauthorize({ topic: CHAT_TOPIC, tenantId, key: sessionId })
        await edgeConnections.closeToken(tenantId, sessionId, tokenId, signal)
      },
    }),
    job('streams.compare_edge', { every: '10s', run: (_, { signal }) => edgeComparison.compareEdge(signal) }),
    job('streams.sweep', {
      every: '10s',
      async run() {
        await sweepPeers(deps)
        await edgeComparison.comparePeers()
      },
    }),
  ]
}
