/** Messages between the processes that hold peers of the same session. Types only. */
import type { PeerIdentity } from './peers.ts'
import type { Role } from './values.ts'

/** A peer session in transfer to another process. */
export interface HandoverState {
  readonly id: string
  readonly role: Role
  readonly kind: 'join' | Role
  readonly tokenId: string | null
  readonly seq: number
  readonly frames: readonly string[]
  readonly disconnectedAt: number
}

/** Message about a room; `from` is the process that sent it. */
export type RoomMessage = { readonly from: string; readonly room: string } & (
  | { readonly kind: 'joined'; readonly peer: PeerIdentity }
  | { readonly kind: 'left' | 'moved' | 'leaving' | 'parked'; readonly peers: readonly string[] }
  | FrameMessage
  | BroadcastMessage
)
export interface FrameMessage {
  readonly kind: 'frame'
  readonly at: string
  readonly to: string
  readonly tail: string
}
/** To every peer but one. `moved` holds the location of recently moved peers as known to the sender; null is in transfer. */
export interface BroadcastMessage {
  readonly kind: 'broadcast'
  readonly except: string
  readonly tail: string
  readonly moved?: Readonly<Record<string, string | null>>
}
/** A process requests a peer session from the process that holds it. */
export type ClaimMessage = { readonly from: string; readonly at: string; readonly claim: string } & (
  | { readonly kind: 'claim'; readonly peer: string }
  | { readonly kind: 'handover'; readonly state: HandoverState | null }
)
