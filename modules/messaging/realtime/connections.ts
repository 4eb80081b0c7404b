/** The lifecycle of a socket: open, message, close, drain. */
import { type Deps, newBucket, SECOND, type SocketPeer, type SocketSession, take } from 'larder/kernel'
import { type ClientFrame, conversationFrame, conversationIdOf, parseFrame, parseHello } from '../domain/frames.ts'
import type { ChangeFeed } from '../services/change-feed.ts'
import { type Admission, FRAME_RATE, PING_INTERVAL_MS } from './admission.ts'
import { closeWithError, closeWithNotice, sendConnectionFrame } from './delivery.ts'
import type { Rooms } from './rooms.ts'
import type { Connection } from './types.ts'

export interface ConnectionsDeps extends Deps<'clock'> {
  readonly connections: Set<Connection>
  readonly rooms: Rooms
  readonly admission: Admission
  readonly changeFeed: ChangeFeed
  start(): void
}
/** Drained clients reconnect after a random delay of at most this, so that they do not all return at once. */
const MAX_RETRY_DELAY_MS = 1000
/** Minimum interval of typing frames in one conversation. */
const TYPING_INTERVAL_MS = SECOND

export function createConnections({ connections, rooms, admission, changeFeed, start, clock }: ConnectionsDeps) {
  function open(socket: SocketPeer): SocketSession {
    start()
    const connection = createConnection(socket, clock.now())
    connections.add(connection)
    return {
      message: text => receive(connection, text),
      closed() {
        connection.closed = true
        connections.delete(connection)
        rooms.leave(connection)
      },
      drain() {
        const retryAfterMs = Math.floor(Math.random() * MAX_RETRY_DELAY_MS)
        closeWithNotice(connection, 'draining', { action: 'reconnect', reason: 'draining', retryAfterMs })
      },
    }
  }

  function receive(connection: Connection, text: string): void | Promise<void> {
    if (connection.closed) return
    const now = clock.now()
    connection.seenAt = now
    if (!take(connection.bucket, FRAME_RATE, now))
      return closeWithError(connection, 'rate_limited', { code: 'rate_limited', message: 'Too many frames.' })
    const frame = parseFrame(text)
    if (typeof frame === 'string') return closeWithError(connection, 'bad_frame', { code: 'bad_frame', message: frame })
    if (frame.type === 'hello') return handleHello(connection, frame)
    if (!connection.identity)
      return closeWithError(
        connection,
        'unauthenticated',
        { code: 'hello_first', message: 'The first frame must be hello.' },
        frame.id,
      )
    if (frame.type === 'typing') return handleTyping(connection, frame, now)
    if (frame.type === 'ping') return sendConnectionFrame(connection, 'pong', frame.data, frame.id)
    if (frame.type !== 'pong')
      sendConnectionFrame(connection, 'error', { code: 'unknown_type', message: 'Unknown frame type.' }, frame.id)
  }

  function handleHello(connection: Connection, frame: ClientFrame): void | Promise<void> {
    const hello = parseHello(frame.data)
    if (typeof hello === 'string')
      return closeWithError(connection, 'bad_frame', { code: 'bad_data', message: hello }, frame.id)
    if (connection.helloReceived)
      return sendConnectionFrame(
        connection,
        'error',
        { code: 'greeted', message: 'This connection has already joined. Open another socket.' },
        frame.id,
      )
    connection.helloReceived = true
    return admission.join(connection, hello, frame.id)
  }

  function handleTyping(connection: Connection, frame: ClientFrame, now: number) {
    const conversationId = conversationIdOf(frame)
    const { identity } = connection
    if (!identity || conversationId === undefined || !connection.versions.has(conversationId))
      return sendConnectionFrame(
        connection,
        'error',
        { code: 'not_found', message: 'No conversation has this ID.' },
        frame.id,
      )
    if (connection.lastTyping.conversationId === conversationId && now - connection.lastTyping.at < TYPING_INTERVAL_MS)
      return
    connection.lastTyping = { conversationId, at: now }
    const { tenantId, userId } = identity
    const text = conversationFrame('typing', { conversationId }, { userId })
    changeFeed.publish({ kind: 'transient', tenantId, conversationId, frame: text, except: userId })
  }

  return { open }
}

const createConnection = (socket: SocketPeer, now: number): Connection => ({
  socket,
  bucket: newBucket(FRAME_RATE, now),
  openedAt: now,
  identity: undefined,
  versions: new Map(),
  helloReceived: false,
  closed: false,
  seenAt: now,
  pingAt: now + PING_INTERVAL_MS,
  recheckAt: Number.POSITIVE_INFINITY,
  lastTyping: { conversationId: '', at: 0 },
})
