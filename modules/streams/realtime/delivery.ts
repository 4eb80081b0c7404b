/** Sends frames to connections and peer sessions, and closes connections. */
import { KIB } from 'larder/kernel'
import { CLOSE_CODE } from '../domain/close-codes.ts'
import { encodeTail, withoutSequence, withSequence } from '../domain/frames.ts'
import { append } from '../domain/replay-buffer.ts'
import type { Connection, PeerSession } from './types.ts'

/** Sends a frame without a sequence number, which is not replayed on resume. */
export function sendUnnumbered(connection: Connection, type: string, data: unknown, more: { id?: string } = {}): void {
  if (!connection.socket.send(withoutSequence(encodeTail(type, data, more))))
    connection.socket.close(CLOSE_CODE.slow_consumer, 'slow consumer')
}

/** Numbers and buffers a frame, and sends it if the peer is connected. */
export function deliver(peerSession: PeerSession, tail: string) {
  const seq = append(peerSession.buffer, tail)
  const { connection, buffer } = peerSession
  if (!connection) return
  if (!connection.socket.send(withSequence(seq, tail)))
    return connection.socket.close(CLOSE_CODE.slow_consumer, 'slow consumer')
  if (connection.pendingPing === 0 && (buffer.frames.length >= CONFIRM_FRAMES || buffer.bytes >= CONFIRM_BYTES))
    sendPing(connection, Date.now())
}

/** Above these sizes, an early ping lets the peer confirm the buffered frames. */
const CONFIRM_FRAMES = 64
const CONFIRM_BYTES = 64 * KIB

/** The pong confirms every frame sent before. */
export function sendPing(connection: Connection, t: number): void {
  connection.pendingPing = t
  connection.pendingPingSeq = connection.peerSession?.buffer.seq ?? 0
  sendUnnumbered(connection, 'ping', { t })
}

export interface FrameProblem {
  readonly code: string
  readonly message: string
  /** The same request may succeed later. */
  readonly retryable?: boolean
}
const errorData = ({ code, message, retryable = false }: FrameProblem) => ({ code, message, retryable })

/** Answers a frame with an error. The socket stays open. */
export function reject(peerSession: PeerSession, problem: FrameProblem, id: string | undefined): void {
  deliver(peerSession, encodeTail('error', errorData(problem), id === undefined ? {} : { id }))
}

export function acknowledge(peerSession: PeerSession, id: string | undefined): void {
  if (id !== undefined) deliver(peerSession, encodeTail('ack', {}, { id }))
}

/** Sends an error frame and closes the socket. */
export function closeWithError(
  connection: Connection,
  code: keyof typeof CLOSE_CODE,
  problem: FrameProblem,
  id?: string,
): void {
  connection.socket.send(withoutSequence(encodeTail('error', errorData(problem), id === undefined ? {} : { id })))
  connection.socket.close(CLOSE_CODE[code], problem.code)
}

export interface Closing {
  readonly action: 'resume' | 'reconnect' | 'stop'
  readonly reason: string
  /** Milliseconds. */
  readonly retry_after_ms?: number
}
export function closeWithNotice(connection: Connection, code: keyof typeof CLOSE_CODE, closing: Closing): void {
  connection.socket.send(withoutSequence(encodeTail('closing', { retry_after_ms: null, ...closing })))
  connection.socket.close(CLOSE_CODE[code], closing.reason)
}
