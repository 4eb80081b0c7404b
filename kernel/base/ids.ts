import { randomFillSync } from 'node:crypto'

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'
/** Ten bits as two characters. */
const PAIRS = Array.from({ length: 1024 }, (_, bits) => `${ALPHABET[bits >> 5]}${ALPHABET[bits & 31]}`)
const GROUP = 5
const RANDOM = 2 * GROUP
const random = Buffer.allocUnsafe(RANDOM * 512)
let used = random.length
const MAX_SEQUENCE = 0xfff
/** The last id of each prefix. */
const latest = new Map<string, { now: number; text: string; sequence: number }>()

/**
 * `<prefix>_` and a UUIDv7 (RFC 9562) in lowercase Crockford base32, as in TypeID: 26 characters that sort by their
 * millisecond of creation. At least 2,048 ids per millisecond of one prefix and process sort in the order of creation.
 */
export function newId(prefix: string, now = Date.now()): string {
  if (used === random.length) {
    randomFillSync(random)
    used = 0
  }
  const at = used
  used += RANDOM
  let last = latest.get(prefix)
  if (last?.now === now) last.sequence = Math.min(last.sequence + 1, MAX_SEQUENCE)
  else {
    last = { now, text: timeText(now), sequence: random.readUInt16BE(at) & 0x7ff }
    latest.set(prefix, last)
  }
  // Version and sequence, and the variant.
  random.writeUInt16BE(0x7000 | last.sequence, at)
  random[at + 2] = ((random[at + 2] as number) & 0x3f) | 0x80
  return `${prefix}_${last.text}${groupText(at)}${groupText(at + GROUP)}`
}

/** JSON Schema pattern of an id with this prefix. */
export const idPattern = (prefix: string): string => `^${prefix}_[0-7][0-9a-hjkmnp-tv-z]{25}$`

/** Smaller than all ids with this prefix that are made from this millisecond on. */
export const firstId = (prefix: string, now: number): string => `${prefix}_${timeText(now)}${'0'.repeat(16)}`

/** Two zero bits and 48 bits of milliseconds: ten characters. */
function timeText(now: number): string {
  const high = Math.floor(now / 2 ** 30)
  const low = now % 2 ** 30
  return pair(high >> 10) + pair(high) + pair(low >> 20) + pair(low >> 10) + pair(low)
}

/** Five bytes: eight characters. */
function groupText(at: number): string {
  const high = random.readUInt16BE(at) * 16 + ((random[at + 2] as number) >> 4)
  const low = random.readUIntBE(at + 2, 3) & 0xfffff
  return pair(high >> 10) + pair(high) + pair(low >> 10) + pair(low)
}

const pair = (bits: number): string => PAIRS[bits & 1023] as string
