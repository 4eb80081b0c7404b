/** Conversion of peer sessions for the transfer between processes. Pure. */

import type { HandoverState } from '../domain/messages.ts'
import { allFrames, restoreReplayBuffer } from '../domain/replay-buffer.ts'
import { createPeerSession } from './peer-session.ts'
import type { PeerSession, Room } from './types.ts'

export const toHandoverState = (
  { id, role, kind, tokenId, buffer, disconnectedAt, connection }: PeerSession,
  now: number,
): HandoverState => ({
  id,
  role,
  kind,
  tokenId,
  seq: buffer.seq,
  frames: allFrames(buffer),
  disconnectedAt: connection ? now : disconnectedAt,
})

/** `now` in milliseconds since 1970. */
export function fromHandoverState(state: HandoverState, room: Room, now: number): PeerSession {
  const { id, role, kind, tokenId, seq, frames, disconnectedAt } = state
  return createPeerSession({
    id,
    role,
    kind,
    tokenId,
    room,
    disconnectedAt,
    buffer: restoreReplayBuffer(seq, frames),
    arrivedAt: now,
    token: undefined,
    connection: undefined,
  })
}
