/** Assembles the realtime socket of this process. */
import { type Deps, newId } from 'larder/kernel'
import type { StreamsOptions } from '../options.ts'
import type { StreamRooms } from '../ports.ts'
import { createAdmission } from './admission.ts'
import { createChangeListener } from './change-listener.ts'
import { createConnections } from './connections.ts'
import { createHandover } from './handover.ts'
import { createHeartbeat } from './heartbeat.ts'
import { createMembership } from './membership.ts'
import { createMessageHandlers } from './message-handlers.ts'
import type { RoomMessage } from './messages.ts'
import { createNodes } from './node-messaging.ts'
import { createPeerRegistry } from './peer-registry.ts'
import { createResync } from './resync.ts'
import { createRooms } from './rooms.ts'
import type { Connection } from './types.ts'

export type HubDeps = Deps<
  'database' | 'systemDatabase' | 'sessions' | 'streamTokens' | 'iceServers' | 'secrets' | 'bus' | 'clock' | 'log'
>

export function createHub(ports: HubDeps, options: StreamsOptions): StreamRooms {
  const { database, sessions, streamTokens, iceServers, secrets, bus, clock, log } = ports
  const nodes = createNodes(ports, newId('node'))
  const rooms = createRooms(nodes, clock)
  const base = {
    ...{ database, sessions, streamTokens, iceServers, secrets, bus, clock, log },
    ...{ nodes, rooms, registry: createPeerRegistry(ports, nodes.self), connections: new Set<Connection>() },
  }
  const parts = { ...base, membership: createMembership(base) }
  const admission = createAdmission(parts, options)
  const changeListener = createChangeListener({ ...parts, admission })
  const resync = createResync({ ...parts, changeListener })
  const heartbeat = createHeartbeat(parts)
  const handover = createHandover(parts)

  function handleMessage(message: RoomMessage): void {
    if (handover.handleMessage(message)) return
    const room = rooms.rooms.get(message.room)
    if (!room) return
    rooms.handleMessage(room, message)
    if (message.kind === 'parked') void parts.membership.adopt(room).catch(resync)
  }

  let started: Promise<void> | undefined
  let stops: (() => void)[] = []
  /** Runs on the first socket. A process without sockets does not join the others. */
  const start = (): Promise<void> => (started ??= startOnce())
  async function startOnce(): Promise<void> {
    try {
      await parts.registry.heartbeat()
      stops = [
        nodes.listen({ handleMessage, release: handover.release, handleGap: resync }),
        changeListener.listen(),
        heartbeat.start(),
      ]
    } catch (error) {
      started = undefined
      throw error
    }
  }

  return {
    ...createConnections({ ...parts, handlers: createMessageHandlers({ ...parts, admission }), start }),
    async stop() {
      if (started === undefined) return
      await started.catch(error => log.debug({ err: error }, 'the realtime socket failed to start'))
      await handover.releaseAll()
      for (const stop of stops) stop()
    },
  }
}
