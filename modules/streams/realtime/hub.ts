/** The port `streamRooms`: every socket of this process, from hello to goodbye. */
import { type Deps, newId } from '../../../kernel/contract.ts'
import { SECOND } from '../../../kernel/units.ts'
import type { StreamsOptions } from '../options.ts'
import type { StreamRooms } from '../ports.ts'
import { createChanges } from './changes.ts'
import { createEntry } from './entry.ts'
import { createFilling } from './filling.ts'
import { createLinks } from './links.ts'
import { packed } from './luggage.ts'
import { createNodes } from './nodes.ts'
import { createRegistry } from './registry.ts'
import { createResync } from './resync.ts'
import { createRooms } from './rooms.ts'
import { createSpeech } from './speech.ts'
import { createTicker } from './ticker.ts'
import type { Link, Luggage, RoomMessage } from './types.ts'

export type HubDeps = Deps<
  'database' | 'sessions' | 'streamTokens' | 'iceServers' | 'secrets' | 'bus' | 'clock' | 'log'
>
/** How long others may still write to where a place was. */
const FORWARDED = 10 * SECOND

export function createHub(ports: HubDeps, options: StreamsOptions): StreamRooms {
  const { database, sessions, streamTokens, iceServers, secrets, bus, clock, log } = ports
  const nodes = createNodes(bus, newId('node'))
  const rooms = createRooms(nodes)
  const base = {
    ...{ database, sessions, streamTokens, iceServers, secrets, bus, clock, log },
    ...{ nodes, rooms, registry: createRegistry(ports, nodes.self), links: new Set<Link>() },
  }
  const parts = { ...base, filling: createFilling(base) }
  const entry = createEntry(parts, options)
  const changes = createChanges({ ...parts, entry })
  const resync = createResync({ ...parts, changes })
  const ticker = createTicker(parts)
  const departed = new Map<string, { node: string; until: number }>()

  function heard(message: RoomMessage): void {
    const room = rooms.rooms.get(message.room)
    if (room) {
      rooms.heard(room, message)
      if (message.kind === 'parked') void parts.filling.adopt(room).catch(resync)
    } else if (message.kind === 'frame' && message.at === nodes.self) {
      const { to, tail } = message
      const node = departed.get(to)?.node
      if (node !== undefined) nodes.tell({ kind: 'frame', room: message.room, at: node, to, tail })
    }
  }

  function give(peerId: string, to: string): Luggage | null {
    const place = rooms.places.get(peerId)
    if (!place) return null
    const now = clock.now()
    for (const [id, { until }] of departed) if (until <= now) departed.delete(id)
    departed.set(peerId, { node: to, until: now + FORWARDED })
    const { link } = place
    if (link) {
      link.place = undefined
      link.peer.close(4409, 'replaced')
    }
    rooms.handOver(place, to)
    return packed(place, now)
  }

  let started: Promise<void> | undefined
  let stops: (() => void)[] = []
  /** At the first socket: a process without any takes no part. */
  const start = (): Promise<void> => (started ??= begin())
  async function begin(): Promise<void> {
    try {
      await parts.registry.beat()
      stops = [nodes.listen({ heard, give, gap: resync }), changes.listen(), ticker.start()]
    } catch (error) {
      started = undefined
      throw error
    }
  }

  return {
    ...createLinks({ ...parts, speech: createSpeech({ ...parts, entry }), start }),
    async stop() {
      if (started === undefined) return
      await started.catch(error => log.debug({ err: error }, 'the realtime socket never started'))
      const left = [...rooms.places.values()]
      await parts.registry.park(left.map(place => packed(place, clock.now())))
      for (const [room, places] of byRoom(left)) nodes.tell({ kind: 'parked', room, peers: places })
      for (const stop of stops) stop()
    },
  }
}

function byRoom(places: readonly { id: string; room: { id: string } }[]): Map<string, string[]> {
  const found = new Map<string, string[]>()
  for (const { id, room } of places) found.set(room.id, [...(found.get(room.id) ?? []), id])
  return found
}
