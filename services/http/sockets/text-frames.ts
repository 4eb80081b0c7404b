/**
 * Encodes text frames (RFC 6455, section 5.2) one after the other into the same memory. `ws` writes header and text
 * separately, which takes an array of both, a copy of the text in native memory, and more garbage per frame.
 */
import { KIB } from 'larder/kernel'

/** Final frame of a text message. */
const TEXT = 0x81
const LENGTH_16 = 126
const LENGTH_64 = 127
const MAX_LENGTH_16 = 0xffff
/** Without the first two bytes. */
const BYTES_OF_16 = 2
const BYTES_OF_64 = 8
const FIRST_BYTES = 2
/** A character of a string has at most three bytes in UTF-8. */
export const MAX_CHARACTER_BYTES = 3
const CAPACITY_BYTES = 16 * KIB
const MAX_CHARACTERS = Math.floor((CAPACITY_BYTES - FIRST_BYTES - BYTES_OF_16) / MAX_CHARACTER_BYTES)

let memory = Buffer.alloc(0)
let used = 0

/** Whether a frame of so many characters can be appended before the next `takeFrames`. */
export const hasRoomFor = (characters: number): boolean =>
  used + FIRST_BYTES + BYTES_OF_16 + characters * MAX_CHARACTER_BYTES <= CAPACITY_BYTES

/** Whether a frame of so many characters needs `encodeLongFrame`. */
export const isLongFrame = (characters: number): boolean => characters > MAX_CHARACTERS

/** Appends a frame of two parts, the second of which other frames may share. */
export function appendFrame(text: string, rest: string): void {
  if (memory.length === 0) memory = Buffer.allocUnsafeSlow(CAPACITY_BYTES)
  const expected = used + headerBytes(text.length + rest.length)
  // Joined first, the text would be copied once more.
  const middle = expected + memory.write(text, expected)
  const end = rest === '' ? middle : middle + memory.write(rest, middle)
  const size = end - expected
  const start = used + headerBytes(size)
  // Characters that have several bytes made the header longer.
  if (start !== expected) memory.copyWithin(start, expected, end)
  writeHeader(memory, used, size)
  used = start + size
}

/** The frames since the last call. The next frame overwrites them, unless `keepFrames` is called before. */
export function takeFrames(): Buffer {
  const frames = memory.subarray(0, used)
  used = 0
  return frames
}

/** Leaves the memory to the frames that were taken last. */
export function keepFrames(): void {
  memory = Buffer.alloc(0)
}

/** Encodes a frame into separate memory. */
export function encodeLongFrame(text: string): Buffer {
  const size = Buffer.byteLength(text)
  const start = headerBytes(size)
  const frame = Buffer.allocUnsafeSlow(start + size)
  writeHeader(frame, 0, size)
  frame.write(text, start)
  return frame
}

function headerBytes(size: number): number {
  if (size < LENGTH_16) return FIRST_BYTES
  return size <= MAX_LENGTH_16 ? FIRST_BYTES + BYTES_OF_16 : FIRST_BYTES + BYTES_OF_64
}

function writeHeader(target: Buffer, at: number, size: number): void {
  target[at] = TEXT
  if (size < LENGTH_16) {
    target[at + 1] = size
  } else if (size <= MAX_LENGTH_16) {
    target[at + 1] = LENGTH_16
    target.writeUInt16BE(size, at + FIRST_BYTES)
  } else {
    target[at + 1] = LENGTH_64
    target.writeBigUInt64BE(BigInt(size), at + FIRST_BYTES)
  }
}
