/**
 * Reads a tar stream (POSIX ustar and pax, GNU long names). Header sizes are limited, so memory use is, too. Input that
 * readers interpret differently is invalid.
 */

import { KIB } from 'larder/kernel'

export interface TarEntry {
  readonly name: string
  /** Bytes. */
  readonly size: number
  readonly link: boolean
  /** Neither a file, a directory nor a link: for example a device. */
  readonly special: boolean
}
export interface TarReader {
  /** Throws a RangeError for invalid input. */
  feed(chunk: Buffer): void
  /** Throws a RangeError if the stream ended inside an entry. */
  end(): void
}

const BLOCK_BYTES = 512
const MAX_HEADER_BYTES = 64 * KIB
const METADATA_KINDS = ['x', 'g', 'L', 'K']
const LINK_KINDS = ['1', '2']
const DIRECTORY_KIND = '5'
const ORDINARY_KINDS = ['0', '7', DIRECTORY_KIND, ...LINK_KINDS]
/** Sparse files have a size or a name elsewhere. They are rare, so they are rejected. */
const SPARSE_KIND = 'S'

interface Header {
  readonly name: string
  readonly size: number
  readonly kind: string
}
/** Metadata of the next entry from preceding headers. */
interface Metadata {
  name?: string
  size?: number
}

/** `onContent` gets the content of the latest entry. */
export function createTarReader(
  onEntry: (entry: TarEntry) => void,
  onContent: (chunk: Buffer) => void = () => {},
): TarReader {
  let collected: Buffer[] = []
  let missing = BLOCK_BYTES
  let skip = 0
  /** Bytes of `skip` that are content. The rest is padding. */
  let content = 0
  let meta: { kind: string; size: number } | undefined
  let metadata: Metadata = {}
  let ended = false

  function handleHeader(block: Buffer): void {
    const parsed = parse(block)
    // A block of zeros ends the archive. The rest is padding.
    if (parsed === undefined) ended = true
    else if (METADATA_KINDS.includes(parsed.kind)) {
      if (parsed.size > MAX_HEADER_BYTES) throw new RangeError('a header is too long')
      meta = parsed
      missing = padded(parsed.size)
    } else {
      const { name = parsed.name, size = parsed.size } = metadata
      metadata = {}
      if (parsed.kind === DIRECTORY_KIND && size > 0) throw new RangeError('a directory has content')
      skip = padded(size)
      content = size
      const link = LINK_KINDS.includes(parsed.kind)
      onEntry({ name, size, link, special: !ORDINARY_KINDS.includes(parsed.kind) })
    }
  }

  function handleBlock(bytes: Buffer): void {
    missing = BLOCK_BYTES
    if (meta === undefined) {
      handleHeader(bytes)
      return
    }
    const content = bytes.subarray(0, meta.size)
    if (meta.kind === 'L') metadata.name = upToNul(content)
    if (meta.kind === 'x') metadata = { ...metadata, ...parsePax(content) }
    // Some readers apply these to all entries that follow.
    if (meta.kind === 'g' && Object.keys(parsePax(content)).length > 0) throw new RangeError('a global name or size')
    meta = undefined
  }

  return {
    feed(chunk) {
      for (let at = 0; at < chunk.length; ) {
        if (ended) return assertZeros(chunk.subarray(at))
        const step = Math.min(skip > 0 ? skip : missing, chunk.length - at)
        if (skip > 0) {
          skip -= step
          const bytes = Math.min(step, content)
          content -= bytes
          if (bytes > 0) onContent(chunk.subarray(at, at + bytes))
        } else {
          collected.push(chunk.subarray(at, at + step))
          missing -= step
        }
        at += step
        if (missing > 0 || skip > 0) continue
        const bytes = Buffer.concat(collected)
        collected = []
        handleBlock(bytes)
      }
    },
    end() {
      if (!ended && (skip > 0 || collected.length > 0 || meta !== undefined))
        throw new RangeError('the stream ends inside an entry')
    },
  }
}

/** Some readers look for entries after the end. */
function assertZeros(bytes: Buffer): void {
  if (bytes.some(byte => byte !== 0)) throw new RangeError('data follows the end of the archive')
}

/** Also recognizes headers without the `ustar` signature, by their checksum. */
export function isTarHeader(block: Buffer): boolean {
  try {
    return block.length >= BLOCK_BYTES && parse(block.subarray(0, BLOCK_BYTES)) !== undefined
  } catch {
    return false
  }
}

const padded = (size: number): number => Math.ceil(size / BLOCK_BYTES) * BLOCK_BYTES
const upToNul = (bytes: Buffer): string => bytes.toString('utf8').split('\0', 1)[0] as string

function parse(block: Buffer): Header | undefined {
  if (block.every(byte => byte === 0)) return undefined
  const sum = block.reduce((all, byte, at) => all + (at >= 148 && at < 156 ? 0x20 : byte), 0)
  if (number(block.subarray(148, 156)) !== sum) throw new RangeError('a header is damaged')
  const kind = String.fromCharCode(block[156] || 0x30)
  if (kind === SPARSE_KIND) throw new RangeError('sparse files are not supported')
  const prefix = block.toString('latin1', 257, 263) === 'ustar\0' ? upToNul(block.subarray(345, 500)) : ''
  const name = upToNul(block.subarray(0, 100))
  return { name: prefix === '' ? name : `${prefix}/${name}`, size: number(block.subarray(124, 136)), kind }
}

/** Octal digits, or a binary number if the first bit is set (GNU). */
function number(field: Buffer): number {
  const first = field[0] as number
  const value =
    first & 0x80
      ? field.subarray(1).reduce((all, byte) => all * 256 + byte, first & 0x7f)
      : Number.parseInt(upToNul(field).trim() || '0', 8)
  if (!Number.isSafeInteger(value) || value < 0) throw new RangeError('a number is invalid')
  return value
}

/** Parses records `length key=value\n`. Only `path` and `size` are used. */
function parsePax(content: Buffer): Metadata {
  const metadata: Metadata = {}
  for (let at = 0; at < content.length; ) {
    const space = content.indexOf(0x20, at)
    const length = Number(content.toString('latin1', at, space < 0 ? at : space))
    if (!Number.isSafeInteger(length) || length < 5 || at + length > content.length)
      throw new RangeError('a pax header is damaged')
    const [, key, value = ''] = /^([^=]+)=([\s\S]*)\n$/.exec(content.toString('utf8', space + 1, at + length)) ?? []
    if (key?.startsWith('GNU.sparse.')) throw new RangeError('sparse files are not supported')
    if (key === 'path') metadata.name = value
    if (key === 'size') {
      if (!/^\d{1,15}$/.test(value)) throw new RangeError('a size is invalid')
      metadata.size = Number(value)
    }
    at += length
  }
  return metadata
}
