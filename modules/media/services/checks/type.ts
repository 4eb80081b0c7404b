/** Checks the content of a file against its declared type. */
import { readFile } from 'node:fs/promises'
import { KIB, MIB } from 'larder/kernel'
import { endsAsZip, ZIP_TAIL_BYTES } from '../../domain/archive-signatures.ts'
import { canonicalType } from '../../domain/file-types.ts'
import { rejection } from '../../domain/rejections.ts'
import { decode, hasActiveContent, sniffText } from '../../domain/text-sniffing.ts'
import type { Candidate, Check } from './check.ts'
import { readRange } from './read-range.ts'

/** Office files declare their type in their first entry, which can be this long. */
const HEAD_BYTES = 64 * KIB
/** An SVG is read into memory as a whole. */
const MAX_SVG_BYTES = 8 * MIB

export const checkType: Check = async file => {
  const { path, size, type, announced } = file
  const head = await readRange(path, 0, HEAD_BYTES)
  const { fileTypeFromBuffer } = await import('file-type')
  const found = await fileTypeFromBuffer(head)
  const mimeType = found && canonicalType(found.mime)
  if (type.kind === 'text' || type.kind === 'svg') return checkText(file, head, mimeType)
  if (mimeType !== announced.mimeType) return rejection('type_mismatch')
  if (type.kind === 'zip') return undefined
  const tail = await readRange(path, Math.max(0, size - ZIP_TAIL_BYTES), ZIP_TAIL_BYTES)
  return endsAsZip(tail) ? rejection('hidden_archive') : undefined
}

async function checkText({ path, size, type, announced }: Candidate, head: Buffer, mimeType: string | undefined) {
  const textual = mimeType === undefined || mimeType === 'application/xml' || mimeType.startsWith('text/')
  const sniffed = textual ? sniffText(head) : 'binary'
  if (type.kind === 'svg') {
    if (sniffed !== 'svg') return rejection('type_mismatch')
    if (size > MAX_SVG_BYTES) return rejection('image_too_large')
    return hasActiveContent(decode(await readFile(path))) ? rejection('active_content') : undefined
  }
  const wanted = announced.mimeType === 'text/html' ? 'html' : 'text'
  return sniffed === wanted ? undefined : rejection('type_mismatch')
}
