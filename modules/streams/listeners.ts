import { type Deps, type Listener, listener } from 'larder/kernel'
import { createLive } from './edge/live.ts'
import { forgetTenant } from './leaving.ts'

type ListenDeps = Deps<'database' | 'sessions' | 'events' | 'jobs' | 'bus' | 'clock', 'webhooks'>

const TOLD = [
  'streams.stream.live',
  'streams.stream.idle',
  'streams.stream.sources_updated',
  'streams.stream.layout_updated',
] as const

const AS_WEBHOOK = { as: 'webhook', concurrent: true }

export function streamListeners(deps: ListenDeps): Listener[] {
  const { jobs, webhooks } = deps
  const live = createLive(deps)
  const over = (type: 'sessions.session.ended' | 'sessions.session.expired') =>
    listener(type, async ({ tenantId, payload }) => {
      if (payload.mode === 'stream') await live.over(tenantId, payload.session_id)
    })
  return [
    over('sessions.session.ended'),
    over('sessions.session.expired'),
    listener('sessions.session.token_rotated', async ({ payload: { session_id } }) => {
      await jobs.enqueue('streams.kick', { session_id }, { key: session_id })
    }),
    listener('identity.tenant.deleted', ({ tenantId }) => forgetTenant(deps, tenantId)),
    ...(webhooks ? TOLD.map(type => listener(type, event => webhooks.announce(event), AS_WEBHOOK)) : []),
  ]
}
