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
/** Larger frames get separate memory. */
const MAX_POOLED_CHARACTERS = KIB

let pool = Buffer.alloc(0)
let used = 0

/**
 * Encodes one frame of two parts, the second of which other frames may share.
 * @param isKept whether the frame may wait for a slow client. It gets separate memory then, because a frame in the pool
 * keeps the whole pool in memory.
 */
export function encodeTextFrame(text: string, rest: string, isKept: boolean): Buffer {
  const characters = text.length + rest.length
  if (isKept || characters > MAX_POOLED_CHARACTERS) return encodeOwnFrame(text + rest)
  if (used + HEADER_BYTES + characters * MAX_CHARACTER_BYTES > pool.length) {
    pool = Buffer.allocUnsafeSlow(POOL_BYTES)
    used = 0
  }
  const at = used + HEADER_BYTES
  // Joined first, the text would be copied once more.
  const head = pool.write(text, at)
  const size = rest === '' ? head : head + pool.write(rest, at + head)
  used = at + size
  return pool.subarray(writeHeader(pool, at, size), used)
}

function encodeOwnFrame(text: string): Buffer {
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
