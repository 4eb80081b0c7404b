import { randomFillSync } from 'node:crypto'

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'
const random = Buffer.allocUnsafe(10 * 512)
let used = random.length

/**
 * `<prefix>_` + a UUIDv7 (RFC 9562) in lower-case Crockford base32, the TypeID form: 26 characters that sort by the
 * millisecond in which they were made and name what they are.
 */
export function newId(prefix: string, now = Date.now()): string {
  return `${prefix}_${encode(uuidv7(now))}`
}

/** JSON Schema pattern of an id with this prefix. */
export const idPattern = (prefix: string): string => `^${prefix}_[0-7][0-9a-hjkmnp-tv-z]{25}$`

function uuidv7(now: number): Uint8Array {
  if (used + 10 > random.length) {
    randomFillSync(random)
    used = 0
  }
  const id = new Uint8Array(16)
  for (let i = 0, rest = now; i < 6; i++, rest = Math.floor(rest / 256)) id[5 - i] = rest % 256
  id.set(random.subarray(used, used + 10), 6)
  used += 10
  id[6] = ((id[6] as number) & 0x0f) | 0x70
  id[8] = ((id[8] as number) & 0x3f) | 0x80
  return id
}

/** 128 bits as 26 characters, two leading zero bits first. */
function encode(id: Uint8Array): string {
  let text = ''
  let bits = 0
  let held = 2
  for (const byte of id) {
    bits = (bits << 8) | byte
    held += 8
    while (held >= 5) {
      held -= 5
      text += ALPHABET[(bits >> held) & 31]
    }
    bits &= (1 << held) - 1
  }
  return text
}
