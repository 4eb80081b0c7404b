/**
 * Hands peer sessions over: one to the process that claims it, or all to the database when this process stops. Frames
 * that still arrive here are forwarded, so that none is lost.
 */
import type { Clock } from '@larder-dev/larder/kernel'
import { CLOSE_CODE } from '../domain/close-codes.ts'
import type { BroadcastMessage, HandoverState, RoomMessage } from '../domain/messages.ts'
import { isForDepartedPeer, isForLocalPeer, RECENT_MOVE_MS } from './broadcast-routing.ts'
import { toHandoverState } from './handover-state.ts'
import type { Nodes } from './node-messaging.ts'
import type { PeerRegistry } from './peer-registry.ts'
import type { Rooms } from './rooms.ts'
import { isLocal, type PeerSession, type Room } from './types.ts'

export interface HandoverDeps {
  readonly rooms: Rooms
  readonly nodes: Nodes
  readonly registry: PeerRegistry
  readonly clock: Clock
}
interface Departure {
  readonly room: string
  readonly node: string
  readonly until: number
}

export function createHandover({ rooms, nodes, registry, clock }: HandoverDeps) {
  const departures = new Map<string, Departure>()
  /** Frames that arrived after parking, to be returned to their sender. */
  let lateFrames: { node: string; room: string; to: string; tail: string }[] | undefined

  const send = (room: string, at: string, to: string, tail: string) =>
    nodes.publish({ kind: 'frame', room, at, to, tail })

  function forward(message: RoomMessage): void {
    if (message.kind === 'frame' && message.at === nodes.self && !rooms.rooms.has(message.room)) {
      const node = departures.get(message.to)?.node
      if (node !== undefined) send(message.room, node, message.to, message.tail)
    }
    if (message.kind !== 'broadcast') return
    for (const [peer, { room, node }] of departures) {
      if (room !== message.room || peer === message.except || rooms.peerSessions.has(peer)) continue
      if (isForDepartedPeer(message, peer, nodes.self) && !isHeldBack(message, peer))
        send(room, node, peer, message.tail)
    }
  }

  /** A peer that is on its way back receives the frame when it arrives. Forwarding it, too, would deliver it twice. */
  function isHeldBack(message: RoomMessage & BroadcastMessage, peer: string): boolean {
    const member = rooms.rooms.get(message.room)?.members.get(peer)
    return member !== undefined && isForLocalPeer(message, member, nodes.self, clock.now())
  }

  /** Ids of the local peers that a message addresses. */
  function addressedPeers(message: RoomMessage): string[] {
    const room = rooms.rooms.get(message.room)
    if (!room) return []
    if (message.kind === 'frame') {
      const member = message.at === nodes.self ? room.members.get(message.to) : undefined
      return member && isLocal(member) ? [member.id] : []
    }
    if (message.kind !== 'broadcast') return []
    const here = rooms.locals(room).filter(peerSession => isForLocalPeer(message, peerSession, nodes.self, clock.now()))
    return here.map(({ id }) => id).filter(id => id !== message.except)
  }

  const announce = (kind: 'leaving' | 'parked', peerSessions: readonly PeerSession[]) => {
    for (const [room, peers] of byRoom(peerSessions))
      if (room.spansProcesses) nodes.publish({ kind, room: room.id, peers })
  }

  return {
    /** Releases a peer session to another process; null if it is not held here. */
    release(peerId: string, to: string): HandoverState | null {
      const peerSession = rooms.peerSessions.get(peerId)
      if (!peerSession) return null
      const now = clock.now()
      for (const [id, { until }] of departures) if (until <= now) departures.delete(id)
      departures.set(peerId, { room: peerSession.room.id, node: to, until: now + RECENT_MOVE_MS })
      const { connection } = peerSession
      if (connection) {
        connection.peerSession = undefined
        connection.socket.close(CLOSE_CODE.replaced, 'replaced')
      }
      rooms.handOver(peerSession, to)
      return toHandoverState(peerSession, now)
    },
    /** Returns true if the message was handled here. Other messages are for the rooms. */
    handleMessage(message: RoomMessage): boolean {
      forward(message)
      if (!lateFrames || (message.kind !== 'frame' && message.kind !== 'broadcast')) return false
      const peers = addressedPeers(message)
      for (const to of peers) lateFrames.push({ node: message.from, room: message.room, to, tail: message.tail })
      return peers.length > 0
    },
    /** Parks every peer session. The other processes hold back their frames first. */
    async releaseAll(): Promise<void> {
      const peerNodes = () => new Set([...rooms.rooms.values()].flatMap(nodesOf))
      announce('leaving', [...rooms.peerSessions.values()])
      await nodes.flush(peerNodes())
      const remaining = [...rooms.peerSessions.values()]
      lateFrames = []
      await registry.park(remaining.map(peerSession => toHandoverState(peerSession, clock.now())))
      // Another process may have claimed a session during parking.
      announce(
        'parked',
        remaining.filter(({ id }) => rooms.peerSessions.has(id)),
      )
      for (const { node, room, to, tail } of lateFrames) send(room, node, to, tail)
      await nodes.flush(peerNodes())
    },
  }
}

const nodesOf = ({ members }: Room): string[] =>
  [...members.values()].flatMap(member => (isLocal(member) || member.node === null ? [] : member.node))

function byRoom(peerSessions: readonly PeerSession[]): Map<Room, string[]> {
  const found = new Map<Room, string[]>()
  for (const { id, room } of peerSessions) found.set(room, [...(found.get(room) ?? []), id])
  return found
}
