/** Archives of tar (POSIX ustar) whose entries have names of ASCII. */

export const BLOCK = 512
const NAME_BYTES = 100
const PREFIX_BYTES = 155
/** Larger numbers are written in base 256, as GNU tar does. */
const MAX_OCTAL_SIZE = 8 ** 11 - 1

export interface TarEntry {
  readonly name: string
  /** Bytes. */
  readonly size: number
}

/** @throws Error for a name that a header has no room for. */
export function headerOf({ name, size }: TarEntry, at: Date): Buffer {
  const block = Buffer.alloc(BLOCK)
  const { prefix, base } = splitName(name)
  block.write(base, 0, 'ascii')
  block.write('0000600\0', 100, 'ascii')
  block.write('0000000\0', 108, 'ascii')
  block.write('0000000\0', 116, 'ascii')
  if (size <= MAX_OCTAL_SIZE) block.write(`${size.toString(8).padStart(11, '0')}\0`, 124, 'ascii')
  else {
    block[124] = 0x80
    block.writeBigUInt64BE(BigInt(size), 128)
  }
  block.write(
    `${Math.floor(at.getTime() / 1000)
      .toString(8)
      .padStart(11, '0')}\0`,
    136,
    'ascii',
  )
  block.write('        ', 148, 'ascii')
  block.write('0', 156, 'ascii')
  block.write('ustar\x0000', 257, 'latin1')
  block.write(prefix, 345, 'ascii')
  block.write(`${sumOf(block).toString(8).padStart(6, '0')}\0 `, 148, 'latin1')
  return block
}

function splitName(name: string): { prefix: string; base: string } {
  if (name.length <= NAME_BYTES) return { prefix: '', base: name }
  const at = name.indexOf('/', name.length - NAME_BYTES - 1)
  if (at < 1 || at > PREFIX_BYTES) throw new Error(`the name ${name} is too long for an archive`)
  return { prefix: name.slice(0, at), base: name.slice(at + 1) }
}

const sumOf = (block: Buffer): number => {
  let sum = 0
  for (const [at, byte] of block.entries()) sum += at >= 148 && at < 156 ? 32 : byte
  return sum
}

/** Undefined for the block of zeros at the end. @throws Error for anything that isn't a header. */
export function readHeader(block: Buffer): TarEntry | undefined {
  if (block.every(byte => byte === 0)) return undefined
  const text = (from: number, length: number) => {
    const end = block.indexOf(0, from)
    return block.toString('latin1', from, end === -1 || end > from + length ? from + length : end)
  }
  if (text(257, 5) !== 'ustar' || Number.parseInt(text(148, 6), 8) !== sumOf(block))
    throw new Error('not a header of tar')
  const size = block[124] === 0x80 ? Number(block.readBigUInt64BE(128)) : Number.parseInt(text(124, 11), 8)
  if (!Number.isSafeInteger(size) || size < 0) throw new Error('a header of tar without a size')
  const prefix = text(345, PREFIX_BYTES)
  return { name: prefix ? `${prefix}/${text(0, NAME_BYTES)}` : text(0, NAME_BYTES), size }
}

/** The zeros that fill the last block of an entry. */
export const paddingOf = (size: number): Buffer => Buffer.alloc((BLOCK - (size % BLOCK)) % BLOCK)
