/** The first thing that a peer hears. */
import { type Deps, KIB, MIB, type Rate, SECOND } from 'larder/kernel'
import { numbered } from '../domain/frames.ts'
import { MAX_PEERS, seenBy } from '../domain/peers.ts'
import { MAX_KEPT, MAX_KEPT_BYTES, since } from '../domain/replay-buffer.ts'
import { resumeToken } from '../domain/resume-token.ts'
import { say } from './delivery.ts'
import { seenSession } from './session-view.ts'
import type { Link, Place } from './types.ts'

export const PROTOCOL = 1
export const PING_EVERY = 20 * SECOND
export const DEAD_AFTER = 45 * SECOND
export const RESUME_WINDOW = 30 * SECOND
export const MAX_FRAME = 128 * KIB
export const MAX_BUFFER = MIB
/** That one socket may send. */
export const FRAMES: Rate = { perSecond: 50, burst: 200 }

const LIMITS = {
  frame_bytes: MAX_FRAME,
  messages_per_second: FRAMES.perSecond,
  burst: FRAMES.burst,
  buffer_bytes: MAX_BUFFER,
  peers: MAX_PEERS,
  kept_messages: MAX_KEPT,
  kept_bytes: MAX_KEPT_BYTES,
}

type WelcomeDeps = Deps<'iceServers' | 'secrets' | 'clock'>

/** New credentials for TURN, and when the next ones are due: at half their life. */
export function iceFor({ iceServers, clock }: Pick<WelcomeDeps, 'iceServers' | 'clock'>, place: Place) {
  const ice = iceServers.forPeer(place.id)
  const now = clock.now()
  place.iceAt =
    ice.ice_expires_at === null ? Number.POSITIVE_INFINITY : now + (Date.parse(ice.ice_expires_at) - now) / 2
  return ice
}

/** Also what it missed, where it comes back: `since` is the last number that it has seen. */
export function welcome(
  deps: WelcomeDeps,
  link: Link,
  place: Place,
  { id, resumed }: { id?: string; resumed?: { since: number | undefined } } = {},
): void {
  const { room } = place
  const missed = resumed && since(place.line, resumed.since)
  say(
    link,
    'welcome',
    {
      protocol: PROTOCOL,
      peer_id: place.id,
      role: place.role,
      session: seenSession(room.session, room.details),
      peers: [...room.members.values()].filter(({ id }) => id !== place.id).map(peer => seenBy(peer, place)),
      ...iceFor(deps, place),
      ping_interval_ms: PING_EVERY,
      resume_token: resumeToken(deps.secrets, place.id),
      resume_window_ms: RESUME_WINDOW,
      limits: LIMITS,
      resumed: resumed !== undefined,
      /** Number of the last frame before this welcome, those included that follow it as a replay. */
      last_seq: place.line.seq,
    },
    id === undefined ? {} : { id },
  )
  missed?.tails.forEach((tail, index) => {
    link.peer.send(numbered(missed.first + index, tail))
  })
}
