/** Frames as bytes. */
import { randomBytes } from 'node:crypto'

const TEXT = 1
export const CLOSE = 8

interface FrameOptions {
  readonly opcode?: number
  readonly final?: boolean
  readonly masked?: boolean
}

export function clientFrame(
  payload: string | Buffer,
  { opcode = TEXT, final = true, masked = true }: FrameOptions = {},
): Buffer {
  const bytes = Buffer.from(payload)
  const lengthBytes = bytes.length < 126 ? 0 : bytes.length < 65_536 ? 2 : 8
  const header = Buffer.alloc(2 + lengthBytes)
  header[0] = (final ? 0x80 : 0) | opcode
  header[1] = (masked ? 0x80 : 0) | (lengthBytes === 0 ? bytes.length : lengthBytes === 2 ? 126 : 127)
  if (lengthBytes === 2) header.writeUInt16BE(bytes.length, 2)
  if (lengthBytes === 8) header.writeBigUInt64BE(BigInt(bytes.length), 2)
  if (!masked) return Buffer.concat([header, bytes])
  const mask = randomBytes(4)
  return Buffer.concat([header, mask, bytes.map((byte, at) => byte ^ (mask[at & 3] as number))])
}

/** A frame in two parts, the second of which looks like a text frame. */
export function frameInFrame(): { text: string; start: Buffer; rest: Buffer } {
  const rest = Buffer.from([
    0x81,
    0x84,
    0,
    0,
    0x80,
    0x80,
    ...Buffer.from('ev'),
    ...Buffer.from('il').map(byte => byte ^ 0x80),
  ])
  const mask = [0x80, 0x80, 0, 0]
  const text = String(rest.map((byte, at) => byte ^ (mask[at & 3] as number)))
  return { text, start: Buffer.from([0x81, 0x80 | rest.length, ...mask]), rest }
}
