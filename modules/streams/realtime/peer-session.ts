/** Peer sessions of this process. */
import type { PeerSession } from './types.ts'

type NewPeerSession = Omit<PeerSession, 'iceRefreshAt' | 'maxUnconfirmed'>

/** Random, so that the viewers of a session, who get the same frames, don't all confirm them at once. */
const MIN_UNCONFIRMED = 32
const MAX_UNCONFIRMED = 96
const newMaxUnconfirmed = (): number =>
  MIN_UNCONFIRMED + Math.floor(Math.random() * (MAX_UNCONFIRMED - MIN_UNCONFIRMED + 1))

/**
 * Lists each member: V8 gives an object with spread members a separate hidden class, and every frame for a peer reads many
 * members.
 */
export const createPeerSession = (peerSession: NewPeerSession): PeerSession => ({
  id: peerSession.id,
  role: peerSession.role,
  room: peerSession.room,
  kind: peerSession.kind,
  tokenId: peerSession.tokenId,
  token: peerSession.token,
  buffer: peerSession.buffer,
  connection: peerSession.connection,
  disconnectedAt: peerSession.disconnectedAt,
  arrivedAt: peerSession.arrivedAt,
  iceRefreshAt: 0,
  maxUnconfirmed: newMaxUnconfirmed(),
})
