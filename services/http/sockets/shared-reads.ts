/**
 * Reads of all sockets into one buffer. Node allocates an `ArrayBuffer` for each read otherwise, and all sockets of the
 * process wait while a collection frees thousands of them. See docs/decisions/0048-socket-reads.md.
 */
import { Socket, type SocketConstructorOpts } from 'node:net'
import type { Duplex } from 'node:stream'
import { KIB } from 'larder/kernel'
import { beginRead, endRead } from './send-queue.ts'
import { TextFrameReader } from './text-frame-reader.ts'

const received = Buffer.allocUnsafeSlow(64 * KIB)

/** The connection of a WebSocket. */
export interface UpgradedStream {
  /** Emits `data` for the frames that the reader doesn't handle. */
  readonly stream: Duplex
  /** Bytes received so far. */
  readonly head: Buffer
  /** Undefined if all frames are emitted as `data`. */
  readonly reader: TextFrameReader | undefined
}

/** Not part of the types of Node. */
interface HandleOwner {
  _handle?: object | null
}

/**
 * Moves the connection of an upgrade request to a new stream, because Node accepts a buffer for reads (`onread`) in the
 * constructor only. The caller attaches its listeners at once. Connections other than TCP sockets stay as they are.
 */
export function shareReads(upgraded: Duplex, head: Buffer, maxPayload: number): UpgradedStream {
  const { _handle: handle } = upgraded as HandleOwner
  if (!(upgraded instanceof Socket) || upgraded.constructor !== Socket || !handle || upgraded.readableEnded)
    return { stream: upgraded, head, reader: undefined }
  // Node looks it up only while the socket has its handle.
  void upgraded.remoteAddress
  const early: Buffer | null = upgraded.read()
  upgraded.setTimeout(0)
  ;(upgraded as HandleOwner)._handle = null
  const reader = new TextFrameReader(maxPayload)
  const callback = (size: number) => {
    beginRead()
    try {
      const rest = reader.read(received, size)
      if (rest < size) stream.emit('data', Buffer.copyBytesFrom(received, rest, size - rest))
    } finally {
      endRead()
    }
    return true
  }
  const options: SocketConstructorOpts & { handle: object; pauseOnCreate: boolean } = {
    handle,
    allowHalfOpen: true,
    // Reading starts again with `resume`, also if the end of the stream has been read already.
    pauseOnCreate: true,
    onread: { buffer: received, callback },
  }
  const stream = new Socket(options)
  stream.resume()
  stream.once('close', () => upgraded.destroy())
  const all = early ? Buffer.concat([head, early]) : head
  reader.skip(all, 0, all.length)
  return { stream, head: all, reader }
}
