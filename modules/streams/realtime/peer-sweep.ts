/** Removes the peers of dead processes and expired parked sessions. */
import type { Deps, Unit } from '@larder-dev/larder/kernel'
import type { RoomMessage } from '../domain/messages.ts'

/** A process must miss two of these periods, because an outage of the database also stops its heartbeats. */
const NODE_TIMEOUT = '30 seconds'
const DELETE_NODES = `delete from streams_nodes where suspected and seen_at < now() - interval '${NODE_TIMEOUT}'`
const SUSPECT_NODES = `update streams_nodes set suspected = true where seen_at < now() - interval '${NODE_TIMEOUT}'`
const DELETE_PEERS = `delete from streams_peers p where (node_id is null and parked_at < now() - interval '${NODE_TIMEOUT}')
    or (node_id is not null and not exists (select 1 from streams_nodes n where n.node_id = p.node_id))
  returning session_id, peer_id`

export async function sweepPeers({ systemDatabase, bus }: Deps<'systemDatabase' | 'bus'>): Promise<void> {
  const unit = systemDatabase.acrossTenants('peers of dead processes are removed in every tenant')
  const removed = await unit.transaction(async inside => {
    await inside.query(DELETE_NODES)
    await inside.query(SUSPECT_NODES)
    return deletePeers(inside)
  })
  for (const { session_id, peer_id } of removed) {
    const message: RoomMessage = { from: 'sweep', room: session_id, kind: 'left', peers: [peer_id] }
    bus.publish('streams.rooms', message)
  }
}

const deletePeers = async (unit: Unit) => (await unit.query<{ session_id: string; peer_id: string }>(DELETE_PEERS)).rows
