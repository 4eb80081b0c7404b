/** gzip and tar, which have no table of contents: read through under a cap, and written nowhere. */

import { createReadStream } from 'node:fs'
import { Transform, Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { MIB } from 'larder/kernel'
import { createLedger, isRatioOver, LIMITS } from '../../domain/archive-entries.ts'
import { beginsAsArchive, beginsAsTar } from '../../domain/archive-signatures.ts'
import { type RejectionCode, rejection } from '../../domain/rejections.ts'
import { createTarReader } from '../../domain/tar.ts'
import type { Check } from './check.ts'

/** Bytes that tell what is inside a gzip file. */
const HEAD = 512

/** Ends a stream early with what was found. */
class Found extends Error {
  readonly code: RejectionCode
  constructor(code: RejectionCode) {
    super(code)
    this.code = code
  }
}

export const checkGzip: Check = ({ path, size }, signal) =>
  look(async () => {
    const head = await inflatedHead(path, signal)
    if (beginsAsArchive(head)) throw new Found('archive_nested')
    const inside = beginsAsTar(head) ? tarSink() : new Writable({ write: (_chunk, _encoding, done) => done() })
    await pipeline(read(path), createGunzip(), capped(size), inside, { signal })
  })

export const checkTar: Check = ({ path }, signal) => look(() => pipeline(read(path), tarSink(), { signal }))

const read = (path: string) => createReadStream(path, { highWaterMark: MIB })

async function look(work: () => Promise<void>) {
  try {
    await work()
    return undefined
  } catch (error) {
    if (error instanceof Found) return rejection(error.code)
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
      if (size >= HEAD) break
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
      if (size > LIMITS.bytes) return done(new Found('archive_too_large'))
      return isRatioOver(size, packed) ? done(new Found('archive_ratio')) : done(null, chunk)
    },
  })
}

function tarSink(): Writable {
  const ledger = createLedger()
  const reader = createTarReader(entry => {
    const code = ledger.add(entry)
    if (code) throw new Found(code)
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
