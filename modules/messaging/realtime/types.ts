/** Subscriptions of one process and the conversations that they follow. Types only. */
import type { SocketMember } from '@larder-dev/larder/kernel'
import type { VersionedChange } from '../domain/conversation-change.ts'

/** The user of a connection. */
export type Member = Pick<SocketMember, 'tenantId' | 'userId'>

/** Where the frames of a subscription go. */
export interface FrameSink {
  readonly closed: boolean
  readonly member: Member | undefined
  /** `position` is what the client has after this frame; undefined for frames that are not replayed. */
  send(frame: string, position?: FeedPosition): boolean
  /** Waits until the client has read most earlier frames. Resolves to false if the sink has closed. */
  sendPaced(frame: string, position?: FeedPosition): Promise<boolean>
  /** The user has left the conversation. */
  left?(): void
}

/** Last state of a conversation that a client received. */
export interface FeedPosition {
  readonly seq: number
  readonly version: number
}

/** One subscription. */
export interface Connection {
  readonly sink: FrameSink
  /** Delivered version by conversation id; CATCHING_UP during the replay. */
  readonly versions: Map<string, number>
  /** The last typing frame. */
  lastTyping: { readonly conversationId: string; readonly at: number }
}
/** Above any version, so that a connection receives no live changes during the replay. */
export const CATCHING_UP = Number.POSITIVE_INFINITY

/** A conversation that some subscription of this process follows. */
export interface Room {
  readonly id: string
  readonly tenantId: string
  /** All changes up to this version were delivered in order. */
  version: number
  lastSeq: number
  readonly connections: Set<Connection>
  /** Changes that wait for an earlier one. */
  readonly pending: Map<number, VersionedChange>
  reloading: boolean
  timer: NodeJS.Timeout | undefined
}
