/** The welcome frame, and the limits that it announces. */
import { type Deps, KIB, MIB, type Rate, SECOND } from 'larder/kernel'
import { withSequence } from '../domain/frames.ts'
import { MAX_PEERS, toPeerView } from '../domain/peers.ts'
import { framesSince, MAX_BYTES, MAX_FRAMES } from '../domain/replay-buffer.ts'
import { createResumeToken } from '../domain/resume-token.ts'
import { sendUnnumbered } from './delivery.ts'
import { toSessionView } from './session-view.ts'
import type { Connection, PeerSession } from './types.ts'

export const PROTOCOL_VERSION = 1
export const PING_INTERVAL_MS = 20 * SECOND
export const PING_TIMEOUT_MS = 45 * SECOND
export const RESUME_WINDOW_MS = 30 * SECOND
export const MAX_FRAME_BYTES = 128 * KIB
export const MAX_BUFFER_BYTES = MIB
/** Frames that one socket may send. */
export const FRAME_RATE: Rate = { perSecond: 50, burst: 200 }

const LIMITS = {
  frame_bytes: MAX_FRAME_BYTES,
  messages_per_second: FRAME_RATE.perSecond,
  burst: FRAME_RATE.burst,
  buffer_bytes: MAX_BUFFER_BYTES,
  peers: MAX_PEERS,
  kept_messages: MAX_FRAMES,
  kept_bytes: MAX_BYTES,
}

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

/** For a resumed session, replays the frames after the sequence number `since`. */
export function sendWelcome(
  deps: WelcomeDeps,
  connection: Connection,
  peerSession: PeerSession,
  { id, resumed }: { id?: string; resumed?: { since: number | undefined } } = {},
): void {
  const { room } = peerSession
  const missed = resumed && framesSince(peerSession.buffer, resumed.since)
  sendUnnumbered(
    connection,
    'welcome',
    {
      protocol: PROTOCOL_VERSION,
      peer_id: peerSession.id,
      role: peerSession.role,
      session: toSessionView(room.session, room.details),
      peers: [...room.members.values()]
        .filter(({ id }) => id !== peerSession.id)
        .map(peer => toPeerView(peer, peerSession)),
      ...issueIceServers(deps, peerSession),
      ping_interval_ms: PING_INTERVAL_MS,
      resume_token: createResumeToken(deps.secrets, peerSession.id),
      resume_window_ms: RESUME_WINDOW_MS,
      limits: LIMITS,
      resumed: resumed !== undefined,
      /** Sequence number of the last frame, including the replayed frames that follow. */
      last_seq: peerSession.buffer.seq,
    },
    id === undefined ? {} : { id },
  )
  missed?.tails.forEach((tail, index) => {
    connection.socket.send(withSequence(missed.first + index, tail))
  })
}
