/** ClamAV's daemon over TCP: INSTREAM, the file in chunks, each behind its length (clamd(8)). */

import { createReadStream } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { KIB } from 'larder/kernel'
import type { ScanVerdict, VirusScanner } from '../../ports.ts'
import { tooLarge, unavailable, verdictOf } from './clamd-reply.ts'

export interface ClamdOptions {
  readonly host: string
  readonly port: number
  /** Milliseconds of one scan, the connection included. */
  readonly timeout: number
  /** Bytes; larger files are not sent. */
  readonly maxBytes: number
}

const CHUNK = 64 * KIB
/** Bytes of an answer; clamd's are a line. */
const LONGEST_REPLY = 4 * KIB

type Say = (socket: Socket) => void | Promise<void>

export function createClamd({ host, port, timeout, maxBytes }: ClamdOptions): VirusScanner {
  const ask = (say: Say, signal: AbortSignal) => converse(connect({ host, port }), say, signal)
  const isThere = async (signal: AbortSignal) =>
    (await ask(socket => void socket.write('zPING\0'), signal)) === 'PONG\0'

  async function scan(path: string, signal: AbortSignal): Promise<ScanVerdict> {
    let sent = false
    const reply = await ask(async socket => {
      socket.write('zINSTREAM\0')
      await pipeline(createReadStream(path, { highWaterMark: CHUNK }), framed(), socket, { end: false })
      sent = true
    }, signal)
    if (sent || reply !== '') return verdictOf(reply)
    // At its limit clamd says so and hangs up, which whoever is still writing seldom hears.
    return (await isThere(signal)) ? tooLarge : unavailable
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

/** All that came until a NUL, the end of the connection or of the wait. */
function converse(socket: Socket, say: Say, signal: AbortSignal): Promise<string> {
  return new Promise(resolve => {
    let reply = ''
    const settle = () => {
      signal.removeEventListener('abort', settle)
      socket.destroy()
      resolve(reply)
    }
    if (signal.aborted) return settle()
    signal.addEventListener('abort', settle)
    // What was said before counts, also where our own writing failed over it.
    socket.on('error', () => undefined)
    socket.once('close', settle)
    socket.on('data', (bytes: Buffer) => {
      reply += bytes.toString('latin1')
      if (reply.includes('\0') || reply.length > LONGEST_REPLY) settle()
    })
    socket.once('connect', () => {
      Promise.resolve(say(socket)).catch(settle)
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
