/** The register of places, in the database: one publisher a session, so many peers, and which process holds whom. */
import type { Deps, Step } from 'larder/kernel'
import { MAX_PEERS } from '../domain/peers.ts'
import type { Role, Session, StreamDetails } from '../ports.ts'
import { readDetails } from '../services/stream-details.ts'
import type { Luggage } from './types.ts'

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
const PURPOSE = 'streams.parked'

const LOCK = `select pg_advisory_xact_lock(hashtextextended('larder streams room ' || $1, 0))`
const JOIN = `insert into streams_peers (tenant_id, peer_id, session_id, role, node_id, token_id)
  select $1, $2, $3, $4, $5, $6
  where (select count(*) from streams_peers where session_id = $3) < ${MAX_PEERS}
    and ($4 <> 'publisher' or not exists (select 1 from streams_peers where session_id = $3 and role = 'publisher'))`
const ROOM = `select ${COLUMNS} from streams_peers where session_id = $1`
const FIND = `select ${COLUMNS} from streams_peers where peer_id = $1`
const ADOPT = `with parked as (select peer_id, kept from streams_peers
    where session_id = $1 and node_id is null for update)
  update streams_peers p set node_id = $2, kept = null, parked_at = null from parked
  where p.peer_id = parked.peer_id returning parked.kept as luggage`
const PARK = `update streams_peers set node_id = null, kept = $2, parked_at = now() where peer_id = $1 and node_id = $3`
const BEAT = `insert into streams_nodes (node_id, seen_at) values ($1, now())
  on conflict (node_id) do update set seen_at = now(), suspected = false`

export type Registry = ReturnType<typeof createRegistry>

/** @param node id of this process. */
export function createRegistry({ database, secrets }: Deps<'database' | 'secrets'>, node: string) {
  const across = () => database.system('places of sockets belong to processes, which serve every tenant')
  return {
    /** In one flight, under a lock of the room: whether there was room for this peer, and who is there now. */
    async join({ id, workspace_id }: Session, peer: NewPeer): Promise<{ joined: boolean; peers: PeerRow[] }> {
      const [, joined, room] = await database.tenant(workspace_id).batch([
        [LOCK, [id]],
        [JOIN, [workspace_id, peer.id, id, peer.role, node, peer.tokenId]],
        [ROOM, [id]],
      ])
      return { joined: joined?.rowCount === 1, peers: (room?.rows ?? []) as unknown as PeerRow[] }
    },
    async peers(tenantId: string, sessionId: string): Promise<PeerRow[]> {
      return (await database.tenant(tenantId).query<PeerRow>(ROOM, [sessionId])).rows
    },
    async details(tenantId: string, sessionId: string): Promise<StreamDetails> {
      return (await readDetails(database.tenant(tenantId), [sessionId])).get(sessionId) as StreamDetails
    },
    async find(peerId: string): Promise<PeerRow | undefined> {
      return (await across().query<PeerRow>(FIND, [peerId])).rows[0]
    },
    /** The place was handed over to this process. */
    async take(tenantId: string, peerId: string): Promise<boolean> {
      const taken = 'update streams_peers set node_id = $2, kept = null, parked_at = null where peer_id = $1'
      return (await database.tenant(tenantId).query(taken, [peerId, node])).rowCount === 1
    },
    /** Takes up every place of the session that waits; of several processes one gets each. */
    async adopt(tenantId: string, sessionId: string): Promise<Luggage[]> {
      const { rows } = await database.tenant(tenantId).query<{ luggage: Buffer }>(ADOPT, [sessionId, node])
      return rows.map(({ luggage }) => JSON.parse(secrets.decrypt(PURPOSE, luggage)) as Luggage)
    },
    async leave(tenantId: string, peerIds: readonly string[]): Promise<void> {
      await database.tenant(tenantId).query('delete from streams_peers where peer_id = any($1)', [peerIds])
    },
    /** Leaves places for another process to take up. */
    async park(places: readonly Luggage[]): Promise<void> {
      const steps = places.map(
        (place): Step => [PARK, [place.id, secrets.encrypt(PURPOSE, JSON.stringify(place)), node]],
      )
      await across().batch([...steps, ['delete from streams_nodes where node_id = $1', [node]]])
    },
    /** Says that this process lives. */
    async beat(): Promise<void> {
      await across().query(BEAT, [node])
    },
  }
}
