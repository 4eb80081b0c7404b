/** Periodic work: expired resume windows, ICE credentials, and the heartbeat of this process. */
import { type Deps, SECOND } from '@larder-dev/larder/kernel'
import { RESUME_WINDOW_MS } from './limits.ts'
import type { Membership } from './membership.ts'
import type { PeerRegistry } from './peer-registry.ts'
import type { Rooms } from './rooms.ts'
import type { PeerSession } from './types.ts'
import { issueIceServers } from './welcome.ts'

export interface HeartbeatDeps extends Deps<'clock' | 'log' | 'iceServers'> {
  readonly rooms: Rooms
  readonly registry: PeerRegistry
  readonly membership: Membership
}
const TICK_INTERVAL_MS = SECOND
const HEARTBEAT_INTERVAL_MS = 5 * SECOND

export function createHeartbeat({ rooms, registry, membership, iceServers, clock, log }: HeartbeatDeps) {
  const logged = (work: Promise<unknown>, what: string) => void work.catch(error => log.warn({ err: error }, what))

  function check(peerSession: PeerSession, now: number): void {
    const { connection, disconnectedAt, iceRefreshAt } = peerSession
    if (!connection) {
      if (now - disconnectedAt >= RESUME_WINDOW_MS)
        logged(membership.leave(peerSession), 'failed to remove a disconnected peer')
    } else if (now >= iceRefreshAt)
      connection.socket.sendFrame('ice_servers', issueIceServers({ iceServers, clock }, peerSession))
  }

  return {
    start(): () => void {
      const ticks = setInterval(() => {
        const now = clock.now()
        for (const peerSession of rooms.peerSessions.values()) check(peerSession, now)
      }, TICK_INTERVAL_MS)
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
