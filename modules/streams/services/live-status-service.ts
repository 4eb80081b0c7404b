/** Tracks the live status of streams: live, reconnecting, and idle after the reconnect window. */
import type { Deps, Unit } from '@larder-dev/larder/kernel'
import { type LiveEvent, type LiveState, nextLiveState, RECONNECT_WINDOW_MS } from '../domain/live-state.ts'
import type { LiveStatus } from '../domain/values.ts'
import { isFinished } from '../problems.ts'
import { streamTable } from '../records/stream.ts'
import type { StreamChanges } from './stream-changes.ts'

type LiveStatusDeps = Deps<'database' | 'sessions' | 'events' | 'jobs' | 'clock'> & {
  readonly streamChanges: StreamChanges
}
export type LiveStatusService = ReturnType<typeof createLiveStatus>

const READ = `select live_status, live_at, lost_at, edge_source, peer_source from streams_streams where id = $1 for update`
const WRITE = `update streams_streams set live_status = $2, live_at = $3, lost_at = $4, edge_source = $5, peer_source = $6,
  edge_viewers = case when $5::text is null then 0 else edge_viewers end where id = $1`
const GO_IDLE = `update streams_streams set live_status = 'idle', live_at = null, lost_at = null
  where id = $1 and live_status = 'reconnecting' and lost_at <= $2 returning id`
const CLOSE = `update streams_streams set live_status = 'idle', live_at = null, lost_at = null, edge_source = null,
  peer_source = null, edge_viewers = 0, closed = true where id = $1`

interface LiveRow {
  readonly live_status: LiveStatus
  readonly live_at: Date | null
  readonly lost_at: Date | null
  readonly edge_source: string | null
  readonly peer_source: string | null
}

export function createLiveStatus(deps: LiveStatusDeps) {
  const { database, sessions, events, jobs, clock, streamChanges } = deps
  const publishLive = (tenantId: string, sessionId: string, live_status: LiveStatus, liveAt: Date | null) =>
    streamChanges.publish({ tenantId, sessionId, change: 'live', live_status, live_at: liveAt?.toISOString() ?? null })
  const publishEvent = async (tenantId: string, id: string, type: 'streams.stream.live' | 'streams.stream.idle') => {
    const payload = await sessions.nextEventPayload(tenantId, id)
    await events.publish(type, { tenantId, subject: id, payload })
  }

  async function announce(tenantId: string, id: string, before: LiveState, after: LiveState): Promise<void> {
    if (before.status === after.status) return
    if (after.status === 'reconnecting' && after.lostAt) {
      const data = { tenant_id: tenantId, session_id: id, lost_at: after.lostAt.toISOString() }
      await jobs.enqueue('streams.go_idle', data, {
        key: id,
        at: new Date(after.lostAt.getTime() + RECONNECT_WINDOW_MS),
      })
    } else if (before.status === 'reconnecting') await jobs.cancel('streams.go_idle', id)
    else await publishEvent(tenantId, id, 'streams.stream.live')
    publishLive(tenantId, id, after.status, after.liveAt)
  }

  /** Returns false if the stream may not be published. */
  async function handle(streamId: string, event: LiveEvent): Promise<boolean> {
    const [session] = await sessions.getManyAcrossTenants([streamId])
    if (session?.mode !== 'stream' || isFinished(session.status)) return false
    const { id, workspace_id: tenantId } = session
    await database.tenant(tenantId).transaction(async unit => {
      await unit.defer([streamTable.insertStep({ tenant_id: tenantId, id }, 'on conflict (id) do nothing')])
      const before = toState((await unit.query<LiveRow>(READ, [id])).rows[0] as LiveRow)
      const after = nextLiveState(before, event, new Date(clock.now()))
      if (after === before) return
      await unit.query(WRITE, [id, ...toValues(after)])
      await announce(tenantId, id, before, after)
    })
    return true
  }

  return {
    handle,
    /** Runs at the end of the reconnect window that started at `lostAt`. */
    goIdle: (tenantId: string, id: string, lostAt: string): Promise<void> =>
      database.tenant(tenantId).transaction(async (unit: Unit) => {
        if ((await unit.query(GO_IDLE, [id, lostAt])).rowCount === 0) return
        await publishEvent(tenantId, id, 'streams.stream.idle')
        publishLive(tenantId, id, 'idle', null)
      }),
    /** The session has ended or expired. Disconnects the publisher without publishing another event. */
    async close(tenantId: string, id: string): Promise<void> {
      await database.tenant(tenantId).query(CLOSE, [id])
      await jobs.enqueue('streams.kick', { session_id: id }, { key: id })
    },
  }
}

const toState = (row: LiveRow): LiveState => ({
  status: row.live_status,
  liveAt: row.live_at,
  lostAt: row.lost_at,
  sources: { edge: row.edge_source, peer: row.peer_source },
})
const toValues = ({ status, liveAt, lostAt, sources }: LiveState) => [
  status,
  liveAt,
  lostAt,
  sources.edge,
  sources.peer,
]
