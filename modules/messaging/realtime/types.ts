/** Connections of one process and the conversations that they follow. Types only. */
import type { RealtimeSocket, SocketMember } from 'larder/kernel'
import type { VersionedChange } from '../services/change-feed.ts'

/** The user of a connection. */
export type Member = Pick<SocketMember, 'tenantId' | 'userId'>

/** One open socket. */
export interface Connection {
  readonly socket: RealtimeSocket
  /** Delivered version by conversation id; CATCHING_UP during the replay. */
  readonly versions: Map<string, number>
  /** The last typing frame. */
  lastTyping: { readonly conversationId: string; readonly at: number }
}
/** Above any version, so that a connection receives no live changes during the replay. */
export const CATCHING_UP = Number.POSITIVE_INFINITY

/** A conversation that some socket of this process follows. */
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
