/** Periodic work of all sockets: hello timeout, pings, expired resume windows, ICE credentials, process heartbeat. */
import { type Deps, SECOND } from 'larder/kernel'
import { closeWithError, closeWithNotice, sendPing, sendUnnumbered } from './delivery.ts'
import type { Membership } from './membership.ts'
import type { PeerRegistry } from './peer-registry.ts'
import type { Rooms } from './rooms.ts'
import type { Connection } from './types.ts'
import { issueIceServers, PING_INTERVAL_MS, PING_TIMEOUT_MS, RESUME_WINDOW_MS } from './welcome.ts'

export interface HeartbeatDeps extends Deps<'clock' | 'log' | 'iceServers'> {
  readonly rooms: Rooms
  readonly registry: PeerRegistry
  readonly membership: Membership
  readonly connections: ReadonlySet<Connection>
}
const TICK_INTERVAL_MS = SECOND
const HEARTBEAT_INTERVAL_MS = 5 * SECOND
const HELLO_TIMEOUT_MS = 5 * SECOND

export function createHeartbeat({ rooms, registry, membership, connections, iceServers, clock, log }: HeartbeatDeps) {
  const logged = (work: Promise<unknown>, what: string) => void work.catch(error => log.warn({ err: error }, what))

  function check(connection: Connection, now: number) {
    if (!connection.peerSession && !connection.pendingGrant && now - connection.openedAt >= HELLO_TIMEOUT_MS)
      return closeWithError(connection, 'unauthenticated', { code: 'hello_timeout', message: 'No hello within 5 s.' })
    if (now - connection.seenAt >= PING_TIMEOUT_MS)
      return closeWithNotice(connection, 'ping_timeout', {
        action: 'resume',
        reason: 'ping_timeout',
        retry_after_ms: 0,
      })
    if (now >= connection.pingAt) {
      connection.pingAt = now + PING_INTERVAL_MS
      sendPing(connection, now)
    }
    if (connection.peerSession && now >= connection.peerSession.iceRefreshAt)
      sendUnnumbered(connection, 'ice_servers', issueIceServers({ iceServers, clock }, connection.peerSession))
  }

  function tick(): void {
    const now = clock.now()
    for (const connection of connections) check(connection, now)
    for (const peerSession of rooms.peerSessions.values())
      if (!peerSession.connection && now - peerSession.disconnectedAt >= RESUME_WINDOW_MS)
        logged(membership.leave(peerSession), 'failed to remove a disconnected peer')
  }

  return {
    start(): () => void {
      const ticks = setInterval(tick, TICK_INTERVAL_MS)
      const beats = setInterval(
        () => logged(registry.heartbeat(), 'failed to record the heartbeat of this process'),
        HEARTBEAT_INTERVAL_MS,
      )
      return () => {
        clearInterval(ticks)
        clearInterval(beats)
      }
    },
  }
}
