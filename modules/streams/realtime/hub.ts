/** The port `streamRooms`: every socket of this process, from hello to goodbye. */
import { type Deps, newId } from 'larder/kernel'
import type { StreamsOptions } from '../options.ts'
import type { StreamRooms } from '../ports.ts'
import { createEntry } from './admission.ts'
import { createChanges } from './change-listener.ts'
import { createLinks } from './connections.ts'
import { createFarewell } from './handover.ts'
import { createTicker } from './heartbeat.ts'
import { createFilling } from './membership.ts'
import { createSpeech } from './message-handlers.ts'
import { createNodes } from './node-messaging.ts'
import { createRegistry } from './peer-registry.ts'
import { createResync } from './resync.ts'
import { createRooms } from './rooms.ts'
import type { Link, RoomMessage } from './types.ts'

export type HubDeps = Deps<
  'database' | 'sessions' | 'streamTokens' | 'iceServers' | 'secrets' | 'bus' | 'clock' | 'log'
>

export function createHub(ports: HubDeps, options: StreamsOptions): StreamRooms {
  const { database, sessions, streamTokens, iceServers, secrets, bus, clock, log } = ports
  const nodes = createNodes(bus, newId('node'))
  const rooms = createRooms(nodes, clock)
  const base = {
    ...{ database, sessions, streamTokens, iceServers, secrets, bus, clock, log },
    ...{ nodes, rooms, registry: createRegistry(ports, nodes.self), links: new Set<Link>() },
  }
  const parts = { ...base, filling: createFilling(base) }
  const entry = createEntry(parts, options)
  const changes = createChanges({ ...parts, entry })
  const resync = createResync({ ...parts, changes })
  const ticker = createTicker(parts)
  const farewell = createFarewell(parts)

  function heard(message: RoomMessage): void {
    if (farewell.heard(message)) return
    const room = rooms.rooms.get(message.room)
    if (!room) return
    rooms.heard(room, message)
    if (message.kind === 'parked') void parts.filling.adopt(room).catch(resync)
  }

  let started: Promise<void> | undefined
  let stops: (() => void)[] = []
  /** At the first socket: a process without any takes no part. */
  const start = (): Promise<void> => (started ??= begin())
  async function begin(): Promise<void> {
    try {
      await parts.registry.beat()
      stops = [nodes.listen({ heard, give: farewell.give, gap: resync }), changes.listen(), ticker.start()]
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
      await farewell.all()
      for (const stop of stops) stop()
    },
  }
}
