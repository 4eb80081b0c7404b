/** What this process knows of its sockets and the conversations that they follow. Types only. */
import type { Bucket, Credential, Principal, SocketPeer } from 'larder/kernel'
import type { Change } from '../services/change-feed.ts'

/** Who a socket said hello as. */
export interface Who {
  readonly principal: Principal
  /** To be looked at again. */
  readonly credential: Credential
  readonly userId: string
  readonly tenantId: string
}

/** One open socket. */
export interface Link {
  readonly peer: SocketPeer
  readonly bucket: Bucket
  readonly openedAt: number
  who: Who | undefined
  /** By conversation that it follows: the version up to which it was told; HELD while it is being caught up. */
  readonly at: Map<string, number>
  greeted: boolean
  gone: boolean
  seenAt: number
  pingAt: number
  /** When its credential and its conversations are looked at again. */
  checkAt: number
  /** What it last said that it types in, and when. */
  typed: { readonly conversationId: string; readonly at: number }
}
/** More than any version: a socket that reads what it missed hears nothing live. */
export const HELD = Number.POSITIVE_INFINITY

/** A conversation that some socket of this process follows. */
export interface Room {
  readonly id: string
  readonly tenantId: string
  /** Up to here everything was told, in order. */
  version: number
  lastSeq: number
  readonly links: Set<Link>
  /** Changes that came before one that comes before them. */
  readonly pending: Map<number, Change>
  healing: boolean
  timer: NodeJS.Timeout | undefined
}
