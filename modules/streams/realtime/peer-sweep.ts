/** Gives up places that nobody will come back to: of processes that died, and those that waited too long. */
import type { Deps, Unit } from 'larder/kernel'
import type { RoomMessage } from './types.ts'

/** Twice silent for this long: a database that was away must not make the dead of the living. */
const SILENT = '30 seconds'
const FORGET = `delete from streams_nodes where suspected and seen_at < now() - interval '${SILENT}'`
const SUSPECT = `update streams_nodes set suspected = true where seen_at < now() - interval '${SILENT}'`
const DEAD = `delete from streams_peers p where (node_id is null and parked_at < now() - interval '${SILENT}')
    or (node_id is not null and not exists (select 1 from streams_nodes n where n.node_id = p.node_id))
  returning session_id, peer_id`

export async function sweepPlaces({ database, bus }: Deps<'database' | 'bus'>): Promise<void> {
  const unit = database.system('places of processes that died, of every tenant')
  const gone = await unit.transaction(async inside => {
    await inside.query(FORGET)
    await inside.query(SUSPECT)
    return dead(inside)
  })
  for (const { session_id, peer_id } of gone) {
    const message: RoomMessage = { from: 'sweep', room: session_id, kind: 'left', peers: [peer_id] }
    bus.publish('streams.rooms', message)
  }
}

const dead = async (unit: Unit) => (await unit.query<{ session_id: string; peer_id: string }>(DEAD)).rows
