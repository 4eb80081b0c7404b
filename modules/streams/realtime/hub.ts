/** Assembles the realtime socket of this process. */
import { type Deps, newId, type RealtimeSocket } from '@larder-dev/larder/kernel'
import type { RealtimeEndpoint } from '@larder-dev/larder/kernel/internal'
import { canResume } from '../domain/close-codes.ts'
import { validateRecipient } from '../domain/frames.ts'
import type { RoomMessage } from '../domain/messages.ts'
import { confirm } from '../domain/replay-buffer.ts'
import type { StreamsOptions } from '../options.ts'
import type { LiveStatusService } from '../services/live-status-service.ts'
import type { StreamTokens } from '../services/token-service.ts'
import { createAdmission } from './admission.ts'
import { createChangeListener } from './change-listener.ts'
import { createHandover } from './handover.ts'
import { createHeartbeat } from './heartbeat.ts'
import { FRAME_RATE, MAX_BUFFER_BYTES, MAX_FRAME_BYTES } from './limits.ts'
import { createMembership } from './membership.ts'
import { createMessageHandlers } from './message-handlers.ts'
import { createNodes } from './node-messaging.ts'
import { createPeerRegistry } from './peer-registry.ts'
import { createResync } from './resync.ts'
import { createRooms } from './rooms.ts'
import type { Connection } from './types.ts'

export type HubDeps = Deps<
  'database' | 'systemDatabase' | 'sessions' | 'iceServers' | 'secrets' | 'bus' | 'clock' | 'log' | 'realtime'
> & { readonly liveStatus: LiveStatusService; readonly streamTokens: StreamTokens }

/** The rooms of the realtime socket in this process. */
export interface Hub {
  readonly endpoint: RealtimeEndpoint
  /** Parks every peer session for another process. */
  stop(): Promise<void>
}

export function createHub(ports: HubDeps, options: StreamsOptions): Hub {
  const { database, sessions, streamTokens, iceServers, secrets, bus, clock, log, realtime } = ports
  const nodes = createNodes(ports, newId('node'))
  const rooms = createRooms(nodes, clock)
  const base = {
    database,
    sessions,
    streamTokens,
    iceServers,
    secrets,
    bus,
    clock,
    log,
    nodes,
    rooms,
    registry: createPeerRegistry(ports, nodes.self),
  }
  const parts = { ...base, membership: createMembership(base) }
  const admission = createAdmission(parts, options)
  const changeListener = createChangeListener({ ...parts, admission, connections: () => server.connections() })
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

  const handlers = createMessageHandlers({ ...parts, admission })
  const server = realtime.createServer<Connection>({
    maxFrameBytes: MAX_FRAME_BYTES,
    maxBufferBytes: MAX_BUFFER_BYTES,
    frameRate: FRAME_RATE,
    encodeClosing: ({ action, reason, retryAfterMs }) =>
      JSON.stringify({ type: 'closing', data: { retry_after_ms: retryAfterMs ?? null, action, reason } }),
    validateMembers: validateRecipient,
    open: createConnection,
    async opened(connection) {
      await start()
      if (connection.joinedByQuery && !connection.socket.closed) await handlers.joinByQuery(connection)
    },
    hello: handlers.hello,
    message: handlers.message,
    async closed({ peerSession }, code) {
      if (!peerSession) return
      peerSession.connection = undefined
      peerSession.disconnectedAt = clock.now()
      if (!canResume(code)) await parts.membership.leave(peerSession)
    },
    canResume: ({ peerSession }) => peerSession !== undefined,
    position: ({ peerSession }) => peerSession?.buffer.seq ?? 0,
    confirmed: ({ peerSession }, position) => peerSession && confirm(peerSession.buffer, position),
  })

  return {
    endpoint: server.endpoint,
    async stop() {
      if (started === undefined) return
      await started.catch(error => log.debug({ err: error }, 'the realtime socket failed to start'))
      await handover.releaseAll()
      for (const stop of stops) stop()
    },
  }
}

/** A token in the query replaces the hello. */
function createConnection(socket: RealtimeSocket): Connection {
  const { join_token: token } = socket.peer.query
  if (token !== undefined) socket.skipHello()
  return { socket, token, peerSession: undefined, pendingGrant: undefined, joinedByQuery: token !== undefined }
}
