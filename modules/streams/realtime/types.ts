/** Rooms, peer sessions and connections of one process. Types only. */
import type { RealtimeSocket } from '@larder-dev/larder/kernel'
import type { RoomMessage } from '../domain/messages.ts'
import type { PeerIdentity } from '../domain/peers.ts'
import type { ReplayBuffer } from '../domain/replay-buffer.ts'
import type { Session, StreamDetails } from '../ports.ts'
import type { TokenGrant } from '../services/token-service.ts'

/** One open socket. */
export interface Connection {
  readonly socket: RealtimeSocket
  /** The token of the query until it is used. */
  token: string | undefined
  /** Set on joining; undefined again once another socket has resumed the session. */
  peerSession: PeerSession | undefined
  /** An authenticated viewer that waits until the session is accepted. */
  pendingGrant: TokenGrant | undefined
  /** Joined by the query token. The first hello may still select another role. */
  joinedByQuery: boolean
}

/** A peer held by this process. It survives the loss of its socket for the resume window. */
export interface PeerSession extends PeerIdentity {
  readonly room: Room
  readonly kind: TokenGrant['kind']
  readonly tokenId: string | null
  /** The join token, to be verified again if a change may have been missed. */
  readonly token: string | undefined
  readonly buffer: ReplayBuffer
  connection: Connection | undefined
  /** When the socket closed, in milliseconds since 1970. */
  disconnectedAt: number
  /** When it was handed over to this process; 0 if it joined here. */
  readonly arrivedAt: number
  /** When new ICE credentials are due. */
  iceRefreshAt: number
  /** Buffered frames, or KiB of them, at which an early ping lets the peer confirm them. */
  readonly maxUnconfirmed: number
}

/** A peer held by another process. */
export interface RemotePeer extends PeerIdentity {
  /** Null while it moves between processes. */
  node: string | null
  /** When the move was learned; 0 if it joined there. */
  movedAt: number
  /** While this process claims the peer. Moves are applied when the claim has failed. */
  claim: { reportedNode: string | null } | undefined
  /** Frames held back until the move is complete. */
  readonly pendingFrames: string[]
}
export type RoomMember = PeerSession | RemotePeer
export const isLocal = (member: RoomMember): member is PeerSession => 'buffer' in member

export interface Room {
  readonly id: string
  readonly tenantId: string
  session: Session
  details: StreamDetails | undefined
  readonly members: Map<string, RoomMember>
  /** False until the members are read from the database. Until then messages of other processes are queued. */
  loaded: boolean
  loading: Promise<void> | undefined
  readonly backlog: RoomMessage[]
  /** Number of joins in progress, which keep the room open. */
  pendingJoins: number
  /**
   * Whether another process has held a peer of the session. The database knows of a peer before its process has
   * announced it here, and that process must not miss what happens meanwhile.
   */
  spansProcesses: boolean
  finished: boolean
}
