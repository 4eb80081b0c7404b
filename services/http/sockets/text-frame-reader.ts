/**
 * Reads the text frames (RFC 6455, section 5.2) of a client without copies, if they arrive in one read. `ws` gets
 * everything else: fragments, frames that arrive in several reads, control frames, and frames that close the socket.
 */

const FINAL = 0x80
const OPCODE = 0x0f
const TEXT = 1
const CLOSE = 8
const MASKED = 0x80
const LENGTH = 0x7f
const LENGTH_16 = 126
const LENGTH_64 = 127
const MASK_BYTES = 4
/** The decoder replaces invalid UTF-8 by it. */
const REPLACEMENT_CHARACTER = '\ufffd'

export class TextFrameReader {
  /** Receives the texts. Without it, `ws` gets all frames. */
  onText: ((text: string) => void) | undefined
  readonly #maxPayload: number
  /** Of the frame that `ws` has received in part: bytes of its payload that are missing, or its incomplete header. */
  #missing = 0
  readonly #header: number[] = []
  #isFragmented = false

  /** @param maxPayload bytes; `ws` rejects larger frames. */
  constructor(maxPayload: number) {
    this.#maxPayload = maxPayload
  }

  /** Handles the text frames at the beginning of `size` bytes. Returns where the rest starts, which `ws` has to get. */
  read(bytes: Buffer, size: number): number {
    let at = 0
    while (this.onText && this.#missing === 0 && this.#header.length === 0 && !this.#isFragmented) {
      const start = payloadStart(bytes, at, size)
      const end = start + payloadBytes(bytes, at)
      const isMaskedText = bytes[at] === (FINAL | TEXT) && ((bytes[at + 1] ?? 0) & MASKED) !== 0
      if (!isMaskedText || !(end <= size) || end - start > this.#maxPayload) break
      toggleMask(bytes, start, end)
      const text = bytes.toString('utf8', start, end)
      if (text.includes(REPLACEMENT_CHARACTER)) {
        toggleMask(bytes, start, end)
        break
      }
      at = end
      this.onText(text)
    }
    this.skip(bytes, at, size)
    return at
  }

  /** Finds the end of the last frame that `ws` gets. */
  skip(bytes: Buffer, from: number, size: number): void {
    const header = this.#header
    for (let at = from; at < size; ) {
      if (this.#missing > 0) {
        const skipped = Math.min(this.#missing, size - at)
        this.#missing -= skipped
        at += skipped
        continue
      }
      header.push(bytes[at++] as number)
      if (payloadStart(header, 0, header.length) === Number.POSITIVE_INFINITY) continue
      const [first = 0] = header
      if ((first & OPCODE) < CLOSE) this.#isFragmented = (first & FINAL) === 0
      this.#missing = payloadBytes(header, 0)
      header.length = 0
    }
  }
}

/** Where the payload of the frame at this position starts; infinite if its header is incomplete. */
function payloadStart(bytes: ArrayLike<number>, at: number, size: number): number {
  if (at + 2 > size) return Number.POSITIVE_INFINITY
  const second = bytes[at + 1] as number
  const length = second & LENGTH
  const lengthBytes = length === LENGTH_16 ? 2 : length === LENGTH_64 ? 8 : 0
  const start = at + 2 + lengthBytes + ((second & MASKED) === 0 ? 0 : MASK_BYTES)
  return start <= size ? start : Number.POSITIVE_INFINITY
}

/** The size of the payload of the frame at this position, whose header is complete. */
function payloadBytes(bytes: ArrayLike<number>, at: number): number {
  const length = (bytes[at + 1] as number) & LENGTH
  if (length < LENGTH_16) return length
  let size = 0
  const end = at + 2 + (length === LENGTH_16 ? 2 : 8)
  for (let i = at + 2; i < end; i++) size = size * 256 + (bytes[i] as number)
  return size
}

/** The mask is in front of the payload. */
function toggleMask(bytes: Buffer, start: number, end: number): void {
  const mask = start - MASK_BYTES
  for (let i = start; i < end; i++) bytes[i] = (bytes[i] as number) ^ (bytes[mask + ((i - start) & 3)] as number)
}
