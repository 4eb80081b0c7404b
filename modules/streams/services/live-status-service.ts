/** Tracks the live status of a stream: live, reconnecting, and idle after the reconnect window. */
import { type Deps, MINUTE, type Unit } from 'larder/kernel'
import type { LiveStatus } from '../domain/values.ts'
import type { Session } from '../ports.ts'
import { isFinished } from '../problems.ts'
import { createStreamChanges } from './stream-changes.ts'

type LiveStatusDeps = Deps<'database' | 'sessions' | 'events' | 'jobs' | 'bus' | 'clock' | 'topics'>
const RECONNECT_WINDOW_MS = MINUTE

/** Each transition is one conditional update, so that of two concurrent ones only one takes effect. */
const ENSURE = 'insert into streams_streams (tenant_id, id) values ($1, $2) on conflict (id) do nothing'
const RECONNECT = `update streams_streams set live_status = 'live', lost_at = null
  where id = $1 and live_status = 'reconnecting' returning live_at`
const GO_LIVE = `update streams_streams set live_status = 'live', live_at = $2, lost_at = null
  where id = $1 and live_status = 'idle' returning live_at`
const DISCONNECT = `update streams_streams set live_status = 'reconnecting', lost_at = $2
  where id = $1 and live_status = 'live' returning live_at`
const GO_IDLE = `update streams_streams set live_status = 'idle', live_at = null, lost_at = null
  where id = $1 and live_status = 'reconnecting' and lost_at <= $2 returning id`
const CLOSE = `update streams_streams set live_status = 'idle', live_at = null, lost_at = null, closed = true
  where id = $1 returning id`

export function createLiveStatus(deps: LiveStatusDeps) {
  const { database, sessions, events, jobs, clock } = deps
  const changes = createStreamChanges(deps)
  const publishLive = (session: { id: string; workspace_id: string }, live_status: LiveStatus, live_at: Date | null) =>
    changes.publish({
      tenantId: session.workspace_id,
      sessionId: session.id,
      change: 'live',
      live_status,
      live_at: live_at?.toISOString() ?? null,
    })
  const publishEvent = async (tenantId: string, id: string, type: 'streams.stream.live' | 'streams.stream.idle') => {
    const payload = await sessions.nextEventPayload(tenantId, id)
    await events.publish(type, { tenantId, subject: id, payload })
  }

  const ready = (session: Session): Promise<void> =>
    database.tenant(session.workspace_id).transaction(async unit => {
      const { id, workspace_id: tenantId } = session
      // Only one of the updates matches. Without awaits, all three share a round trip.
      const [, reconnected, live] = await Promise.all([
        unit.query(ENSURE, [tenantId, id]),
        update(unit, RECONNECT, [id]),
        update(unit, GO_LIVE, [id, new Date(clock.now())]),
      ])
      if (reconnected) {
        await jobs.cancel('streams.go_idle', id)
        return publishLive(session, 'live', reconnected.live_at)
      }
      if (!live) return
      await publishEvent(tenantId, id, 'streams.stream.live')
      publishLive(session, 'live', live.live_at)
    })

  const notReady = (session: Session): Promise<void> =>
    database.tenant(session.workspace_id).transaction(async unit => {
      const now = clock.now()
      const { id, workspace_id } = session
      const lost = await update(unit, DISCONNECT, [id, new Date(now)])
      if (!lost) return
      const data = { tenant_id: workspace_id, session_id: id, lost_at: new Date(now).toISOString() }
      await jobs.enqueue('streams.go_idle', data, { key: id, at: new Date(now + RECONNECT_WINDOW_MS) })
      publishLive(session, 'reconnecting', lost.live_at)
    })

  return {
    /** Returns false if the stream may not be published. */
    async handleEdgeEvent(streamId: string, event: 'ready' | 'not_ready'): Promise<boolean> {
      const [session] = await sessions.getManyAcrossTenants([streamId])
      if (session?.mode !== 'stream' || isFinished(session.status)) return false
      await (event === 'ready' ? ready(session) : notReady(session))
      return true
    },
    /** Runs at the end of the reconnect window that started at `lostAt`. */
    goIdle: (tenantId: string, id: string, lostAt: string): Promise<void> =>
      database.tenant(tenantId).transaction(async unit => {
        if (!(await update(unit, GO_IDLE, [id, lostAt]))) return
        await publishEvent(tenantId, id, 'streams.stream.idle')
        publishLive({ id, workspace_id: tenantId }, 'idle', null)
      }),
    /** The session has ended or expired. Disconnects the publisher without publishing another event. */
    async close(tenantId: string, id: string): Promise<void> {
      await database.tenant(tenantId).query(CLOSE, [id])
      await jobs.enqueue('streams.kick', { session_id: id }, { key: id })
    },
  }
}

async function update(unit: Unit, text: string, values: readonly unknown[]) {
  const { rows } = await unit.query<{ live_at: Date | null }>(text, values)
  return rows[0]
}
