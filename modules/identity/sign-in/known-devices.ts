/**
 * Device cookies: a browser that signed in to an account gets a signed cookie, so that password guesses from
 * other devices don't delay it (OWASP, "Slow Down Online Guessing Attacks with Device Cookies"). The cookie is not a
 * credential.
 */
import { randomBytes } from 'node:crypto'
import { DAY, type Deps, SECOND } from '@larder-dev/larder/kernel'
import { emailKey, readCookie } from '@larder-dev/larder/kernel/internal'
import { DEVICE_COOKIE, deviceCookie } from '../domain/cookies.ts'

const DEVICE_TTL_MS = 180 * DAY
/** Accounts of one browser. */
const MAX_ACCOUNTS = 5
const PURPOSE = 'known_device'

type Headers = { readonly cookie?: string | undefined }

export interface KnownDevices {
  /** An id of the device, if the cookie proves a sign-in to the account with this email. */
  find(headers: Headers, email: string): string | undefined
  /** The `Set-Cookie` header that adds the account to the device's known accounts. */
  remember(headers: Headers, email: string): string
}

/** One account: `<seconds since 1970>.<nonce>.<signature>`. The email is only in the signature. */
interface Entry {
  readonly text: string
  readonly issuedAt: string
  readonly nonce: string
  readonly signature: string
}

export function createKnownDevices({ secrets, clock, product }: Deps<'secrets' | 'clock' | 'product'>): KnownDevices {
  const secure = product.publicUrl.startsWith('https://')
  const isCurrent = ({ issuedAt }: Entry) => clock.now() - Number(issuedAt) * SECOND < DEVICE_TTL_MS
  const isOf = ({ issuedAt, nonce, signature }: Entry, email: string) =>
    secrets.verify(signature, PURPOSE, emailKey(email), issuedAt, nonce)

  return {
    find: (headers, email) => entries(headers).find(entry => isCurrent(entry) && isOf(entry, email))?.nonce,
    remember(headers, email) {
      const others = entries(headers).filter(entry => isCurrent(entry) && !isOf(entry, email))
      const issuedAt = String(Math.floor(clock.now() / SECOND))
      const nonce = randomBytes(12).toString('base64url')
      const own = [issuedAt, nonce, secrets.sign(PURPOSE, emailKey(email), issuedAt, nonce)].join('.')
      const value = [own, ...others.map(({ text }) => text)].slice(0, MAX_ACCOUNTS).join('~')
      return deviceCookie(value, { secure, maxAge: DEVICE_TTL_MS / SECOND })
    },
  }
}

function entries(headers: Headers): Entry[] {
  const texts = (readCookie(headers.cookie, DEVICE_COOKIE) ?? '').split('~', MAX_ACCOUNTS)
  return texts.flatMap(text => {
    const [, issuedAt, nonce, signature] = /^(\d{1,12})\.([\w-]{16})\.([\w-]{43})$/.exec(text) ?? []
    return issuedAt && nonce && signature ? [{ text, issuedAt, nonce, signature }] : []
  })
}
