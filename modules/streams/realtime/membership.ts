/** Room membership backed by the database: loading rooms, transferring peer sessions, removing peers. */
import type { Deps } from '@larder-dev/larder/kernel'
import type { HandoverState } from '../domain/messages.ts'
import { fromHandoverState } from './handover-state.ts'
import type { Nodes } from './node-messaging.ts'
import type { PeerRegistry, PeerRow } from './peer-registry.ts'
import type { Rooms } from './rooms.ts'
import { isLocal, type PeerSession, type Room } from './types.ts'

export interface MembershipDeps extends Deps<'sessions' | 'log' | 'clock'> {
  readonly rooms: Rooms
  readonly nodes: Nodes
  readonly registry: PeerRegistry
}
/** A peer session may move again during the transfer. */
const MAX_TRANSFER_ATTEMPTS = 3

export type Membership = ReturnType<typeof createMembership>

export function createMembership({ rooms, nodes, registry, sessions, clock, log }: MembershipDeps) {
  const transfers = new Map<string, Promise<PeerSession | undefined>>()

  /** Reads the members from the database, then applies the messages queued meanwhile. */
  async function readMembers(room: Room, peers: readonly PeerRow[]): Promise<void> {
    room.details = await registry.details(room.tenantId, room.id)
    for (const { peer_id, role, node_id } of peers)
      if (node_id !== nodes.self) rooms.addRemote(room, { id: peer_id, role }, node_id)
    room.loaded = true
    for (const message of room.backlog.splice(0)) rooms.handleMessage(room, message)
    if (peers.some(({ node_id }) => node_id === null)) await adopt(room)
  }

  async function load(room: Room, peers: readonly PeerRow[]): Promise<void> {
    if (peers.some(({ node_id }) => node_id !== nodes.self)) room.spansProcesses = true
    room.loading ??= readMembers(room, peers)
    try {
      await room.loading
    } catch (error) {
      room.loading = undefined
      throw error
    }
  }

  /** Adopts the peer sessions parked by a stopped process. */
  async function adopt(room: Room): Promise<void> {
    const adopted = await registry.adopt(room.tenantId, room.id)
    for (const state of adopted) restore(room, state)
    if (adopted.length > 0 && room.spansProcesses)
      nodes.publish({ kind: 'moved', room: room.id, peers: adopted.map(({ id }) => id) })
  }

  function restore(room: Room, state: HandoverState): PeerSession {
    const before = room.members.get(state.id)
    const peerSession = fromHandoverState(state, room, clock.now())
    rooms.add(peerSession)
    if (before && !isLocal(before)) for (const tail of before.pendingFrames) rooms.send(room, peerSession, tail)
    return peerSession
  }

  async function leave(peerSession: PeerSession): Promise<void> {
    const { room, id } = peerSession
    if (!rooms.peerSessions.has(id)) return
    rooms.drop(room, peerSession)
    rooms.closeIfEmpty(room)
    let remaining: readonly PeerRow[] = []
    try {
      remaining = await registry.leave(room, [id])
    } finally {
      // Not before: a process that reads the room until the peer is deleted finds it there.
      if (room.spansProcesses || remaining.some(({ node_id }) => node_id !== nodes.self))
        nodes.publish({ kind: 'left', room: room.id, peers: [id] })
    }
  }

  /** Removes a peer that no process holds. */
  async function remove({ tenant_id, session_id, peer_id }: PeerRow): Promise<void> {
    await registry.leave({ tenantId: tenant_id, id: session_id }, [peer_id])
    nodes.publish({ kind: 'left', room: session_id, peers: [peer_id] })
    const room = rooms.rooms.get(session_id)
    const member = room?.members.get(peer_id)
    if (room && member && !isLocal(member)) rooms.drop(room, member)
  }

  /** Restores a peer session from its handover state; undefined if the peer has left meanwhile. */
  async function receive(room: Room, row: PeerRow, state: HandoverState): Promise<PeerSession | undefined> {
    if (!(await registry.take(row.tenant_id, row.peer_id))) return undefined
    await load(room, await registry.peers(row.tenant_id, row.session_id))
    if (!rooms.peerSessions.has(state.id)) {
      restore(room, state)
      if (room.spansProcesses) nodes.publish({ kind: 'moved', room: room.id, peers: [state.id] })
    }
    return rooms.peerSessions.get(state.id)
  }

  async function claim(room: Room, row: PeerRow, attempts: number): Promise<PeerSession | undefined> {
    const { tenant_id, session_id, peer_id, role, node_id } = row
    const here = rooms.peerSessions.get(peer_id)
    if (here) return here
    rooms.beginClaim(room, { id: peer_id, role })
    if (node_id === null) {
      await load(room, await registry.peers(tenant_id, session_id))
      await adopt(room)
      return rooms.peerSessions.get(peer_id)
    }
    const answer = node_id === nodes.self ? null : await nodes.claim(node_id, peer_id)
    if (answer !== null && answer !== 'unresponsive') return receive(room, row, answer)
    // The peer may have been parked or claimed by another process since the read.
    const moved = attempts > 1 ? await registry.find(peer_id) : undefined
    if (moved && moved.node_id !== node_id) return claim(room, moved, attempts - 1)
    log.info({ peer: peer_id, node: node_id }, 'removed a peer whose process does not respond')
    await remove(row)
    return undefined
  }

  async function findAndClaim(peerId: string): Promise<PeerSession | undefined> {
    const row = await registry.find(peerId)
    const [session] = row ? await sessions.getManyAcrossTenants([row.session_id]) : []
    if (!row || !session) return undefined
    const room = rooms.open(session)
    room.pendingJoins++
    try {
      return await claim(room, row, MAX_TRANSFER_ATTEMPTS)
    } finally {
      rooms.endClaim(room, peerId)
      room.pendingJoins--
      rooms.closeIfEmpty(room)
    }
  }

  /** Moves a peer session here from the process that holds it, or from the database if it is parked. */
  function transfer(peerId: string): Promise<PeerSession | undefined> {
    const pending = transfers.get(peerId) ?? findAndClaim(peerId).finally(() => transfers.delete(peerId))
    transfers.set(peerId, pending)
    return pending
  }

  /** Removes the peers of processes that do not respond; false if there are none. */
  async function evictDeadPeers(room: Room, peers: readonly PeerRow[]): Promise<boolean> {
    const dead = new Set<string>()
    for (const node of new Set(peers.map(({ node_id }) => node_id)))
      if (node !== null && node !== nodes.self && !(await nodes.isAlive(node))) dead.add(node)
    const gone = peers.filter(({ node_id }) => node_id !== null && dead.has(node_id))
    for (const row of gone) await remove(row)
    return gone.length > 0 && !room.finished
  }

  return { load, adopt, transfer, leave, evictDeadPeers }
}
