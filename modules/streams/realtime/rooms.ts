/** The rooms that this process holds: who is in them, and how a frame reaches each. Everything here is synchronous. */

import type { Clock } from 'larder/kernel'
import { tailOf } from '../domain/frames.ts'
import { type Member, seenBy } from '../domain/peers.ts'
import { MAX_KEPT } from '../domain/replay-buffer.ts'
import type { Session } from '../ports.ts'
import { believesHere, knownMoves } from './broadcast-routing.ts'
import { deliver } from './delivery.ts'
import type { Nodes } from './node-messaging.ts'
import {
  type CastMessage,
  type FrameMessage,
  isLocal,
  type Place,
  type Remote,
  type Room,
  type RoomMessage,
  type Someone,
} from './types.ts'

export type Rooms = ReturnType<typeof createRooms>

export function createRooms({ tell, self }: Pick<Nodes, 'tell' | 'self'>, clock: Clock) {
  const rooms = new Map<string, Room>()
  const places = new Map<string, Place>()

  const locals = (room: Room): Place[] => [...room.members.values()].filter(isLocal)
  const hasRemotes = (room: Room): boolean => [...room.members.values()].some(member => !isLocal(member))
  const announce = (room: Room, peer: Member, type: 'peer_joined' | 'peer_left') => {
    for (const place of locals(room)) if (place.id !== peer.id) deliver(place, tailOf(type, seenBy(peer, place)))
  }

  /** To a place of this process, or to the process that holds it. */
  function send(room: Room, member: Someone, tail: string): void {
    if (isLocal(member)) deliver(member, tail)
    else if (member.node !== null) tell({ kind: 'frame', room: room.id, at: member.node, to: member.id, tail })
    else if (member.waiting.length < MAX_KEPT) member.waiting.push(tail)
  }

  /** From one to all others: over the bus once, however many processes there are. */
  function cast(room: Room, except: string, targets: readonly Someone[], tail: string): void {
    let far = false
    for (const target of targets)
      if (isLocal(target) || target.node === null) send(room, target, tail)
      else far = true
    if (far) tell({ kind: 'cast', room: room.id, except, tail, ...knownMoves(targets, self, clock.now()) })
  }

  function release(room: Room): void {
    if (room.entering === 0 && locals(room).length === 0) rooms.delete(room.id)
  }

  /** One that the register knows may just have moved there: only who joins now did not. */
  function addRemote(room: Room, peer: Member, node: string | null, movedAt = clock.now()): void {
    if (room.members.has(peer.id)) return
    room.members.set(peer.id, { id: peer.id, role: peer.role, node, movedAt, waiting: [] })
  }

  /** Where a peer is now; what waited for it goes there. */
  function moveRemote(room: Room, member: Remote, node: string | null): void {
    member.node = node
    member.movedAt = clock.now()
    if (node === null) return
    for (const tail of member.waiting.splice(0)) send(room, member, tail)
  }

  function drop(room: Room, member: Someone): void {
    room.members.delete(member.id)
    if (isLocal(member)) places.delete(member.id)
    announce(room, member, 'peer_left')
  }

  /** What another process told. A peer that is here is not moved by what was said before it came. */
  function heard(room: Room, message: RoomMessage) {
    if (!room.loaded) return void room.backlog.push(message)
    if (message.kind === 'joined') {
      if (room.members.has(message.peer.id)) return
      addRemote(room, message.peer, message.from, 0)
      return announce(room, message.peer, 'peer_joined')
    }
    if (message.kind === 'cast') return castHere(room, message)
    if (message.kind === 'frame') return forward(room, message)
    for (const id of message.peers) {
      const member = room.members.get(id)
      if (!member || isLocal(member)) continue
      if (message.kind === 'left') drop(room, member)
      else moveRemote(room, member, message.kind === 'moved' ? message.from : null)
    }
  }

  function forward(room: Room, { at, to, tail }: FrameMessage): void {
    const member = room.members.get(to)
    if (at === self && member) send(room, member, tail)
  }

  /** Also to those that are on their way here. */
  function castHere(room: Room, message: CastMessage): void {
    for (const member of room.members.values())
      if (member.id !== message.except && believesHere(message, member, self, clock.now()))
        send(room, member, message.tail)
  }

  /** Puts a peer that is fetched among those that are on their way, so that nothing for it goes elsewhere. */
  function expect(room: Room, peer: Member): void {
    const member = room.members.get(peer.id)
    if (!member) addRemote(room, peer, null)
    else if (!isLocal(member)) moveRemote(room, member, null)
  }

  return {
    rooms,
    places,
    locals,
    hasRemotes,
    send,
    cast,
    release,
    announce,
    addRemote,
    moveRemote,
    expect,
    heard,
    drop,
    /** The room of a session, made where it is not there yet: then it is still to be filled. */
    open(session: Session): Room {
      const found = rooms.get(session.id)
      if (found) return found
      const room: Room = {
        ...{ id: session.id, tenantId: session.workspace_id, session, details: undefined, members: new Map() },
        ...{ loaded: false, filling: undefined, backlog: [], entering: 0, over: false },
      }
      rooms.set(room.id, room)
      return room
    },
    seat(place: Place): void {
      places.set(place.id, place)
      place.room.members.set(place.id, place)
    },
    /** It belongs to `node` from here on. */
    handOver(place: Place, node: string): void {
      places.delete(place.id)
      const { id, role, room } = place
      room.members.set(id, { id, role, node, movedAt: clock.now(), waiting: [] })
      release(room)
    },
  }
}
