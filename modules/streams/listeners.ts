import { type Deps, type Listener, listener } from '@larder-dev/larder/kernel'
import { CHAT_TOPIC } from './domain/values.ts'
import type { LiveStatusService } from './services/live-status-service.ts'
import type { StreamChanges } from './services/stream-changes.ts'

type ListenerDeps = Deps<'database' | 'jobs' | 'topics', 'webhooks'> & {
  readonly streamChanges: StreamChanges
  readonly liveStatus: LiveStatusService
}

const WEBHOOK_EVENTS = [
  'streams.stream.live',
  'streams.stream.idle',
  'streams.stream.sources_updated',
  'streams.stream.layout_updated',
] as const

const CONNECTED_STREAMS = `select id from streams_streams s where edge_source is not null or edge_viewers > 0
  or exists (select from streams_edge_connections c where c.stream_id = s.id)`

export function streamListeners({
  database,
  jobs,
  topics,
  webhooks,
  liveStatus,
  streamChanges,
}: ListenerDeps): Listener[] {
  const closeOn = (type: 'sessions.session.ended' | 'sessions.session.expired') =>
    listener(type, async ({ tenantId, payload }) => {
      if (payload.mode !== 'stream') return
      await liveStatus.close(tenantId, payload.session_id)
      streamChanges.publishStatus(tenantId, payload.session_id, payload.status)
    })
  return [
    closeOn('sessions.session.ended'),
    closeOn('sessions.session.expired'),
    listener('sessions.session.accepted', async ({ tenantId, payload }) => {
      if (payload.mode === 'stream') streamChanges.publishStatus(tenantId, payload.session_id, payload.status)
    }),
    listener('sessions.session.token_rotated', async ({ tenantId, payload: { session_id } }) => {
      await jobs.enqueue('streams.close_revoked', { tenant_id: tenantId, session_id }, { key: session_id })
      topics.reauthorize({ topic: CHAT_TOPIC, tenantId, key: session_id })
    }),
    listener('identity.tenant.deleted', async ({ tenantId }) => {
      const { rows } = await database
        .tenant(tenantId)
        .query<{ id: string }>(`select id from streams_streams where live_status <> 'idle'`)
      for (const { id } of rows) await jobs.enqueue('streams.kick', { session_id: id }, { key: id })
    }),
    // Peers at the media edge outlive the workspace's sockets.
    listener('identity.tenant.suspended', async ({ payload: { tenantId } }) => {
      const { rows } = await database.tenant(tenantId).query<{ id: string }>(CONNECTED_STREAMS)
      for (const { id } of rows) await jobs.enqueue('streams.kick', { session_id: id }, { key: id })
    }),
    ...(webhooks
      ? WEBHOOK_EVENTS.map(type => listener(type, events => webhooks.enqueue(events), { as: 'webhook', batch: true }))
      : []),
  ]
}
