/** Checks gzip and tar files, which have no directory: reads them as streams up to a limit. */
import { createReadStream } from 'node:fs'
import { Transform, Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { MIB } from 'larder/kernel'
import { createEntryChecker, exceedsRatio, LIMITS } from '../../domain/archive-entries.ts'
import { startsAsArchive, startsAsTar } from '../../domain/archive-signatures.ts'
import { type ContentInspector, createContentInspector } from '../../domain/content-inspector.ts'
import { rejection } from '../../domain/rejections.ts'
import { createTarReader, isTarHeader } from '../../domain/tar.ts'
import type { Check } from './check.ts'
import { Violation } from './violation.ts'
import { type ArchiveContext, verifyOfficeFile } from './zip.ts'

/** Bytes needed to detect the content of a gzip file. */
const HEAD_BYTES = 512

export const checkGzip: Check = ({ path, size }, signal) =>
  inspect(async () => {
    const head = await inflatedHead(path, signal)
    if (startsAsArchive(head)) throw new Violation('archive_nested')
    const isTar = startsAsTar(head) || isTarHeader(head)
    const inside = isTar ? tarSink(size, signal) : new Writable({ write: (_chunk, _encoding, done) => done() })
    await pipeline(read(path), createGunzip(), capped(size), inside, { signal })
  })

export const checkTar: Check = ({ path, size }, signal) =>
  inspect(() => pipeline(read(path), tarSink(size, signal), { signal }))

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

/** `packed` is the size of the uploaded file in bytes. */
function tarSink(packed: number, signal: AbortSignal): Writable {
  const context: ArchiveContext = { totals: { entries: 0, bytes: 0, packed }, depth: 1, signal }
  const checker = createEntryChecker(context.totals)
  let inspector: ContentInspector | undefined
  let officeFiles: Buffer[] = []

  function finishEntry(): void {
    const content = inspector?.finish()
    inspector = undefined
    if (content === 'nested') throw new Violation('archive_nested')
    if (content) officeFiles.push(content)
  }

  const reader = createTarReader(
    entry => {
      finishEntry()
      const code = checker.add(entry)
      if (code) throw new Violation(code)
      inspector = createContentInspector(entry.name)
    },
    chunk => inspector?.feed(chunk),
  )

  const attempt = async (work: () => void, done: (error?: Error | null) => void) => {
    try {
      work()
      const found = officeFiles
      officeFiles = []
      for (const content of found) await verifyOfficeFile(content, context)
      done()
    } catch (error) {
      done(error as Error)
    }
  }
  const finish = () => {
    reader.end()
    finishEntry()
    const code = checker.finish(packed)
    if (code) throw new Violation(code)
  }
  return new Writable({
    write: (chunk: Buffer, _encoding, done) => void attempt(() => reader.feed(chunk), done),
    final: done => void attempt(finish, done),
  })
}
