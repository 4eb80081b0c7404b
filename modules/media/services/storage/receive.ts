/** A body on its way to the disk: counted, hashed and timed, in constant memory. */

import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { type Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { Problem } from 'larder/kernel'
import { isTooSlow } from '../../domain/minimum-throughput.ts'
import { problems } from '../../problems.ts'
import { fromDisk } from './disk-errors.ts'

export interface Received {
  /** Bytes. */
  readonly size: number
  /** Hexadecimal; undefined where it was not asked for. */
  readonly sha256: string | undefined
}
export interface ReceiveOptions {
  /** Bytes; one more is `file_too_large`. */
  readonly limit: number
  readonly hash: boolean
}

/**
 * Writes the body to a new file, which is gone again after an error. Throws `file_too_large`, `too_slow`,
 * `upload_incomplete`, `storage_full`.
 */
export async function receive(body: Readable, path: string, options: ReceiveOptions): Promise<Received> {
  const hash = options.hash ? createHash('sha256') : undefined
  const started = performance.now()
  let size = 0
  const meter = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      size += chunk.length
      hash?.update(chunk)
      if (size > options.limit) return done(problems.file_too_large({ limit: options.limit }))
      return isTooSlow(size, performance.now() - started) ? done(problems.too_slow()) : done(null, chunk)
    },
  })
  try {
    // Flushed: what is told to be stored survives a power cut.
    await fromDisk(() => pipeline(body, meter, createWriteStream(path, { mode: 0o600, flush: true })))
  } catch (error) {
    await rm(path, { force: true })
    throw Problem.is(error) || !isCut(error) ? error : problems.upload_incomplete()
  }
  return { size, sha256: hash?.digest('hex') }
}

const CUT = ['ERR_STREAM_PREMATURE_CLOSE', 'ECONNRESET', 'ECONNABORTED', 'EPIPE', 'ABORT_ERR']
const isCut = (error: unknown): boolean => CUT.includes((error as NodeJS.ErrnoException).code ?? '')
