/** What the edge tells of a stream: live, lost, and idle once the reconnect window is over. */
import { type Deps, MINUTE, type Unit } from 'larder/kernel'
import type { LiveStatus, Session } from '../ports.ts'
import { isOver } from '../problems.ts'

type LiveDeps = Deps<'database' | 'sessions' | 'events' | 'jobs' | 'bus' | 'clock'>
export const RECONNECT_WINDOW = MINUTE

/** Each is ONE conditional change: of two that race one has an effect. */
const ENSURE = 'insert into streams_streams (tenant_id, id) values ($1, $2) on conflict (id) do nothing'
const BACK = `update streams_streams set live_status = 'live', lost_at = null
  where id = $1 and live_status = 'reconnecting' returning live_at`
const LIVE = `update streams_streams set live_status = 'live', live_at = $2, lost_at = null
  where id = $1 and live_status = 'idle' returning live_at`
const LOST = `update streams_streams set live_status = 'reconnecting', lost_at = $2
  where id = $1 and live_status = 'live' returning live_at`
const IDLE = `update streams_streams set live_status = 'idle', live_at = null, lost_at = null
  where id = $1 and live_status = 'reconnecting' and lost_at <= $2 returning id`
const OVER = `update streams_streams set live_status = 'idle', live_at = null, lost_at = null, closed = true
  where id = $1 returning id`

export function createLive(deps: LiveDeps) {
  const { database, sessions, events, jobs, bus, clock } = deps
  const show = (session: { id: string; workspace_id: string }, live_status: LiveStatus, live_at: Date | null) =>
    database.afterCommit(() =>
      bus.publish('streams.changed', {
        ...{ tenantId: session.workspace_id, sessionId: session.id },
        ...{ change: 'live', live_status, live_at: live_at?.toISOString() ?? null },
      }),
    )
  const tell = async (tenantId: string, id: string, type: 'streams.stream.live' | 'streams.stream.idle') => {
    const payload = await sessions.nextEventPayload(tenantId, id)
    await events.publish(type, { tenantId, subject: id, payload })
  }

  const ready = (session: Session): Promise<void> =>
    database.tenant(session.workspace_id).transaction(async unit => {
      const { id, workspace_id: tenantId } = session
      await unit.query(ENSURE, [tenantId, id])
      const back = await changed(unit, BACK, [id])
      if (back) {
        await jobs.cancel('streams.go_idle', id)
        return show(session, 'live', back.live_at)
      }
      const live = await changed(unit, LIVE, [id, new Date(clock.now())])
      if (!live) return
      await tell(tenantId, id, 'streams.stream.live')
      show(session, 'live', live.live_at)
    })

  const notReady = (session: Session): Promise<void> =>
    database.tenant(session.workspace_id).transaction(async unit => {
      const now = clock.now()
      const { id, workspace_id } = session
      const lost = await changed(unit, LOST, [id, new Date(now)])
      if (!lost) return
      const data = { tenant_id: workspace_id, session_id: id, lost_at: new Date(now).toISOString() }
      await jobs.enqueue('streams.go_idle', data, { key: id, at: new Date(now + RECONNECT_WINDOW) })
      show(session, 'reconnecting', lost.live_at)
    })

  return {
    /** Says whether the stream may be published at all. */
    async told(streamId: string, event: 'ready' | 'not_ready'): Promise<boolean> {
      const [session] = await sessions.getManyAcrossTenants([streamId])
      if (session?.mode !== 'stream' || isOver(session.status)) return false
      await (event === 'ready' ? ready(session) : notReady(session))
      return true
    },
    /** The reconnect window that began at `lostAt` is over. */
    goIdle: (tenantId: string, id: string, lostAt: string): Promise<void> =>
      database.tenant(tenantId).transaction(async unit => {
        if (!(await changed(unit, IDLE, [id, lostAt]))) return
        await tell(tenantId, id, 'streams.stream.idle')
        show({ id, workspace_id: tenantId }, 'idle', null)
      }),
    /** The session ended or expired: what is published is kicked, and nothing is told but that end. */
    async over(tenantId: string, id: string): Promise<void> {
      await database.tenant(tenantId).query(OVER, [id])
      await jobs.enqueue('streams.kick', { session_id: id }, { key: id })
    },
  }
}

async function changed(unit: Unit, text: string, values: readonly unknown[]) {
  const { rows } = await unit.query<{ live_at: Date | null }>(text, values)
  return rows[0]
}
