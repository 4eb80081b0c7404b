/** The sockets of one realtime endpoint: their lifecycle and their frames. */
import {
  type Clock,
  REALTIME_CLOSE_CODE,
  REALTIME_PING_INTERVAL_MS,
  type RealtimeServer,
  type RealtimeServerOptions,
  SECOND,
  type SocketPeer,
  type SocketSession,
  shareOf,
  takeToken,
  type UntypedBus,
  withContext,
  wording,
} from '@larder-dev/larder/kernel/internal'
import type { Logger } from 'pino'
import { createChecks, reconnectNotice } from './checks.ts'
import { parseFrame } from './frames.ts'
import type { AuthenticateMember } from './member-authentication.ts'
import { ServerSocket } from './socket.ts'

/** Drained clients reconnect after a random delay of at most this, so that they don't all return at once. */
const MAX_RETRY_DELAY_MS = SECOND
const INTERNAL_ERROR = 1011
/** At least half an interval. Random, because many sockets open at the same time after a process has stopped. */
const firstPingDelay = (): number => (REALTIME_PING_INTERVAL_MS * (1 + Math.random())) / 2

export interface ServerDeps {
  readonly clock: Clock
  readonly bus: UntypedBus
  readonly log: Logger
  readonly authenticateMember: AuthenticateMember
  /** Runs the periodic checks. Returns a function that stops them. */
  readonly schedule: (run: () => void) => () => void
}

export interface StoppableServer<C> extends RealtimeServer<C> {
  /** Stops the periodic checks. */
  stop(): void
}

export function createRealtimeServer<C>(
  { clock, bus, log, authenticateMember, schedule }: ServerDeps,
  options: RealtimeServerOptions<C>,
): StoppableServer<C> {
  const sockets = new Map<ServerSocket<C>, C>()
  const host = { options, authenticateMember, now: () => clock.now() }
  const checks = createChecks({ options, sockets, clock, log })
  let stops: (() => void)[] = []

  /** A process without sockets has no timer and no subscription. */
  function start(): void {
    if (stops.length > 0) return
    stops = [schedule(checks.tick), bus.subscribe('sockets.close', checks.revoke, checks.verifyAll)]
  }

  function open(peer: SocketPeer): SocketSession {
    start()
    const socket = new ServerSocket(host, peer, clock.now() + firstPingDelay())
    sockets.set(socket, socket.connection)
    let opening = options.opened?.(socket.connection).catch(error => {
      log.error({ err: error }, 'failed to open a realtime socket')
      socket.close(INTERNAL_ERROR, 'internal')
    })
    void opening?.then(() => {
      opening = undefined
    })
    return {
      message: text => (opening ? opening.then(() => receive(socket, text)) : receive(socket, text)),
      closed(code) {
        socket.closed = true
        sockets.delete(socket)
        return options.closed(socket.connection, code)
      },
      drain() {
        const retryAfterMs = Math.floor(Math.random() * MAX_RETRY_DELAY_MS)
        socket.closeWithNotice(REALTIME_CLOSE_CODE.draining, reconnectNotice(options, socket, 'draining', retryAfterMs))
      },
    }
  }

  function receive(socket: ServerSocket<C>, text: string): void | Promise<void> {
    if (socket.closed) return
    const now = clock.now()
    socket.seenAt = now
    if (!takeToken(socket.bucket, options.frameRate, now))
      return socket.closeWithError(REALTIME_CLOSE_CODE.rate_limited, {
        code: 'rate_limited',
        message: wording('Too many frames.'),
        retryable: true,
      })
    const frame = parseFrame(text, options.validateMembers)
    if ('sentence' in frame)
      return socket.closeWithError(REALTIME_CLOSE_CODE.bad_frame, { code: 'bad_frame', message: frame })
    if (frame.type === 'ping') return void socket.sendFrame('pong', { t: null, ...frame.data }, frame.id)
    if (frame.type === 'pong') return socket.handlePong(frame.data.t)
    if (socket.helloReceived)
      return withContext({ share: shareOf(socket.member?.membership) }, () => options.message(socket.connection, frame))
    if (frame.type !== 'hello') {
      const error = { code: 'hello_first', message: wording('The first frame must be hello.') }
      return socket.closeWithError(REALTIME_CLOSE_CODE.unauthenticated, error, frame.id)
    }
    socket.helloReceived = true
    return options.hello(socket.connection, frame)
  }

  return {
    endpoint: {
      maxFrame: options.maxFrameBytes,
      maxBuffer: options.maxBufferBytes,
      closeOnRevocation: options.onRevoked !== 'verify',
      codes: { tooLarge: REALTIME_CLOSE_CODE.too_large, binary: REALTIME_CLOSE_CODE.bad_frame },
      open,
    },
    connections: () => sockets.values(),
    stop() {
      for (const stop of stops) stop()
    },
  }
}
