/** Checks gzip and tar files, which have no directory: reads them as streams up to a limit. */
import { createReadStream } from 'node:fs'
import { Transform, Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { MIB } from 'larder/kernel'
import { createEntryChecker, exceedsRatio, LIMITS } from '../../domain/archive-entries.ts'
import { startsAsArchive, startsAsTar } from '../../domain/archive-signatures.ts'
import { type RejectionCode, rejection } from '../../domain/rejections.ts'
import { createTarReader } from '../../domain/tar.ts'
import type { Check } from './check.ts'

/** Bytes needed to detect the content of a gzip file. */
const HEAD_BYTES = 512

/** Ends a stream with a violation. */
class Violation extends Error {
  readonly code: RejectionCode
  constructor(code: RejectionCode) {
    super(code)
    this.code = code
  }
}

export const checkGzip: Check = ({ path, size }, signal) =>
  inspect(async () => {
    const head = await inflatedHead(path, signal)
    if (startsAsArchive(head)) throw new Violation('archive_nested')
    const inside = startsAsTar(head) ? tarSink() : new Writable({ write: (_chunk, _encoding, done) => done() })
    await pipeline(read(path), createGunzip(), capped(size), inside, { signal })
  })

export const checkTar: Check = ({ path }, signal) => inspect(() => pipeline(read(path), tarSink(), { signal }))

const read = (path: string) => createReadStream(path, { highWaterMark: MIB })

async function inspect(work: () => Promise<void>) {
  try {
    await work()
    return undefined
  } catch (error) {
    if (error instanceof Violation) return rejection(error.code)
    const { code = '', syscall } = error as NodeJS.ErrnoException
    const unreadable = error instanceof RangeError || (code.startsWith('Z_') && syscall === undefined)
    if (!unreadable) throw error
    return rejection('archive_unreadable')
  }
}

async function inflatedHead(path: string, signal: AbortSignal): Promise<Buffer> {
  const source = createReadStream(path)
  const inflated = createGunzip()
  source.once('error', error => inflated.destroy(error)).pipe(inflated)
  const chunks: Buffer[] = []
  let size = 0
  try {
    for await (const chunk of inflated) {
      signal.throwIfAborted()
      chunks.push(chunk)
      size += chunk.length
      if (size >= HEAD_BYTES) break
    }
  } finally {
    source.destroy()
  }
  return Buffer.concat(chunks)
}

function capped(packed: number): Transform {
  let size = 0
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      size += chunk.length
      if (size > LIMITS.bytes) return done(new Violation('archive_too_large'))
      return exceedsRatio(size, packed) ? done(new Violation('archive_ratio')) : done(null, chunk)
    },
  })
}

function tarSink(): Writable {
  const checker = createEntryChecker()
  const reader = createTarReader(entry => {
    const code = checker.add(entry)
    if (code) throw new Violation(code)
  })
  const attempt = (work: () => void, done: (error?: Error | null) => void) => {
    try {
      work()
      done()
    } catch (error) {
      done(error as Error)
    }
  }
  return new Writable({
    write: (chunk: Buffer, _encoding, done) => attempt(() => reader.feed(chunk), done),
    final: done => attempt(() => reader.end(), done),
  })
}
