/** The lifecycle of a socket: open, message, close, drain. */
import { type Deps, newBucket, type SocketPeer, type SocketSession, take } from 'larder/kernel'
import { canResume } from '../domain/close-codes.ts'
import { isFrameError, parseFrame } from '../domain/frames.ts'
import { closeWithError, closeWithNotice } from './delivery.ts'
import type { Membership } from './membership.ts'
import type { MessageHandlers } from './message-handlers.ts'
import type { Connection } from './types.ts'
import { FRAME_RATE, PING_INTERVAL_MS } from './welcome.ts'

export interface ConnectionsDeps extends Deps<'clock' | 'log'> {
  readonly connections: Set<Connection>
  readonly membership: Membership
  readonly handlers: MessageHandlers
  start(): Promise<void>
}
/** Drained clients reconnect after a random delay of at most this, so that they do not all return at once. */
const MAX_RETRY_DELAY_MS = 1000

export function createConnections({ connections, membership, handlers, start, clock, log }: ConnectionsDeps) {
  function open(socket: SocketPeer): SocketSession {
    const connection = createConnection(socket, clock.now())
    connections.add(connection)
    let ready = false
    const opening = begin(connection).finally(() => {
      ready = true
    })
    return {
      message: text => (ready ? receive(connection, text) : opening.then(() => receive(connection, text))),
      closed: code => handleClose(connection, code),
      drain() {
        const retry_after_ms = Math.floor(Math.random() * MAX_RETRY_DELAY_MS)
        closeWithNotice(connection, 'draining', {
          action: connection.peerSession ? 'resume' : 'reconnect',
          reason: 'draining',
          retry_after_ms,
        })
      },
    }
  }

  /** A token in the query replaces the hello. */
  async function begin(connection: Connection): Promise<void> {
    try {
      await start()
      if (connection.token === undefined || connection.closed) return
      connection.joinedByQuery = true
      await handlers.joinByQuery(connection)
    } catch (error) {
      log.error({ err: error }, 'failed to open a realtime socket')
      connection.socket.close(1011, 'internal')
    }
  }

  function receive(connection: Connection, text: string): void | Promise<void> {
    if (connection.closed) return
    const now = clock.now()
    connection.seenAt = now
    if (!take(connection.bucket, FRAME_RATE, now))
      return closeWithError(connection, 'rate_limited', {
        code: 'rate_limited',
        message: 'Too many messages.',
        retryable: true,
      })
    const frame = parseFrame(text)
    if (isFrameError(frame)) return closeWithError(connection, 'bad_frame', frame)
    return handlers.handle(connection, frame)
  }

  async function handleClose(connection: Connection, code: number): Promise<void> {
    connection.closed = true
    connections.delete(connection)
    const { peerSession } = connection
    if (!peerSession) return
    peerSession.connection = undefined
    peerSession.disconnectedAt = clock.now()
    if (!canResume(code)) await membership.leave(peerSession)
  }

  return { open }
}

const createConnection = (socket: SocketPeer, now: number): Connection => ({
  socket,
  bucket: newBucket(FRAME_RATE, now),
  openedAt: now,
  token: socket.query.join_token,
  peerSession: undefined,
  pendingGrant: undefined,
  joinedByQuery: false,
  closed: false,
  seenAt: now,
  pingAt: now + PING_INTERVAL_MS,
  pendingPing: 0,
  pendingPingSeq: 0,
})
