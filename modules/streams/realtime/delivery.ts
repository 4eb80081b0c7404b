/** Sends numbered frames to peer sessions. */
import { inEnglish, KIB, type Wording } from '@larder-dev/larder/kernel'
import type { FrameError } from '@larder-dev/larder/kernel/internal'
import { encodeTail, withSequence } from '../domain/frames.ts'
import { append } from '../domain/replay-buffer.ts'
import type { PeerSession } from './types.ts'

/**
 * Numbers and buffers a frame, and sends it if the peer is connected. An early ping lets the peer confirm many buffered
 * frames or bytes.
 * @param isShared whether other peers get the same string.
 */
export function deliver(peerSession: PeerSession, tail: string, isShared = false): void {
  const { buffer, connection } = peerSession
  const seq = append(buffer, tail, isShared)
  if (!connection?.socket.send(withSequence(seq, tail))) return
  const { maxUnconfirmed } = peerSession
  if (!connection.socket.awaitsPong && (buffer.count >= maxUnconfirmed || buffer.bytes >= maxUnconfirmed * KIB))
    connection.socket.ping()
}

/** Answers a frame with an error. The socket stays open. */
export function reject(
  peerSession: PeerSession,
  { code, message, retryable = false }: FrameError & { readonly message: Wording },
  id: string | undefined,
): void {
  const say = peerSession.connection?.socket.peer.say ?? inEnglish
  deliver(peerSession, encodeTail('error', { code, message: say(message), retryable }, { id }))
}

export function acknowledge(peerSession: PeerSession, id: string | undefined): void {
  if (id !== undefined) deliver(peerSession, encodeTail('ack', {}, { id }))
}
