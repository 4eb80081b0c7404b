/**
 * Encodes text frames (RFC 6455, section 5.2), each with its header in one buffer. `ws` writes header and text separately,
 * which takes an array of both, a copy of the text in native memory, and more garbage per frame.
 */
import { KIB } from 'larder/kernel'

/** Final frame of a text message. */
const TEXT = 0x81
const LENGTH_16 = 126
const LENGTH_64 = 127
const MAX_LENGTH_16 = 0xffff
/** Of frames in a pool. */
const HEADER_BYTES = 4
const LONG_HEADER_BYTES = 10
/** A character has at most three bytes. */
const MAX_CHARACTER_BYTES = 3
const POOL_BYTES = 16 * KIB
/** Larger frames have their own memory. */
const MAX_POOLED_CHARACTERS = KIB

let pool = Buffer.alloc(0)
let used = 0

export function encodeTextFrame(text: string): Buffer {
  if (text.length > MAX_POOLED_CHARACTERS) return encodeLongFrame(text)
  if (used + HEADER_BYTES + text.length * MAX_CHARACTER_BYTES > pool.length) {
    pool = Buffer.allocUnsafeSlow(POOL_BYTES)
    used = 0
  }
  const at = used + HEADER_BYTES
  const size = pool.write(text, at)
  used = at + size
  return pool.subarray(writeHeader(pool, at, size), used)
}

function encodeLongFrame(text: string): Buffer {
  const size = Buffer.byteLength(text)
  const frame = Buffer.allocUnsafeSlow(LONG_HEADER_BYTES + size)
  frame.write(text, LONG_HEADER_BYTES)
  return frame.subarray(writeHeader(frame, LONG_HEADER_BYTES, size))
}

/** Writes the header of a payload at `end`. Returns its first position. */
function writeHeader(target: Buffer, end: number, size: number): number {
  let at: number
  if (size < LENGTH_16) {
    at = end - 2
    target[at + 1] = size
  } else if (size <= MAX_LENGTH_16) {
    at = end - 4
    target[at + 1] = LENGTH_16
    target.writeUInt16BE(size, at + 2)
  } else {
    at = end - LONG_HEADER_BYTES
    target[at + 1] = LENGTH_64
    target.writeBigUInt64BE(BigInt(size), at + 2)
  }
  target[at] = TEXT
  return at
}
