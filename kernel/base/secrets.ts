import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  hkdfSync,
  randomBytes,
  randomInt,
  timingSafeEqual,
} from 'node:crypto'

/** Subkeys of LARDER_SECRET by HKDF-SHA-256 (RFC 5869), one per purpose; the older secret still verifies. */
export interface Secrets {
  /** base64url HMAC-SHA-256 of the parts. */
  sign(purpose: string, ...parts: string[]): string
  /** In constant time, against each accepted secret. */
  verify(signature: string, purpose: string, ...parts: string[]): boolean
  /** Six digits that depend on the parts: a code for a person to type that is never stored. Limit the attempts. */
  code(purpose: string, ...parts: string[]): string
  /** In constant time, against each accepted secret. */
  verifyCode(code: string, purpose: string, ...parts: string[]): boolean
  /** AES-256-GCM. */
  encrypt(purpose: string, plain: string): Buffer
  /** Throws for data that this server did not encrypt for this purpose. */
  decrypt(purpose: string, sealed: Buffer): string
  /** True while an older secret is accepted. */
  readonly rotating: boolean
  /** Encrypts again what an older secret encrypted. Undefined if the current one did. Throws as `decrypt` does. */
  reencrypt(purpose: string, sealed: Buffer): Buffer | undefined
}

const NONCE_BYTES = 12
const TAG_BYTES = 16
const CODE_DIGITS = 6

/**
 * Subkeys of LARDER_SECRET: HKDF-SHA-256 (RFC 5869) with the purpose as `info`, so a leaked key is of no
 * use for other purposes. `accepted[0]` signs and encrypts; the rest, during a rotation, still verify and decrypt.
 */
export function createSecrets(accepted: readonly string[]): Secrets {
  const known = new Map<string, Buffer[]>()
  const keys = (purpose: string): Buffer[] => {
    const made = known.get(purpose) ?? accepted.map(secret => subkey(secret, purpose))
    known.set(purpose, made)
    return made
  }
  const newest = (purpose: string): Buffer => keys(purpose)[0] as Buffer
  const mac = (key: Buffer, parts: string[]): Buffer => createHmac('sha256', key).update(JSON.stringify(parts)).digest()

  const encrypt: Secrets['encrypt'] = (purpose, plain) => {
    const nonce = randomBytes(NONCE_BYTES)
    const cipher = createCipheriv('aes-256-gcm', newest(purpose), nonce)
    const sealed = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()])
    return Buffer.concat([nonce, cipher.getAuthTag(), sealed])
  }
  /** Also returns the position of the key. */
  function openWithAny(purpose: string, sealed: Buffer): { plain: string; index: number } {
    let failure: unknown
    for (const [index, key] of keys(purpose).entries())
      try {
        return { plain: open(key, sealed), index }
      } catch (error) {
        failure = error
      }
    throw new Error(`not encrypted by this server for '${purpose}'`, { cause: failure })
  }

  const codeOf = (key: Buffer, parts: string[]): Buffer =>
    Buffer.from(String(mac(key, parts).readUIntBE(0, 6) % 10 ** CODE_DIGITS).padStart(CODE_DIGITS, '0'))

  return {
    code: (purpose, ...parts) => codeOf(newest(purpose), parts).toString(),
    verifyCode(code, purpose, ...parts) {
      const given = Buffer.from(code)
      return keys(purpose).some(key => given.length === CODE_DIGITS && timingSafeEqual(given, codeOf(key, parts)))
    },
    sign: (purpose, ...parts) => mac(newest(purpose), parts).toString('base64url'),
    verify(signature, purpose, ...parts) {
      const given = Buffer.from(signature, 'base64url')
      return keys(purpose).some(key => {
        const expected = mac(key, parts)
        return given.length === expected.length && timingSafeEqual(given, expected)
      })
    },
    encrypt,
    decrypt: (purpose, sealed) => openWithAny(purpose, sealed).plain,
    rotating: accepted.length > 1,
    reencrypt(purpose, sealed) {
      const { plain, index } = openWithAny(purpose, sealed)
      return index === 0 ? undefined : encrypt(purpose, plain)
    },
  }
}

/** 32 bytes for one purpose. */
export function subkey(secret: string, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', `larder:${purpose}`, 32))
}

function open(key: Buffer, sealed: Buffer): string {
  const nonce = sealed.subarray(0, NONCE_BYTES)
  const tag = sealed.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES)
  const decipher = createDecipheriv('aes-256-gcm', key, nonce).setAuthTag(tag)
  return decipher.update(sealed.subarray(NONCE_BYTES + TAG_BYTES), undefined, 'utf8') + decipher.final('utf8')
}

/** Random characters of the alphabet, each with the same probability. */
export const randomText = (alphabet: string, length: number): string =>
  Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join('')
