/** Streams a request body to a file and limits its size and duration. */
import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { type Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { formatSize, Problem } from '@larder-dev/larder/kernel'
import { isTooSlow } from '../../domain/minimum-throughput.ts'
import { problems } from '../../problems.ts'
import { withDiskErrors } from './disk-errors.ts'

export interface Received {
  /** Bytes. */
  readonly size: number
  /** Hexadecimal. Undefined without `hash`. */
  readonly sha256: string | undefined
}
export interface ReceiveOptions {
  /** Maximum bytes. */
  readonly limit: number
  readonly hash: boolean
}

/**
 * Writes the body to a new file and deletes it after an error. Throws `file_too_large`, `too_slow`, `upload_incomplete`
 * or `storage_full`.
 */
export async function receive(body: Readable, path: string, options: ReceiveOptions): Promise<Received> {
  const hash = options.hash ? createHash('sha256') : undefined
  const started = performance.now()
  let size = 0
  const meter = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      size += chunk.length
      hash?.update(chunk)
      if (size > options.limit) return done(problems.file_too_large({ limit: formatSize(options.limit) }))
      return isTooSlow(size, performance.now() - started) ? done(problems.too_slow()) : done(null, chunk)
    },
  })
  // Flushed, so that a confirmed upload survives a power failure.
  const file = createWriteStream(path, { mode: 0o600, flush: true })
  const closed = new Promise<void>(resolve => file.once('close', () => resolve()))
  try {
    await withDiskErrors(() => pipeline(body, meter, file))
  } catch (error) {
    // A file that is still being opened would be created after its removal.
    await closed
    await rm(path, { force: true })
    throw Problem.is(error) || !isDisconnect(error) ? error : problems.upload_incomplete()
  }
  return { size, sha256: hash?.digest('hex') }
}

const DISCONNECT_CODES = ['ERR_STREAM_PREMATURE_CLOSE', 'ECONNRESET', 'ECONNABORTED', 'EPIPE', 'ABORT_ERR']
const isDisconnect = (error: unknown): boolean => DISCONNECT_CODES.includes((error as NodeJS.ErrnoException).code ?? '')
