/** After a gap on the bus: rooms are read again from the register, and tokens looked at anew. */
import type { Deps } from '../../../kernel/contract.ts'
import type { createChanges } from './changes.ts'
import type { Filling } from './filling.ts'
import type { Nodes } from './nodes.ts'
import type { Registry } from './registry.ts'
import type { Rooms } from './rooms.ts'
import { isLocal, type Place, type Room } from './types.ts'

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
    const peers = await registry.peers(room.tenantId, room.id)
    const known = new Set(peers.map(({ peer_id }) => peer_id))
    for (const member of [...room.members.values()])
      if (!isLocal(member) && !known.has(member.id)) rooms.drop(room, member)
    for (const { peer_id, role, node_id } of peers)
      if (node_id !== nodes.self && !room.members.has(peer_id)) {
        const peer = { id: peer_id, role }
        rooms.addRemote(room, peer, node_id)
        rooms.announce(room, peer, 'peer_joined')
      }
    if (peers.some(({ node_id }) => node_id === null)) await filling.adopt(room)
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
