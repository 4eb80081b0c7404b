/** Secrets that callers hold: about 256 random bits, shown once, stored as SHA-256. */

import { createHash, randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { cleanCode } from '@larder-dev/larder/kernel'
import { randomText } from '@larder-dev/larder/kernel/internal'

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const KEY_LENGTH = 32
const CHECKSUM_LENGTH = 6
const CLAIM_ALPHABET = '23456789BCDFGHJKMNPQRSTVWXYZ'

export const hashSecret = (secret: string): Buffer => createHash('sha256').update(secret).digest()

/** Value of the login cookie. */
export const newCookieSecret = (): string => randomBytes(32).toString('base64url')

export const newDashboardToken = (): string => `dt_${randomBytes(32).toString('base64url')}`

/** The secret of a sign-in that waits for its second factor. */
export const newPendingSecret = (): string => `slp_${randomBytes(32).toString('base64url')}`

/** The secret of a trusted device. */
export const newTrustedSecret = (): string => `tds_${randomBytes(32).toString('base64url')}`

export interface NewApiKey {
  readonly key: string
  /** Start of the key, shown in lists. */
  readonly prefix: string
}

/** `<product>_live_<32 base62 characters><CRC32 of the preceding text as 6 base62 characters>`. */
export function newApiKey(productKey: string): NewApiKey {
  const name = productKey.toLowerCase().replace(/[^a-z0-9]/g, '') || 'key'
  const body = `${name}_live_${randomText(BASE62, KEY_LENGTH)}`
  return { key: body + checksum(body), prefix: body.slice(0, -KEY_LENGTH + 4) }
}

/** Checks format and checksum, so that a mistyped key costs no query. */
export function isApiKey(text: string): boolean {
  if (text.length > 128 || !/^[a-z0-9]+_live_[0-9A-Za-z]{38}$/.test(text)) return false
  return checksum(text.slice(0, -CHECKSUM_LENGTH)) === text.slice(-CHECKSUM_LENGTH)
}

export const isDashboardToken = (text: string): boolean => /^dt_[\w-]{43}$/.test(text)

export const isCookieSecret = (text: string): boolean => /^[\w-]{43}$/.test(text)

/** 4 groups of 4 characters that are easy to type: 76 bits. */
export function newClaimCode(): string {
  const text = randomText(CLAIM_ALPHABET, 16)
  return (text.match(/.{4}/g) ?? []).join('-')
}

/** Removes separators and case differences from a typed claim code. */
export const normalizeClaimCode = (typed: string): string => cleanCode(typed).replace(/[^0-9A-Z]/g, '')

function checksum(text: string): string {
  let rest = crc32(text)
  let sum = ''
  for (let i = 0; i < CHECKSUM_LENGTH; i++, rest = Math.floor(rest / 62)) sum = BASE62[rest % 62] + sum
  return sum
}
