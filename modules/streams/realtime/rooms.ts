/** The rooms of this process: their members, and the routing of frames to each member. All operations are synchronous. */
import type { Clock } from '@larder-dev/larder/kernel'
import { encodeTail } from '../domain/frames.ts'
import type { BroadcastMessage, FrameMessage, RoomMessage } from '../domain/messages.ts'
import { type PeerIdentity, toPeerView } from '../domain/peers.ts'
import { MAX_FRAMES } from '../domain/replay-buffer.ts'
import type { Session } from '../ports.ts'
import { isForLocalPeer, recentMoves } from './broadcast-routing.ts'
import { deliver } from './delivery.ts'
import type { Nodes } from './node-messaging.ts'
import { isLocal, type PeerSession, type RemotePeer, type Room, type RoomMember } from './types.ts'

export type Rooms = ReturnType<typeof createRooms>

export function createRooms({ publish, self }: Pick<Nodes, 'publish' | 'self'>, clock: Clock) {
  const rooms = new Map<string, Room>()
  const peerSessions = new Map<string, PeerSession>()

  const locals = (room: Room): PeerSession[] => [...room.members.values()].filter(isLocal)
  const announce = (room: Room, peer: PeerIdentity, type: 'peer_joined' | 'peer_left') => {
    for (const peerSession of locals(room))
      if (peerSession.id !== peer.id) deliver(peerSession, encodeTail(type, toPeerView(peer, peerSession)))
  }

  /** Sends to a local peer, or to the process that holds the peer. */
  function send(room: Room, member: RoomMember, tail: string, isShared = false): void {
    if (isLocal(member)) deliver(member, tail, isShared)
    else if (member.node !== null) publish({ kind: 'frame', room: room.id, at: member.node, to: member.id, tail })
    else if (member.pendingFrames.length < MAX_FRAMES) member.pendingFrames.push(tail)
  }

  /** Sends to several peers, with a single bus message for all remote ones. */
  function broadcast(room: Room, except: string, targets: readonly RoomMember[], tail: string): void {
    let hasRemoteTarget = false
    const isShared = targets.length > 1
    for (const target of targets)
      if (isLocal(target) || target.node === null) send(room, target, tail, isShared)
      else hasRemoteTarget = true
    if (hasRemoteTarget)
      publish({ kind: 'broadcast', room: room.id, except, tail, ...recentMoves(targets, self, clock.now()) })
  }

  function closeIfEmpty(room: Room): void {
    if (room.pendingJoins === 0 && locals(room).length === 0) rooms.delete(room.id)
  }

  /** A peer read from the database may have moved recently, unlike one that has just joined. */
  function addRemote(room: Room, peer: PeerIdentity, node: string | null, movedAt = clock.now()): void {
    if (room.members.has(peer.id)) return
    room.spansProcesses = true
    room.members.set(peer.id, { id: peer.id, role: peer.role, node, movedAt, claim: undefined, pendingFrames: [] })
  }

  /** Records the location of a peer and sends the frames held back for it. */
  function moveRemote(room: Room, member: RemotePeer, node: string | null): void {
    if (member.claim) {
      member.claim.reportedNode = node
      return
    }
    member.node = node
    member.movedAt = clock.now()
    if (node === null) return
    for (const tail of member.pendingFrames.splice(0)) send(room, member, tail)
  }

  function drop(room: Room, member: RoomMember): void {
    room.members.delete(member.id)
    if (isLocal(member)) peerSessions.delete(member.id)
    announce(room, member, 'peer_left')
  }

  /** Applies a message of another process. Local peers ignore moves reported before their arrival. */
  function handleMessage(room: Room, message: RoomMessage) {
    if (!room.loaded) return void room.backlog.push(message)
    if (message.kind === 'joined') {
      if (room.members.has(message.peer.id)) return
      addRemote(room, message.peer, message.from, 0)
      return announce(room, message.peer, 'peer_joined')
    }
    if (message.kind === 'broadcast') return broadcastLocally(room, message)
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

  /** Includes peers in transfer to this process. */
  function broadcastLocally(room: Room, message: BroadcastMessage): void {
    const isShared = room.members.size > 1
    for (const member of room.members.values())
      if (member.id !== message.except && isForLocalPeer(message, member, self, clock.now()))
        send(room, member, message.tail, isShared)
  }

  /** Marks a peer as in transfer to this process, so that frames for it are held back. */
  function beginClaim(room: Room, peer: PeerIdentity): void {
    addRemote(room, peer, null)
    const member = room.members.get(peer.id)
    if (!member || isLocal(member)) return
    moveRemote(room, member, null)
    member.claim ??= { reportedNode: null }
  }

  /** After a failed claim, sends the frames held back to the process that holds the peer, if that is known. */
  function endClaim(room: Room, peerId: string): void {
    const member = room.members.get(peerId)
    if (!member || isLocal(member) || !member.claim) return
    const { reportedNode } = member.claim
    member.claim = undefined
    moveRemote(room, member, reportedNode)
  }

  return {
    rooms,
    peerSessions,
    locals,
    send,
    broadcast,
    closeIfEmpty,
    announce,
    addRemote,
    moveRemote,
    beginClaim,
    endClaim,
    handleMessage,
    drop,
    /** Returns the room of a session. A new room is not loaded yet. */
    open(session: Session): Room {
      const found = rooms.get(session.id)
      if (found) return found
      const room: Room = {
        id: session.id,
        tenantId: session.workspace_id,
        session,
        details: undefined,
        members: new Map(),
        loaded: false,
        loading: undefined,
        backlog: [],
        pendingJoins: 0,
        spansProcesses: false,
        finished: false,
      }
      rooms.set(room.id, room)
      return room
    },
    add(peerSession: PeerSession): void {
      peerSessions.set(peerSession.id, peerSession)
      peerSession.room.members.set(peerSession.id, peerSession)
    },
    /** Marks the peer as held by `node`. */
    handOver(peerSession: PeerSession, node: string): void {
      peerSessions.delete(peerSession.id)
      const { id, role, room } = peerSession
      room.spansProcesses = true
      room.members.set(id, { id, role, node, movedAt: clock.now(), claim: undefined, pendingFrames: [] })
      closeIfEmpty(room)
    },
  }
}
