/** The welcome frame. */
import type { Deps } from '@larder-dev/larder/kernel'
import { REALTIME_PING_INTERVAL_MS, REALTIME_PROTOCOL_VERSION } from '@larder-dev/larder/kernel/internal'
import { withSequence } from '../domain/frames.ts'
import { toPeerView } from '../domain/peers.ts'
import { framesSince } from '../domain/replay-buffer.ts'
import { createResumeToken } from '../domain/resume-token.ts'
import { LIMITS, RESUME_WINDOW_MS } from './limits.ts'
import { toSessionView } from './session-view.ts'
import type { Connection, PeerSession } from './types.ts'

type WelcomeDeps = Deps<'iceServers' | 'secrets' | 'clock'>

/** Issues ICE credentials and schedules their renewal at half of their lifetime. */
export function issueIceServers(
  { iceServers, clock }: Pick<WelcomeDeps, 'iceServers' | 'clock'>,
  peerSession: PeerSession,
) {
  const issued = iceServers.forPeer(peerSession.id)
  const now = clock.now()
  peerSession.iceRefreshAt =
    issued.ice_expires_at === null ? Number.POSITIVE_INFINITY : now + (Date.parse(issued.ice_expires_at) - now) / 2
  return issued
}

/** Replays the frames after the sequence number `since` in a resumed session. */
export function sendWelcome(
  deps: WelcomeDeps,
  connection: Connection,
  peerSession: PeerSession,
  { id, resumed }: { id?: string; resumed?: { since: number | undefined } } = {},
): void {
  const { room } = peerSession
  const missed = resumed && framesSince(peerSession.buffer, resumed.since)
  connection.socket.sendFrame(
    'welcome',
    {
      protocol: REALTIME_PROTOCOL_VERSION,
      peer_id: peerSession.id,
      role: peerSession.role,
      session: toSessionView(room.session, room.details),
      peers: [...room.members.values()]
        .filter(({ id }) => id !== peerSession.id)
        .map(peer => toPeerView(peer, peerSession)),
      ...issueIceServers(deps, peerSession),
      ping_interval_ms: REALTIME_PING_INTERVAL_MS,
      resume_token: createResumeToken(deps.secrets, peerSession.id),
      resume_window_ms: RESUME_WINDOW_MS,
      limits: LIMITS,
      resumed: resumed !== undefined,
      /** Sequence number of the last frame, including the replayed frames that follow. */
      last_seq: peerSession.buffer.seq,
    },
    id,
  )
  missed?.tails.forEach((tail, index) => {
    connection.socket.send(withSequence(missed.first + index, tail))
  })
}
