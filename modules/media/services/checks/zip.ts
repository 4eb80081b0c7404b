/** A ZIP, by its central directory alone: nothing is unpacked. */
import type { Entry } from 'yauzl'
import { type ArchiveEntry, createLedger, LIMITS } from '../../domain/archive-entries.ts'
import { type RejectionCode, rejection } from '../../domain/rejections.ts'
import { openWindow, type Window } from './buffered-reader.ts'
import type { Check } from './check.ts'

/** As Node's `read` calls back. */
type Done = (error: Error | null, bytes?: number) => void

/** Of an entry's header in front of its bytes, without its name. */
const LOCAL_HEADER = 30
const LINK = 0o120000
const KIND = 0o170000

export const checkZip: Check = async ({ path, size }, signal) => {
  const window = await openWindow(path)
  try {
    const code = await look(window, size, signal)
    return code && rejection(code)
  } catch (error) {
    signal.throwIfAborted()
    if (isOurs(error)) throw error
    return rejection('archive_unreadable')
  } finally {
    await window.close()
  }
}

async function look(window: Window, size: number, signal: AbortSignal): Promise<RejectionCode | undefined> {
  const yauzl = (await import('yauzl')).default
  class Reader extends yauzl.RandomAccessReader {
    override read(buffer: Buffer, offset: number, length: number, position: number, done: Done) {
      window.read(buffer, offset, length, position).then(bytes => done(null, bytes), done)
    }
  }
  const options = { lazyEntries: true, decodeStrings: false, autoClose: false }
  const zip = await yauzl.fromRandomAccessReaderPromise(new Reader(), size, options)
  if (zip.entryCount > LIMITS.entries) return 'archive_too_many_entries'
  const ledger = createLedger()
  for await (const entry of zip.eachEntry()) {
    const code = ledger.add(entryOf(entry, yauzl.getFileNameLowLevel))
    if (code) return code
    signal.throwIfAborted()
  }
  return ledger.close(size)
}

/** yauzl throws bare errors for what is wrong with the file; those of the system have a code. */
const isOurs = (error: unknown): boolean => (error as NodeJS.ErrnoException).syscall !== undefined

function entryOf(entry: Entry, decodeName: typeof import('yauzl').getFileNameLowLevel): ArchiveEntry {
  const { generalPurposeBitFlag, fileNameRaw, extraFields, relativeOffsetOfLocalHeader: from } = entry
  return {
    name: decodeName(generalPurposeBitFlag, fileNameRaw, extraFields, true),
    size: entry.uncompressedSize,
    link: ((entry.externalFileAttributes >>> 16) & KIND) === LINK,
    range: { from, to: from + LOCAL_HEADER + fileNameRaw.length + entry.compressedSize },
  }
}
