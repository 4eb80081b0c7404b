/** Compares an entry of a ZIP with its local header and inflates its content (APPNOTE.TXT 4.3.7 to 4.3.9). */
import { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { crc32, createInflateRaw } from 'node:zlib'
import { KIB } from '@larder-dev/larder/kernel'
import type { Entry, LocalFileHeader, ZipFile } from 'yauzl'
import { type ContentInspector, createContentInspector } from '../../domain/content-inspector.ts'
import type { ByteSource } from './buffered-reader.ts'
import { Violation } from './violation.ts'

type Yauzl = typeof import('yauzl')

export const ENCRYPTED_FLAG = 0x1
/** The sizes and the checksum follow the content. */
const DESCRIPTOR_FLAG = 0x8
const STORED = 0
const DEFLATED = 8
/** Stands for a size in the ZIP64 extra field. */
const IN_EXTRA_FIELD = 0xffffffff
const ZIP64_FIELD = 0x0001
const DESCRIPTOR_SIGNATURE = Buffer.from('PK\u0007\u0008', 'latin1')
const MAX_DESCRIPTOR_BYTES = 24
const MIN_CHUNK_BYTES = 1 * KIB
const MAX_CHUNK_BYTES = 256 * KIB

export interface VerifiedContent {
  /** Offset of the first byte after the entry. */
  readonly end: number
  readonly content: ReturnType<ContentInspector['finish']>
}
interface EntryAccess {
  readonly zip: ZipFile
  readonly entry: Entry
  readonly source: ByteSource
}

/** Throws a Violation, or plain errors for invalid content. */
export async function verifyContent(
  yauzl: Yauzl,
  { zip, entry, source }: EntryAccess,
  signal: AbortSignal,
): Promise<VerifiedContent> {
  const local = await zip.readLocalFileHeaderPromise(entry)
  if (!describesSameEntry(yauzl, local, entry)) throw new Violation('archive_mismatch')
  const inspector = createContentInspector(entry.fileNameRaw.toString('latin1'))
  await inflate(entry, readChunks(source, local.fileDataStart, entry.compressedSize), inspector, signal)
  const end = local.fileDataStart + entry.compressedSize
  const trailer = hasDescriptor(local) ? await descriptorBytes(source, entry, end) : 0
  return { end: end + trailer, content: inspector.finish() }
}

const hasDescriptor = (local: LocalFileHeader): boolean => (local.generalPurposeBitFlag & DESCRIPTOR_FLAG) !== 0

function describesSameEntry(yauzl: Yauzl, local: LocalFileHeader, entry: Entry): boolean {
  const localFields = yauzl.parseExtraFields(local.extraField)
  const decode = yauzl.getFileNameLowLevel
  const localName = decode(local.generalPurposeBitFlag, local.fileName, localFields, true)
  const name = decode(entry.generalPurposeBitFlag, entry.fileNameRaw, entry.extraFields, true)
  const zip64 = localFields.find(({ id }) => id === ZIP64_FIELD)?.data ?? Buffer.alloc(0)
  let used = 0
  const resolve = (size: number): number => {
    if (size !== IN_EXTRA_FIELD || zip64.length < used + 8) return size
    used += 8
    return Number(zip64.readBigUInt64LE(used - 8))
  }
  // The extra field has the uncompressed size first.
  const size = resolve(local.uncompressedSize)
  const compressedSize = resolve(local.compressedSize)
  const equals = (value: number, wanted: number) => value === wanted || (hasDescriptor(local) && value === 0)
  return (
    localName === name &&
    local.fileName.equals(entry.fileNameRaw) &&
    local.compressionMethod === entry.compressionMethod &&
    (local.generalPurposeBitFlag & ENCRYPTED_FLAG) === 0 &&
    equals(local.crc32, entry.crc32) &&
    equals(size, entry.uncompressedSize) &&
    equals(compressedSize, entry.compressedSize)
  )
}

/** Inflates at most the declared size. The sizes must match exactly. */
async function inflate(
  entry: Entry,
  chunks: AsyncIterable<Buffer>,
  inspector: ContentInspector,
  signal: AbortSignal,
): Promise<void> {
  let size = 0
  let checksum = 0
  const sink = new Writable({
    write(chunk: Buffer, _encoding, done) {
      size += chunk.length
      if (size > entry.uncompressedSize) return done(new Violation('archive_mismatch'))
      checksum = crc32(chunk, checksum)
      inspector.feed(chunk)
      done()
    },
  })
  if (entry.compressionMethod === STORED) await pipeline(chunks, sink, { signal })
  else if (entry.compressionMethod === DEFLATED) {
    const chunkSize = Math.min(Math.max(entry.uncompressedSize, MIN_CHUNK_BYTES), MAX_CHUNK_BYTES)
    const inflated = createInflateRaw({ chunkSize })
    await pipeline(chunks, inflated, sink, { signal })
    // zlib ignores bytes after the end of the data.
    if (inflated.bytesWritten !== entry.compressedSize) throw new Violation('archive_mismatch')
  } else throw new Violation('archive_unsupported')
  if (size !== entry.uncompressedSize) throw new Violation('archive_mismatch')
  if (checksum !== entry.crc32) throw new Violation('archive_unreadable')
}

async function* readChunks(source: ByteSource, from: number, length: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < length; ) {
    const chunk = await readFully(source, from + at, Math.min(MAX_CHUNK_BYTES, length - at))
    if (chunk.length === 0) throw new RangeError('the content ends too early')
    at += chunk.length
    yield chunk
  }
}

async function readFully(source: ByteSource, from: number, length: number): Promise<Buffer> {
  const buffer = Buffer.alloc(length)
  return buffer.subarray(0, await source.read(buffer, 0, length, from))
}

/** Returns 0 if no descriptor follows. The signature is optional, and ZIP64 writers use 8 bytes for each size. */
async function descriptorBytes(source: ByteSource, entry: Entry, from: number): Promise<number> {
  const found = await readFully(source, from, MAX_DESCRIPTOR_BYTES)
  for (const wide of [false, true]) {
    const fields = Buffer.alloc(wide ? 20 : 12)
    fields.writeUInt32LE(entry.crc32, 0)
    for (const [at, value] of [entry.compressedSize, entry.uncompressedSize].entries()) {
      if (wide) fields.writeBigUInt64LE(BigInt(value), 4 + 8 * at)
      else fields.writeUInt32LE(value, 4 + 4 * at)
    }
    for (const candidate of [Buffer.concat([DESCRIPTOR_SIGNATURE, fields]), fields])
      if (found.subarray(0, candidate.length).equals(candidate)) return candidate.length
  }
  return 0
}
