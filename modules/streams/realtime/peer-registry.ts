/** Peer sessions in the database. Enforces one publisher and the maximum number of peers in a session. */
import { type Deps, expression, lockStep, type SealedColumn, type Step, sealedValues } from '@larder-dev/larder/kernel'
import type { HandoverState } from '../domain/messages.ts'
import { MAX_PEERS } from '../domain/peers.ts'
import type { Role } from '../domain/values.ts'
import type { Session, StreamDetails } from '../ports.ts'
import { nodeTable } from '../records/node.ts'
import type { LiveStatusService } from '../services/live-status-service.ts'
import { readDetails } from '../services/stream-details.ts'
import type { Room } from './types.ts'

export interface PeerRow {
  readonly tenant_id: string
  readonly peer_id: string
  readonly session_id: string
  readonly role: Role
  readonly node_id: string | null
  readonly token_id: string | null
}
export interface NewPeer {
  readonly id: string
  readonly role: Role
  readonly tokenId: string | null
}
const COLUMNS = 'tenant_id, peer_id, session_id, role, node_id, token_id'
export const HANDOVER_COLUMN: SealedColumn = {
  table: 'streams_peers',
  column: 'handover_state',
  purpose: 'streams.parked',
  // The sweep deletes peers that nobody takes over.
  readWhile: 'node_id is null',
}

/** The name is that of 0.1.0, whose processes may hold peers of the same room during an update. */
const lockRoom = (id: string): Step => lockStep('larder streams room', id)
const JOIN = `insert into streams_peers (tenant_id, peer_id, session_id, role, node_id, token_id)
  select $1, $2, $3, $4, $5, $6
  where ($4 = 'publisher' or (select count(*) from streams_peers where session_id = $3) < ${MAX_PEERS})
    and ($4 <> 'publisher' or not exists (select 1 from streams_peers where session_id = $3 and role = 'publisher'))`
const ROOM = `select ${COLUMNS} from streams_peers where session_id = $1`
const FIND = `select ${COLUMNS} from streams_peers where peer_id = $1`
const ADOPT = `with parked as (select peer_id, handover_state from streams_peers
    where session_id = $1 and node_id is null for update)
  update streams_peers p set node_id = $2, handover_state = null, parked_at = null from parked
  where p.peer_id = parked.peer_id returning parked.handover_state as state`
const PARK = `update streams_peers set node_id = null, handover_state = $2, parked_at = now() where peer_id = $1 and node_id = $3`
const BEAT = nodeTable.replacing(['nodeId'], [])

const LEAVE = `delete from streams_peers where peer_id = any($1) returning ${COLUMNS}`

type RegistryDeps = Deps<'database' | 'systemDatabase' | 'secrets' | 'log'> & { readonly liveStatus: LiveStatusService }
export type PeerRegistry = ReturnType<typeof createPeerRegistry>

/** `node` is the id of this process. */
export function createPeerRegistry({ database, systemDatabase, secrets, log, liveStatus }: RegistryDeps, node: string) {
  const values = sealedValues({ secrets, log }, HANDOVER_COLUMN)
  const everyTenant = () => systemDatabase.acrossTenants('a process holds realtime peers of every tenant')
  return {
    /** Adds the peer unless a limit is reached, and returns the peers of the session. One batch, under a lock of the room. */
    async join({ id, workspace_id }: Session, peer: NewPeer): Promise<{ joined: boolean; peers: PeerRow[] }> {
      const { joined, room } = await database.tenant(workspace_id).all({
        lock: lockRoom(id),
        joined: [JOIN, [workspace_id, peer.id, id, peer.role, node, peer.tokenId]],
        room: [ROOM, [id]],
      })
      const hasJoined = joined.rowCount === 1
      if (hasJoined && peer.role === 'publisher')
        await liveStatus.handle(id, { kind: 'started', way: 'peer', source: peer.id })
      return { joined: hasJoined, peers: room.rows as unknown as PeerRow[] }
    },
    async peers(tenantId: string, sessionId: string): Promise<PeerRow[]> {
      return (await database.tenant(tenantId).query<PeerRow>(ROOM, [sessionId])).rows
    },
    async details(tenantId: string, sessionId: string): Promise<StreamDetails> {
      return (await readDetails(database.tenant(tenantId), [sessionId])).get(sessionId) as StreamDetails
    },
    async find(peerId: string): Promise<PeerRow | undefined> {
      return (await everyTenant().query<PeerRow>(FIND, [peerId])).rows[0]
    },
    /** Records that this process now holds the peer; false if the peer has left. */
    async take(tenantId: string, peerId: string): Promise<boolean> {
      const statement =
        'update streams_peers set node_id = $2, handover_state = null, parked_at = null where peer_id = $1'
      return (await database.tenant(tenantId).query(statement, [peerId, node])).rowCount === 1
    },
    /** Claims all parked peer sessions of the session. Each is claimed by one process only. */
    async adopt(tenantId: string, sessionId: string): Promise<HandoverState[]> {
      const { rows } = await database.tenant(tenantId).query<{ state: Buffer }>(ADOPT, [sessionId, node])
      const states = rows.map(({ state }) => values.tryOpen(state, { tenantId, sessionId }))
      return states.filter(state => state !== undefined).map(state => JSON.parse(state) as HandoverState)
    },
    /** Removes the peers, and returns those that remain, also of joins that another process has just made. */
    async leave({ tenantId, id }: Pick<Room, 'tenantId' | 'id'>, peerIds: readonly string[]): Promise<PeerRow[]> {
      const { left, room } = await database.tenant(tenantId).all({
        lock: lockRoom(id),
        left: [LEAVE, [peerIds]],
        room: [ROOM, [id]],
      })
      for (const { session_id, peer_id, role } of left.rows as unknown as PeerRow[])
        if (role === 'publisher') await liveStatus.handle(session_id, { kind: 'stopped', way: 'peer', source: peer_id })
      return room.rows as unknown as PeerRow[]
    },
    /** Stores peer sessions for another process to adopt. */
    async park(peerSessions: readonly HandoverState[]): Promise<void> {
      const steps = peerSessions.map(
        (peerSession): Step => [PARK, [peerSession.id, values.seal(JSON.stringify(peerSession)), node]],
      )
      await everyTenant().all([...steps, ['delete from streams_nodes where node_id = $1', [node]]])
    },
    /** Records that this process is alive. */
    async heartbeat(): Promise<void> {
      await everyTenant().query(...nodeTable.insertStep({ nodeId: node, seenAt: expression('now()') }, BEAT))
    },
  }
}
