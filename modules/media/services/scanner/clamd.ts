/** Scans files with clamd over TCP: INSTREAM sends length-prefixed chunks (clamd(8)). */
import { createReadStream } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { KIB } from '@larder-dev/larder/kernel'
import type { ScanVerdict, VirusScanner } from '../../ports.ts'
import { parseReply, tooLarge, unavailable } from './clamd-reply.ts'

export interface ClamdOptions {
  readonly host: string
  readonly port: number
  /** Milliseconds for one scan, including the connection. */
  readonly timeout: number
  /** Larger files are not sent. */
  readonly maxBytes: number
}

const CHUNK_BYTES = 64 * KIB
/** A reply is a single line. */
const MAX_REPLY_BYTES = 4 * KIB

type SendRequest = (socket: Socket) => void | Promise<void>

export function createClamd({ host, port, timeout, maxBytes }: ClamdOptions): VirusScanner {
  const request = (send: SendRequest, signal: AbortSignal) => exchange(connect({ host, port }), send, signal)
  const isReachable = async (signal: AbortSignal) =>
    (await request(socket => void socket.write('zPING\0'), signal)) === 'PONG\0'

  async function scan(path: string, signal: AbortSignal): Promise<ScanVerdict> {
    let sent = false
    const reply = await request(async socket => {
      socket.write('zINSTREAM\0')
      await pipeline(createReadStream(path, { highWaterMark: CHUNK_BYTES }), framed(), socket, { end: false })
      sent = true
    }, signal)
    if (sent || reply !== '') return parseReply(reply)
    // clamd disconnects at its size limit, and the client rarely receives the reply.
    return (await isReachable(signal)) ? tooLarge : unavailable
  }

  return {
    async scan({ path, size }, signal) {
      if (size > maxBytes) return tooLarge
      const verdict = await scan(path, AbortSignal.any([signal, AbortSignal.timeout(timeout)]))
      signal.throwIfAborted()
      return verdict
    },
  }
}

/** Returns everything received until a NUL, the end of the connection, or an abort. */
function exchange(socket: Socket, send: SendRequest, signal: AbortSignal): Promise<string> {
  return new Promise(resolve => {
    let reply = ''
    const settle = () => {
      signal.removeEventListener('abort', settle)
      socket.destroy()
      resolve(reply)
    }
    if (signal.aborted) return settle()
    signal.addEventListener('abort', settle)
    // A reply that was received before a write error still counts.
    socket.on('error', () => undefined)
    socket.once('close', settle)
    socket.on('data', (bytes: Buffer) => {
      reply += bytes.toString('latin1')
      if (reply.includes('\0') || reply.length > MAX_REPLY_BYTES) settle()
    })
    socket.once('connect', () => {
      Promise.resolve(send(socket)).catch(settle)
    })
    return undefined
  })
}

function framed(): Transform {
  const length = (bytes: number) => {
    const head = Buffer.alloc(4)
    head.writeUInt32BE(bytes)
    return head
  }
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      this.push(length(chunk.length))
      done(null, chunk)
    },
    flush: done => done(null, length(0)),
  })
}
