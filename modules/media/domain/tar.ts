/**
 * Reads the headers of a tar stream (POSIX ustar and pax, GNU long names) and none of its files. What describes an
 * entry is bounded: a name of a gigabyte never stands in memory. Pure.
 */

import { KIB } from 'larder/kernel'
export interface TarEntry {
  readonly name: string
  /** Bytes. */
  readonly size: number
  readonly link: boolean
}
export interface TarReader {
  /** Throws a RangeError on what is no tar. */
  feed(chunk: Buffer): void
  /** Throws a RangeError where the stream ended inside an entry. */
  end(): void
}

const BLOCK = 512
const LONGEST_NAME = 64 * KIB
const META = ['x', 'g', 'L', 'K']
const LINKS = ['1', '2']
/** Sparse files: their headers go on in further blocks, which nobody writes any more. */
const STRANGE = 'S'

interface Header {
  readonly name: string
  readonly size: number
  readonly kind: string
}
/** What the headers before an entry said of it. */
interface Said {
  name?: string
  size?: number
}

export function createTarReader(onEntry: (entry: TarEntry) => void): TarReader {
  let collected: Buffer[] = []
  let missing = BLOCK
  let skip = 0
  let meta: { kind: string; size: number } | undefined
  let said: Said = {}
  let over = false

  function header(block: Buffer): void {
    const parsed = parse(block)
    // A block of zeros ends the archive; whatever follows is none of it.
    if (parsed === undefined) over = true
    else if (META.includes(parsed.kind)) {
      if (parsed.size > LONGEST_NAME) throw new RangeError('a header is too long')
      meta = parsed
      missing = padded(parsed.size)
    } else {
      const { name = parsed.name, size = parsed.size } = said
      said = {}
      skip = padded(size)
      onEntry({ name, size, link: LINKS.includes(parsed.kind) })
    }
  }

  function whole(bytes: Buffer): void {
    missing = BLOCK
    if (meta === undefined) {
      header(bytes)
      return
    }
    const content = bytes.subarray(0, meta.size)
    if (meta.kind === 'L') said.name = upToNul(content)
    if (meta.kind === 'x') said = { ...said, ...pax(content) }
    meta = undefined
  }

  return {
    feed(chunk) {
      for (let at = 0; at < chunk.length && !over; ) {
        const step = Math.min(skip > 0 ? skip : missing, chunk.length - at)
        if (skip > 0) skip -= step
        else {
          collected.push(chunk.subarray(at, at + step))
          missing -= step
        }
        at += step
        if (missing > 0 || skip > 0) continue
        const bytes = Buffer.concat(collected)
        collected = []
        whole(bytes)
      }
    },
    end() {
      if (!over && (skip > 0 || collected.length > 0 || meta !== undefined)) throw new RangeError('it ends too early')
    },
  }
}

const padded = (size: number): number => Math.ceil(size / BLOCK) * BLOCK
const upToNul = (bytes: Buffer): string => bytes.toString('utf8').split('\0', 1)[0] as string

function parse(block: Buffer): Header | undefined {
  if (block.every(byte => byte === 0)) return undefined
  const sum = block.reduce((all, byte, at) => all + (at >= 148 && at < 156 ? 0x20 : byte), 0)
  if (number(block.subarray(148, 156)) !== sum) throw new RangeError('a header is damaged')
  const kind = String.fromCharCode(block[156] || 0x30)
  if (kind === STRANGE) throw new RangeError('it holds a sparse file')
  const prefix = block.toString('latin1', 257, 263) === 'ustar\0' ? upToNul(block.subarray(345, 500)) : ''
  const name = upToNul(block.subarray(0, 100))
  return { name: prefix === '' ? name : `${prefix}/${name}`, size: number(block.subarray(124, 136)), kind }
}

/** Octal digits, or, where the first bit is set, a binary number (GNU). */
function number(field: Buffer): number {
  const first = field[0] as number
  const value =
    first & 0x80
      ? field.subarray(1).reduce((all, byte) => all * 256 + byte, first & 0x7f)
      : Number.parseInt(upToNul(field).trim() || '0', 8)
  if (!Number.isSafeInteger(value) || value < 0) throw new RangeError('a number is none')
  return value
}

/** Records `length key=value\n`, of which path and size count. */
function pax(content: Buffer): Said {
  const said: Said = {}
  for (let at = 0; at < content.length; ) {
    const space = content.indexOf(0x20, at)
    const length = Number(content.toString('latin1', at, space < 0 ? at : space))
    if (!Number.isSafeInteger(length) || length < 5 || at + length > content.length)
      throw new RangeError('a pax header is damaged')
    const [, key, value = ''] = /^([^=]+)=([\s\S]*)\n$/.exec(content.toString('utf8', space + 1, at + length)) ?? []
    if (key === 'path') said.name = value
    if (key === 'size') {
      if (!/^\d{1,15}$/.test(value)) throw new RangeError('a size is none')
      said.size = Number(value)
    }
    at += length
  }
  return said
}
