/** Secrets that callers hold: 256 random bits or close to it, shown once, kept as SHA-256. */
import { createHash, randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const KEY_RANDOM = 32
const KEY_SUM = 6
/** Bytes from here up would make the first letters likelier than the rest. */
const FAIR_BYTES = 256 - (256 % 62)
const CLAIM_ALPHABET = '23456789BCDFGHJKMNPQRSTVWXYZ'

export const hashSecret = (secret: string): Buffer => createHash('sha256').update(secret).digest()

/** The value of the session cookie. */
export const newCookieSecret = (): string => randomBytes(32).toString('base64url')

/** A dashboard token. */
export const newToken = (): string => `dt_${randomBytes(32).toString('base64url')}`

export interface NewApiKey {
  readonly key: string
  /** What may be shown later to tell keys apart. */
  readonly prefix: string
}

/** `<product>_live_<32 base62><6 base62 CRC32 of what stands before>`. */
export function newApiKey(productKey: string): NewApiKey {
  const name = productKey.toLowerCase().replace(/[^a-z0-9]/g, '') || 'key'
  const body = `${name}_live_${randomText(BASE62, KEY_RANDOM, FAIR_BYTES)}`
  return { key: body + checksum(body), prefix: body.slice(0, -KEY_RANDOM + 4) }
}

/** Whether a text can be an API key at all: a mistyped one costs no query. */
export function isApiKey(text: string): boolean {
  if (text.length > 128 || !/^[a-z0-9]+_live_[0-9A-Za-z]{38}$/.test(text)) return false
  return checksum(text.slice(0, -KEY_SUM)) === text.slice(-KEY_SUM)
}

export const isToken = (text: string): boolean => /^dt_[\w-]{43}$/.test(text)

export const isCookieSecret = (text: string): boolean => /^[\w-]{43}$/.test(text)

/** 4 groups of 4 that can be typed from a terminal: 76 bits. */
export function newClaimCode(): string {
  const size = CLAIM_ALPHABET.length
  const text = randomText(CLAIM_ALPHABET, 16, 256 - (256 % size))
  return (text.match(/.{4}/g) ?? []).join('-')
}

/** A claim code as it was made, however it was typed. */
export const readClaimCode = (typed: string): string => typed.toUpperCase().replace(/[^0-9A-Z]/g, '')

function checksum(text: string): string {
  let rest = crc32(text)
  let sum = ''
  for (let i = 0; i < KEY_SUM; i++, rest = Math.floor(rest / 62)) sum = BASE62[rest % 62] + sum
  return sum
}

function randomText(alphabet: string, length: number, fairBytes: number): string {
  let text = ''
  while (text.length < length)
    for (const byte of randomBytes(length))
      if (byte < fairBytes && text.length < length) text += alphabet[byte % alphabet.length]
  return text
}
