/** Sends numbered frames to peer sessions. */
import { type FrameError, KIB } from 'larder/kernel'
import { encodeTail, sequencePrefix } from '../domain/frames.ts'
import { append } from '../domain/replay-buffer.ts'
import type { PeerSession } from './types.ts'

/** Above these sizes, an early ping lets the peer confirm the buffered frames. */
const CONFIRM_FRAMES = 64
const CONFIRM_BYTES = 64 * KIB

/**
 * Numbers and buffers a frame, and sends it if the peer is connected.
 * @param isShared whether other peers get the same string.
 */
export function deliver({ buffer, connection }: PeerSession, tail: string, isShared = false): void {
  const seq = append(buffer, tail, isShared)
  if (!connection?.socket.sendParts(sequencePrefix(seq), tail)) return
  if (!connection.socket.awaitsPong && (buffer.count >= CONFIRM_FRAMES || buffer.bytes >= CONFIRM_BYTES))
    connection.socket.ping()
}

/** Answers a frame with an error. The socket stays open. */
export function reject(
  peerSession: PeerSession,
  { code, message, retryable = false }: FrameError,
  id: string | undefined,
): void {
  deliver(peerSession, encodeTail('error', { code, message, retryable }, { id }))
}

export function acknowledge(peerSession: PeerSession, id: string | undefined): void {
  if (id !== undefined) deliver(peerSession, encodeTail('ack', {}, { id }))
}
