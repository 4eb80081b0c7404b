/** Checks the content of a file against its declared type. */
import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import type { TextDecoder } from 'node:util'
import { KIB, MIB } from '@larder-dev/larder/kernel'
import { endsAsZip, ZIP_TAIL_BYTES } from '../../domain/archive-signatures.ts'
import { canonicalType } from '../../domain/file-types.ts'
import { type Rejection, rejection } from '../../domain/rejections.ts'
import { createSvgInspector } from '../../domain/svg-inspector.ts'
import { decoderFor, isMarkedUtf16, sniffText, strictDecoderFor } from '../../domain/text-sniffing.ts'
import type { Candidate, Check } from './check.ts'

/** Reads `length` bytes from offset `from`, or fewer at the end of the file. */
async function readRange(path: string, from: number, length: number): Promise<Buffer> {
  const file = await open(path)
  try {
    const buffer = Buffer.alloc(length)
    const { bytesRead } = await file.read(buffer, 0, length, from)
    return buffer.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}

/** Office files declare their type in their first entry, which can be this long. */
const HEAD_BYTES = 64 * KIB
/** An SVG is parsed in this process. */
const MAX_SVG_BYTES = 8 * MIB

/** A manifest among the files of a ZIP: Java's `jar` adds one to every archive. */
const ZIP_TYPES: readonly string[] = ['application/java-archive', 'application/x-xpinstall']

export const checkType: Check = async (file, signal) => {
  const { path, size, type, announced } = file
  const head = await readRange(path, 0, HEAD_BYTES)
  const { fileTypeFromBuffer } = await import('file-type')
  const isPdf = announced.mimeType === 'application/pdf'
  const found = (await fileTypeFromBuffer(head)) ?? (isPdf ? await fileTypeFromBuffer(pdfIn(head)) : undefined)
  const mimeType = found && (ZIP_TYPES.includes(found.mime) ? 'application/zip' : canonicalType(found.mime))
  if (type.kind === 'text' || type.kind === 'svg') return checkText(file, head, mimeType, signal)
  if (mimeType !== announced.mimeType) return rejection('type_mismatch')
  if (type.kind === 'zip') return undefined
  const tail = await readRange(path, Math.max(0, size - ZIP_TAIL_BYTES), ZIP_TAIL_BYTES)
  return endsAsZip(tail) ? rejection('hidden_archive') : undefined
}

const PDF_SIGNATURE = '%PDF-'
/** Readers look for the signature within these bytes (PDF 1.7, annex H, note 13). */
const PDF_HEAD_BYTES = 1 * KIB

/** The PDF that begins after other bytes, such as a line break or a header of a mail. Empty if there is none. */
function pdfIn(head: Buffer): Buffer {
  const at = head.subarray(0, PDF_HEAD_BYTES).indexOf(PDF_SIGNATURE, 0, 'latin1')
  return at < 0 || sniffText(head.subarray(0, at)) === 'html' ? Buffer.alloc(0) : head.subarray(at)
}

async function checkText(
  { path, size, type, announced }: Candidate,
  head: Buffer,
  mimeType: string | undefined,
  signal: AbortSignal,
) {
  // The byte order mark of UTF-16 is taken for the start of an MPEG file.
  const textual =
    isMarkedUtf16(head) || mimeType === undefined || mimeType === 'application/xml' || mimeType.startsWith('text/')
  const sniffed = textual ? sniffText(head) : 'binary'
  if (type.kind === 'svg') {
    if (sniffed !== 'svg') return rejection('type_mismatch')
    if (size > MAX_SVG_BYTES) return rejection('image_too_large')
    return inspectSvg(path, decoderFor(head), signal)
  }
  const wanted = announced.mimeType === 'text/html' ? 'html' : 'text'
  if (sniffed !== wanted) return rejection('type_mismatch')
  // HTML and XML can name another encoding.
  const isFree = announced.mimeType === 'text/html' || announced.mimeType.endsWith('xml')
  return isFree || (await isWellEncoded(path, head, signal)) ? undefined : rejection('encoding_unsupported')
}

async function isWellEncoded(path: string, head: Buffer, signal: AbortSignal): Promise<boolean> {
  const decoder = strictDecoderFor(head)
  const chunks = createReadStream(path, { highWaterMark: HEAD_BYTES, signal }) as AsyncIterable<Buffer>
  for await (const chunk of chunks) if (!decodes(decoder, chunk)) return false
  return decodes(decoder, undefined)
}

function decodes(decoder: TextDecoder, chunk: Buffer | undefined): boolean {
  try {
    decoder.decode(chunk, { stream: chunk !== undefined })
    return true
  } catch {
    // The bytes aren't text of this encoding.
    return false
  }
}

/** Other work runs between the chunks. */
async function inspectSvg(path: string, decoder: TextDecoder, signal: AbortSignal): Promise<Rejection | undefined> {
  const inspector = createSvgInspector()
  for await (const chunk of createReadStream(path, { highWaterMark: HEAD_BYTES, signal })) {
    const violation = inspector.feed(decoder.decode(chunk, { stream: true }))
    if (violation) return rejection(violation.code, violation.reason)
  }
  const violation = inspector.feed(decoder.decode()) ?? inspector.finish()
  return violation && rejection(violation.code, violation.reason)
}
