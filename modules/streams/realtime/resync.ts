/** After a gap on the bus, reads the rooms from the database again and verifies the tokens of all peers. */
import { type Deps, Problem } from '@larder-dev/larder/kernel'
import { CLOSE_CODE } from '../domain/close-codes.ts'
import { type StreamTokens, suspensionOf } from '../services/token-service.ts'
import type { createChangeListener } from './change-listener.ts'
import type { Membership } from './membership.ts'
import type { Nodes } from './node-messaging.ts'
import type { PeerRegistry, PeerRow } from './peer-registry.ts'
import type { Rooms } from './rooms.ts'
import { isLocal, type PeerSession, type Room, type RoomMember } from './types.ts'

export interface ResyncDeps extends Deps<'log'> {
  readonly streamTokens: StreamTokens
  readonly rooms: Rooms
  readonly nodes: Nodes
  readonly registry: PeerRegistry
  readonly membership: Membership
  readonly changeListener: ReturnType<typeof createChangeListener>
}

export function createResync({ rooms, nodes, registry, membership, changeListener, streamTokens, log }: ResyncDeps) {
  async function reread(room: Room): Promise<void> {
    if (!room.loaded) return
    const before = [...room.members.values()]
    const peers = await registry.peers(room.tenantId, room.id)
    const known = new Set(peers.map(({ peer_id }) => peer_id))
    for (const member of before) if (!known.has(member.id)) await handleRemoved(room, member)
    for (const peer of peers) if (peer.node_id !== nodes.self) updateRemote(room, peer)
    if (peers.some(({ node_id }) => node_id === null)) await membership.adopt(room)
  }

  /** Another process removed the peer, for example because this process did not respond in time. */
  async function handleRemoved(room: Room, member: RoomMember): Promise<void> {
    if (room.members.get(member.id) !== member) return
    if (!isLocal(member)) return rooms.drop(room, member)
    const { connection } = member
    await membership.leave(member)
    connection?.socket.closeWithNotice(CLOSE_CODE.resume_expired, {
      action: 'reconnect',
      reason: 'resume_expired',
      retryAfterMs: 0,
    })
  }

  function updateRemote(room: Room, { peer_id: id, role, node_id }: PeerRow): void {
    const member = room.members.get(id)
    if (!member) {
      rooms.addRemote(room, { id, role }, node_id)
      rooms.announce(room, { id, role }, 'peer_joined')
    } else if (!isLocal(member) && member.node !== node_id) rooms.moveRemote(room, member, node_id)
  }

  /** A session handed over from another process has no join token: its client must join again. */
  async function isTokenValid({ kind, tokenId, token, room }: PeerSession): Promise<boolean> {
    if (kind !== 'join')
      return tokenId === null ? streamTokens.isOpenToVisitors(room.id) : streamTokens.exists(room.tenantId, tokenId)
    if (token === undefined) return false
    const grant = await streamTokens.authenticate(token).catch(suspensionOf)
    return !Problem.is(grant) && grant?.session.id === room.id
  }

  async function resync(): Promise<void> {
    for (const room of [...rooms.rooms.values()]) await reread(room)
    await changeListener.recheck(isTokenValid)
  }
  return (): void => {
    resync().catch(error => log.error({ err: error }, 'failed to resynchronize rooms after a gap on the bus'))
  }
}
