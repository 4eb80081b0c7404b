/** Checks a ZIP by its central directory, without unpacking. */
import type { Entry } from 'yauzl'
import { type ArchiveEntry, createEntryChecker, LIMITS } from '../../domain/archive-entries.ts'
import { type RejectionCode, rejection } from '../../domain/rejections.ts'
import { type BufferedReader, openBufferedReader } from './buffered-reader.ts'
import type { Check } from './check.ts'

/** Callback of Node's `read`. */
type Done = (error: Error | null, bytes?: number) => void

/** Bytes of a local file header without the name. */
const LOCAL_HEADER_BYTES = 30
/** File type bits of a Unix mode. */
const MODE_LINK = 0o120000
const MODE_TYPE_MASK = 0o170000

export const checkZip: Check = async ({ path, size }, signal) => {
  const reader = await openBufferedReader(path)
  try {
    const code = await inspect(reader, size, signal)
    return code && rejection(code)
  } catch (error) {
    signal.throwIfAborted()
    if (isSystemError(error)) throw error
    return rejection('archive_unreadable')
  } finally {
    await reader.close()
  }
}

async function inspect(reader: BufferedReader, size: number, signal: AbortSignal): Promise<RejectionCode | undefined> {
  const yauzl = (await import('yauzl')).default
  class ZipReader extends yauzl.RandomAccessReader {
    override read(buffer: Buffer, offset: number, length: number, position: number, done: Done) {
      reader.read(buffer, offset, length, position).then(bytes => done(null, bytes), done)
    }
  }
  const options = { lazyEntries: true, decodeStrings: false, autoClose: false }
  const zip = await yauzl.fromRandomAccessReaderPromise(new ZipReader(), size, options)
  if (zip.entryCount > LIMITS.entries) return 'archive_too_many_entries'
  const checker = createEntryChecker()
  for await (const entry of zip.eachEntry()) {
    const code = checker.add(entryOf(entry, yauzl.getFileNameLowLevel))
    if (code) return code
    signal.throwIfAborted()
  }
  return checker.finish(size)
}

/** yauzl throws plain errors for invalid files. Errors of the system have a `syscall`. */
const isSystemError = (error: unknown): boolean => (error as NodeJS.ErrnoException).syscall !== undefined

function entryOf(entry: Entry, decodeName: typeof import('yauzl').getFileNameLowLevel): ArchiveEntry {
  const { generalPurposeBitFlag, fileNameRaw, extraFields, relativeOffsetOfLocalHeader: from } = entry
  return {
    name: decodeName(generalPurposeBitFlag, fileNameRaw, extraFields, true),
    size: entry.uncompressedSize,
    link: ((entry.externalFileAttributes >>> 16) & MODE_TYPE_MASK) === MODE_LINK,
    range: { from, to: from + LOCAL_HEADER_BYTES + fileNameRaw.length + entry.compressedSize },
  }
}
