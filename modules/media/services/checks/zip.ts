/**
 * Checks a ZIP by its central directory, then compares the directory with the local headers and the content. Readers
 * disagree on which of the three counts, so a difference is a rejection.
 */
import type { Entry, ZipFile } from 'yauzl'
import {
  type ArchiveEntry,
  type ArchiveTotals,
  createEntryChecker,
  isUnsafePath,
  LIMITS,
} from '../../domain/archive-entries.ts'
import { rejection } from '../../domain/rejections.ts'
import { type ByteSource, openBufferedReader, sourceOfBuffer } from './buffered-reader.ts'
import type { Check } from './check.ts'
import { Violation } from './violation.ts'
import { ENCRYPTED_FLAG, verifyContent } from './zip-content.ts'

/** Callback of Node's `read`. */
type Done = (error: Error | null, bytes?: number) => void
type Yauzl = typeof import('yauzl')

/** Bytes of a local file header without the name. */
const LOCAL_HEADER_BYTES = 30
/** Bytes of the end record without the comment, and of the records that precede it in ZIP64. */
const END_RECORD_BYTES = 22
const LOCATOR_BYTES = 20
const ZIP64_END_RECORD_BYTES = 56
const LOCATOR_SIGNATURE = 0x07064b50
/** File type bits of a Unix mode. Zero: the archive has no Unix modes. */
const MODE_TYPE_MASK = 0o170000
const MODE_LINK = 0o120000
/** `zip` marks content from its standard input as a pipe. Readers extract it as a file. */
const MODE_PIPE = 0o010000
const ORDINARY_MODES = [0, 0o040000, 0o100000, MODE_PIPE]
/** A ZIP with an office file with an embedded office file. */
const MAX_DEPTH = 3

interface ArchiveContext {
  /** Shared by the archive and the office files in it. */
  readonly totals: ArchiveTotals
  /** 1: the uploaded file. */
  readonly depth: number
  readonly signal: AbortSignal
}

export const checkZip: Check = async ({ path, size }, signal) => {
  const reader = await openBufferedReader(path)
  try {
    await verifyZip(reader, size, { totals: { entries: 0, bytes: 0, packed: size }, depth: 1, signal })
    return undefined
  } catch (error) {
    if (error instanceof Violation) return rejection(error.code)
    throw error
  } finally {
    await reader.close()
  }
}

/** Checks an office file in an archive. */
function verifyOfficeFile(content: Buffer, parent: ArchiveContext): Promise<void> {
  const depth = parent.depth + 1
  if (depth > MAX_DEPTH) throw new Violation('archive_nested')
  return verifyZip(sourceOfBuffer(content), content.length, { ...parent, depth })
}

/** Throws a Violation, or errors of the system. */
async function verifyZip(source: ByteSource, size: number, context: ArchiveContext): Promise<void> {
  try {
    await verify(source, size, context)
  } catch (error) {
    context.signal.throwIfAborted()
    if (error instanceof Violation || isSystemError(error)) throw error
    throw new Violation('archive_unreadable')
  }
}

/** yauzl and zlib throw plain errors for invalid files. Errors of the system have a `syscall`. */
const isSystemError = (error: unknown): boolean => (error as NodeJS.ErrnoException).syscall !== undefined

async function verify(source: ByteSource, size: number, context: ArchiveContext): Promise<void> {
  const yauzl = (await import('yauzl')).default
  class ZipReader extends yauzl.RandomAccessReader {
    override read(buffer: Buffer, offset: number, length: number, position: number, done: Done) {
      source.read(buffer, offset, length, position).then(bytes => done(null, bytes), done)
    }
  }
  const options = { lazyEntries: true, decodeStrings: false, autoClose: false }
  const zip = await yauzl.fromRandomAccessReaderPromise(new ZipReader(), size, options)
  const directoryStart = await directoryOffset(source, size - END_RECORD_BYTES - zip.comment.length)
  const entries = await readDirectory(yauzl, zip, size, context)
  let position = 0
  for (const entry of entries.sort((a, b) => a.relativeOffsetOfLocalHeader - b.relativeOffsetOfLocalHeader)) {
    context.signal.throwIfAborted()
    // Bytes between entries can contain entries that are not in the directory.
    if (entry.relativeOffsetOfLocalHeader !== position) throw new Violation('archive_mismatch')
    const verified = await verifyContent(yauzl, { zip, entry, source }, context.signal)
    if (verified.content === 'nested') throw new Violation('archive_nested')
    if (verified.content) await verifyOfficeFile(verified.content, context)
    position = verified.end
  }
  if (position !== directoryStart) throw new Violation('archive_mismatch')
}

/** @param end offset of the end record, which names the start of the central directory. ZIP64 has a record of its own. */
async function directoryOffset(source: ByteSource, end: number): Promise<number> {
  const readAt = async (position: number, length: number) => {
    const bytes = Buffer.alloc(length)
    await source.read(bytes, 0, length, position)
    return bytes
  }
  const locator = end < LOCATOR_BYTES ? undefined : await readAt(end - LOCATOR_BYTES, LOCATOR_BYTES)
  if (locator?.readUInt32LE(0) !== LOCATOR_SIGNATURE) return (await readAt(end, END_RECORD_BYTES)).readUInt32LE(16)
  const record = await readAt(Number(locator.readBigUInt64LE(8)), ZIP64_END_RECORD_BYTES)
  return Number(record.readBigUInt64LE(48))
}

/** Checks the entries as the central directory describes them, before anything is inflated. */
async function readDirectory(yauzl: Yauzl, zip: ZipFile, size: number, context: ArchiveContext): Promise<Entry[]> {
  if (zip.entryCount > LIMITS.entries) throw new Violation('archive_too_many_entries')
  const checker = createEntryChecker(context.totals)
  const entries: Entry[] = []
  for await (const entry of zip.eachEntry()) {
    const code = checker.add(entryOf(entry, yauzl))
    if (code) throw new Violation(code)
    if ((entry.generalPurposeBitFlag & ENCRYPTED_FLAG) !== 0) throw new Violation('archive_unsupported')
    // Some readers ignore the extra field with the name in Unicode.
    const plainName = yauzl.getFileNameLowLevel(entry.generalPurposeBitFlag, entry.fileNameRaw, [], true)
    if (isUnsafePath(plainName)) throw new Violation('archive_unsafe_path')
    entries.push(entry)
    context.signal.throwIfAborted()
  }
  const code = checker.finish(size)
  if (code) throw new Violation(code)
  return entries
}

function entryOf(entry: Entry, yauzl: Yauzl): ArchiveEntry {
  const { generalPurposeBitFlag, fileNameRaw, extraFields, relativeOffsetOfLocalHeader: from } = entry
  const mode = (entry.externalFileAttributes >>> 16) & MODE_TYPE_MASK
  return {
    name: yauzl.getFileNameLowLevel(generalPurposeBitFlag, fileNameRaw, extraFields, true),
    size: entry.uncompressedSize,
    link: mode === MODE_LINK,
    special: mode !== MODE_LINK && !ORDINARY_MODES.includes(mode),
    range: { from, to: from + LOCAL_HEADER_BYTES + fileNameRaw.length + entry.compressedSize },
  }
}
