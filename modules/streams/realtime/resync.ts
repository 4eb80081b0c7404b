/** After a gap on the bus: rooms are read again from the register, and tokens looked at anew. */
import type { Deps } from 'larder/kernel'
import type { createChanges } from './change-listener.ts'
import { dismiss } from './delivery.ts'
import type { Filling } from './membership.ts'
import type { Nodes } from './node-messaging.ts'
import type { PeerRow, Registry } from './peer-registry.ts'
import type { Rooms } from './rooms.ts'
import { isLocal, type Place, type Room, type Someone } from './types.ts'

export interface ResyncDeps extends Deps<'streamTokens' | 'log'> {
  readonly rooms: Rooms
  readonly nodes: Nodes
  readonly registry: Registry
  readonly filling: Filling
  readonly changes: ReturnType<typeof createChanges>
}

export function createResync({ rooms, nodes, registry, filling, changes, streamTokens, log }: ResyncDeps) {
  async function reread(room: Room): Promise<void> {
    if (!room.loaded) return
    const before = [...room.members.values()]
    const peers = await registry.peers(room.tenantId, room.id)
    const known = new Set(peers.map(({ peer_id }) => peer_id))
    for (const member of before) if (!known.has(member.id)) await givenUp(room, member)
    for (const peer of peers) if (peer.node_id !== nodes.self) elsewhere(room, peer)
    if (peers.some(({ node_id }) => node_id === null)) await filling.adopt(room)
  }

  /** Others gave it up: as a dead process's, if it was silent for too long itself. */
  async function givenUp(room: Room, member: Someone): Promise<void> {
    if (room.members.get(member.id) !== member) return
    if (!isLocal(member)) return rooms.drop(room, member)
    const { link } = member
    await filling.leave(member)
    if (link) dismiss(link, 'resume_expired', { action: 'reconnect', reason: 'resume_expired', retry_after_ms: 0 })
  }

  function elsewhere(room: Room, { peer_id: id, role, node_id }: PeerRow): void {
    const member = room.members.get(id)
    if (!member) {
      rooms.addRemote(room, { id, role }, node_id)
      rooms.announce(room, { id, role }, 'peer_joined')
    } else if (!isLocal(member) && member.node !== node_id) rooms.moveRemote(room, member, node_id)
  }

  /** One that came from another process does not know its token any more: it joins anew. */
  async function tokenHolds({ kind, tokenId, token, room }: Place): Promise<boolean> {
    if (kind !== 'join') return tokenId !== null && (await streamTokens.exists(room.tenantId, tokenId))
    return token !== undefined && (await streamTokens.passOf(token))?.session.id === room.id
  }

  async function resync(): Promise<void> {
    for (const room of [...rooms.rooms.values()]) await reread(room)
    await changes.recheck(tokenHolds)
  }
  return (): void => {
    resync().catch(error => log.error({ err: error }, 'rooms could not be read again after a gap'))
  }
}
