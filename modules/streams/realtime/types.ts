/** What this process knows of rooms, and what processes tell each other about them. Types only. */
import type { Bucket, SocketPeer } from 'larder/kernel'
import type { Member } from '../domain/peers.ts'
import type { Line } from '../domain/replay-buffer.ts'
import type { Pass, Role, Session, StreamDetails } from '../ports.ts'

/** One open socket. */
export interface Link {
  readonly peer: SocketPeer
  readonly bucket: Bucket
  readonly openedAt: number
  /** Token of the query, until it is used. */
  token: string | undefined
  /** Once it joined; again undefined when its place was taken over. */
  place: Place | undefined
  /** Accepted, but its session is not yet. */
  waiting: Pass | undefined
  /** It joined by its query, without a hello: the first one may still choose another role. */
  unasked: boolean
  gone: boolean
  seenAt: number
  pingAt: number
  /** `t` of the ping that waits for its pong, 0 without one; and the number of the last frame before it. */
  pinged: number
  pingedSeq: number
}

/** A peer whose place this process holds; its socket may be away for a while. */
export interface Place extends Member {
  readonly room: Room
  readonly kind: Pass['kind']
  readonly tokenId: string | null
  /** The join token, to be looked at again where a change of it may have been missed. */
  readonly token: string | undefined
  readonly line: Line
  link: Link | undefined
  /** Milliseconds since 1970: since when the socket is away. */
  lostAt: number
  /** When it came from another process; 0 where it joined here. */
  readonly arrivedAt: number
  /** When new ICE credentials are due. */
  iceAt: number
}

/** A peer that another process holds. Null: it is on its way to another one. */
export interface Remote extends Member {
  node: string | null
  /** When that was learned; 0 where it joined there. */
  movedAt: number
  /** Frames for it meanwhile. */
  readonly waiting: string[]
}
export type Someone = Place | Remote
export const isLocal = (member: Someone): member is Place => 'line' in member

export interface Room {
  readonly id: string
  readonly tenantId: string
  session: Session
  details: StreamDetails | undefined
  readonly members: Map<string, Someone>
  /** Set once its members are known; until then what others tell waits. */
  loaded: boolean
  filling: Promise<void> | undefined
  readonly backlog: RoomMessage[]
  /** Joins that are under way: it must not be dropped. */
  entering: number
  over: boolean
}

/** A place on its way to another process. */
export interface Luggage {
  readonly id: string
  readonly role: Role
  readonly kind: Pass['kind']
  readonly tokenId: string | null
  readonly seq: number
  readonly kept: readonly string[]
  readonly lostAt: number
}

/** Message on the bus channel `streams.rooms`; `from` is the process that sent it. */
export type RoomMessage = { readonly from: string; readonly room: string } & (
  | { readonly kind: 'joined'; readonly peer: Member }
  | { readonly kind: 'left' | 'moved' | 'leaving' | 'parked'; readonly peers: readonly string[] }
  | FrameMessage
  | CastMessage
)
export interface FrameMessage {
  readonly kind: 'frame'
  readonly at: string
  readonly to: string
  readonly tail: string
}
/** To everybody but one. `moved`: where its sender has peers that lately moved; null is with itself. */
export interface CastMessage {
  readonly kind: 'cast'
  readonly except: string
  readonly tail: string
  readonly moved?: Readonly<Record<string, string | null>>
}
/** One process asks another for a place that it holds. */
export type ClaimMessage = { readonly from: string; readonly at: string; readonly claim: string } & (
  | { readonly kind: 'claim'; readonly peer: string }
  | { readonly kind: 'given'; readonly luggage: Luggage | null }
)
