/** What needs the register: filling a room, fetching a place from where it is, giving places up. */
import type { Deps } from 'larder/kernel'
import { unpacked } from './handover-state.ts'
import type { Nodes } from './node-messaging.ts'
import type { PeerRow, Registry } from './peer-registry.ts'
import type { Rooms } from './rooms.ts'
import { isLocal, type Luggage, type Place, type Room } from './types.ts'

export interface FillingDeps extends Deps<'sessions' | 'log' | 'clock'> {
  readonly rooms: Rooms
  readonly nodes: Nodes
  readonly registry: Registry
}
/** A place may move again while it is fetched. */
const FETCHES = 3

export type Filling = ReturnType<typeof createFilling>

export function createFilling({ rooms, nodes, registry, sessions, clock, log }: FillingDeps) {
  const fetching = new Map<string, Promise<Place | undefined>>()

  /** Members as the register has them; what was told meanwhile comes after. */
  async function load(room: Room, peers: readonly PeerRow[]): Promise<void> {
    room.details = await registry.details(room.tenantId, room.id)
    for (const { peer_id, role, node_id } of peers)
      if (node_id !== nodes.self) rooms.addRemote(room, { id: peer_id, role }, node_id)
    room.loaded = true
    for (const message of room.backlog.splice(0)) rooms.heard(room, message)
    if (peers.some(({ node_id }) => node_id === null)) await adopt(room)
  }

  async function fill(room: Room, peers: readonly PeerRow[]): Promise<void> {
    room.filling ??= load(room, peers)
    try {
      await room.filling
    } catch (error) {
      room.filling = undefined
      throw error
    }
  }

  /** Places that a stopped process left: this one holds them from here on. */
  async function adopt(room: Room): Promise<void> {
    const taken = await registry.adopt(room.tenantId, room.id)
    for (const luggage of taken) settle(room, luggage)
    if (taken.length > 0 && rooms.hasRemotes(room))
      nodes.tell({ kind: 'moved', room: room.id, peers: taken.map(({ id }) => id) })
  }

  function settle(room: Room, luggage: Luggage): Place {
    const before = room.members.get(luggage.id)
    const place = unpacked(luggage, room, clock.now())
    rooms.seat(place)
    if (before && !isLocal(before)) for (const tail of before.waiting) rooms.send(room, place, tail)
    return place
  }

  async function leave(place: Place): Promise<void> {
    const { room, id } = place
    if (!rooms.places.has(id)) return
    rooms.drop(room, place)
    if (rooms.hasRemotes(room)) nodes.tell({ kind: 'left', room: room.id, peers: [id] })
    rooms.release(room)
    await registry.leave(room.tenantId, [id])
  }

  /** A place that nobody holds any more. */
  async function forget({ tenant_id, session_id, peer_id }: PeerRow): Promise<void> {
    await registry.leave(tenant_id, [peer_id])
    nodes.tell({ kind: 'left', room: session_id, peers: [peer_id] })
    const room = rooms.rooms.get(session_id)
    const member = room?.members.get(peer_id)
    if (room && member && !isLocal(member)) rooms.drop(room, member)
  }

  /** Its place here, from the luggage that another process gave; undefined where it was given up meanwhile. */
  async function unpack(room: Room, row: PeerRow, luggage: Luggage): Promise<Place | undefined> {
    if (!(await registry.take(row.tenant_id, row.peer_id))) return undefined
    await fill(room, await registry.peers(row.tenant_id, row.session_id))
    if (!rooms.places.has(luggage.id)) {
      settle(room, luggage)
      if (rooms.hasRemotes(room)) nodes.tell({ kind: 'moved', room: room.id, peers: [luggage.id] })
    }
    return rooms.places.get(luggage.id)
  }

  async function bring(room: Room, row: PeerRow, tries: number): Promise<Place | undefined> {
    const { tenant_id, session_id, peer_id, role, node_id } = row
    const here = rooms.places.get(peer_id)
    if (here) return here
    rooms.expect(room, { id: peer_id, role })
    if (node_id === null) {
      await fill(room, await registry.peers(tenant_id, session_id))
      await adopt(room)
      return rooms.places.get(peer_id)
    }
    const answer = node_id === nodes.self ? null : await nodes.claim(node_id, peer_id)
    if (answer !== null && answer !== 'silent') return unpack(room, row, answer)
    // It may have stopped, or somebody may have fetched it, between the look and the question.
    const again = tries > 1 ? await registry.find(peer_id) : undefined
    if (again && again.node_id !== node_id) return bring(room, again, tries - 1)
    log.info({ peer: peer_id, node: node_id }, 'the place of a peer is gone with its process')
    await forget(row)
    return undefined
  }

  async function look(peerId: string): Promise<Place | undefined> {
    const row = await registry.find(peerId)
    const [session] = row ? await sessions.getManyAcrossTenants([row.session_id]) : []
    if (!row || !session) return undefined
    const room = rooms.open(session)
    room.entering++
    try {
      return await bring(room, row, FETCHES)
    } finally {
      room.entering--
      rooms.release(room)
    }
  }

  /** A place that this process does not hold: from the process that does, or from the register where it stopped. */
  function fetch(peerId: string): Promise<Place | undefined> {
    const under = fetching.get(peerId) ?? look(peerId).finally(() => fetching.delete(peerId))
    fetching.set(peerId, under)
    return under
  }

  /** Gives up the peers of processes that do not answer; false where all of them live. */
  async function bury(room: Room, peers: readonly PeerRow[]): Promise<boolean> {
    const dead = new Set<string>()
    for (const node of new Set(peers.map(({ node_id }) => node_id)))
      if (node !== null && node !== nodes.self && !(await nodes.lives(node))) dead.add(node)
    const gone = peers.filter(({ node_id }) => node_id !== null && dead.has(node_id))
    for (const row of gone) await forget(row)
    return gone.length > 0 && !room.over
  }

  return { fill, adopt, fetch, leave, bury }
}
