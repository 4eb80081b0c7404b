/**
 * How places leave this process: one to the process that fetches it, all of them to the register when it stops. What
 * others still send here meanwhile goes after them, so nothing is lost.
 */
import type { Clock } from 'larder/kernel'
import { believesHere, believesStillHere, LATELY } from './broadcast-routing.ts'
import { packed } from './handover-state.ts'
import type { Nodes } from './node-messaging.ts'
import type { Registry } from './peer-registry.ts'
import type { Rooms } from './rooms.ts'
import { isLocal, type Luggage, type Place, type Room, type RoomMessage } from './types.ts'

export interface FarewellDeps {
  readonly rooms: Rooms
  readonly nodes: Nodes
  readonly registry: Registry
  readonly clock: Clock
}
interface Gone {
  readonly room: string
  readonly node: string
  readonly until: number
}

export function createFarewell({ rooms, nodes, registry, clock }: FarewellDeps) {
  const gone = new Map<string, Gone>()
  /** Frames that came after their places were written down: they go back to who sent them. */
  let late: { node: string; room: string; to: string; tail: string }[] | undefined

  const send = (room: string, at: string, to: string, tail: string) => nodes.tell({ kind: 'frame', room, at, to, tail })

  function forward(message: RoomMessage): void {
    if (message.kind === 'frame' && message.at === nodes.self && !rooms.rooms.has(message.room)) {
      const node = gone.get(message.to)?.node
      if (node !== undefined) send(message.room, node, message.to, message.tail)
    }
    if (message.kind !== 'cast') return
    for (const [peer, { room, node }] of gone)
      if (room === message.room && peer !== message.except && !rooms.places.has(peer))
        if (believesStillHere(message, peer, nodes.self)) send(room, node, peer, message.tail)
  }

  /** Those of this process that the message means. */
  function meant(message: RoomMessage): string[] {
    const room = rooms.rooms.get(message.room)
    if (!room) return []
    if (message.kind === 'frame') {
      const member = message.at === nodes.self ? room.members.get(message.to) : undefined
      return member && isLocal(member) ? [member.id] : []
    }
    if (message.kind !== 'cast') return []
    const here = rooms.locals(room).filter(place => believesHere(message, place, nodes.self, clock.now()))
    return here.map(({ id }) => id).filter(id => id !== message.except)
  }

  const tell = (kind: 'leaving' | 'parked', places: readonly Place[]) => {
    for (const [room, peers] of byRoom(places)) if (rooms.hasRemotes(room)) nodes.tell({ kind, room: room.id, peers })
  }

  return {
    /** Gives one away; null where there is none. */
    give(peerId: string, to: string): Luggage | null {
      const place = rooms.places.get(peerId)
      if (!place) return null
      const now = clock.now()
      for (const [id, { until }] of gone) if (until <= now) gone.delete(id)
      gone.set(peerId, { room: place.room.id, node: to, until: now + LATELY })
      const { link } = place
      if (link) {
        link.place = undefined
        link.peer.close(4409, 'replaced')
      }
      rooms.handOver(place, to)
      return packed(place, now)
    },
    /** Whether the message was dealt with: the rest is for the rooms. */
    heard(message: RoomMessage): boolean {
      forward(message)
      if (!late || (message.kind !== 'frame' && message.kind !== 'cast')) return false
      const peers = meant(message)
      for (const to of peers) late.push({ node: message.from, room: message.room, to, tail: message.tail })
      return peers.length > 0
    },
    /** Leaves every place to whoever takes it up. Others first hold back what they have for them. */
    async all(): Promise<void> {
      const neighbours = () => new Set([...rooms.rooms.values()].flatMap(nodesOf))
      tell('leaving', [...rooms.places.values()])
      await nodes.reached(neighbours())
      const left = [...rooms.places.values()]
      late = []
      await registry.park(left.map(place => packed(place, clock.now())))
      // Somebody may have fetched one while they were written down.
      tell(
        'parked',
        left.filter(({ id }) => rooms.places.has(id)),
      )
      for (const { node, room, to, tail } of late) send(room, node, to, tail)
      await nodes.reached(neighbours())
    },
  }
}

const nodesOf = ({ members }: Room): string[] =>
  [...members.values()].flatMap(member => (isLocal(member) || member.node === null ? [] : member.node))

function byRoom(places: readonly Place[]): Map<Room, string[]> {
  const found = new Map<Room, string[]>()
  for (const { id, room } of places) found.set(room, [...(found.get(room) ?? []), id])
  return found
}
