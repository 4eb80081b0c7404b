/** Whether a delivery to a hook comes from somebody who has its secret. Pure. */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import type { DeclaredHook } from './definition/declared.ts'

export interface Delivery {
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
  /** Milliseconds since 1970. */
  readonly now: number
}
/** A delivery whose sender is known. */
export interface VerifiedDelivery {
  /** The same for each attempt of the sender; undefined if the sender has none. */
  readonly id: string | undefined
}

/** Seconds by which the time of a signature may differ from now, as Standard Webhooks and Stripe recommend. */
const TOLERANCE = 300
const MAX_ID_LENGTH = 255
const STANDARD_PREFIX = 'whsec_'
/** Bytes of a key of Standard Webhooks: 16 characters in Base64, the shortest secret of a recipe. */
const MIN_KEY = 12
const STRIPE_HEADER = 'stripe-signature'

/** Undefined for a delivery that nobody with a current secret has signed, or whose signature is too old. */
export function verifiedDelivery(hook: DeclaredHook, delivery: Delivery): VerifiedDelivery | undefined {
  const id = headerOf(delivery, hook.verify === 'standard-webhooks' ? 'webhook-id' : hook.id)
  if (id !== undefined && (id === '' || id.length > MAX_ID_LENGTH)) return undefined
  // The sender that the recipe names gives each delivery an ID.
  if (hook.id !== undefined && hook.verify !== 'standard-webhooks' && id === undefined) return undefined
  const secrets = [hook.secret].flat()
  if (hook.verify === 'secret') return secrets.some(secret => hasSecret(hook, secret, delivery)) ? { id } : undefined
  if (hook.verify === 'standard-webhooks') return isStandard(secrets, id, delivery) ? { id } : undefined
  const isStripe = hook.header?.toLowerCase() === STRIPE_HEADER
  const isSigned = isStripe ? isStripeSigned(secrets, delivery) : isHmac(hook, secrets, delivery)
  // The signature covers the body, so a delivery without an ID is known by its body.
  return isSigned ? { id: id ?? createHash('sha256').update(delivery.body).digest('base64url') } : undefined
}

function headerOf({ headers }: Delivery, name: string | undefined): string | undefined {
  const value = name === undefined ? undefined : headers[name.toLowerCase()]
  return typeof value === 'string' ? value : undefined
}

/** In a time that doesn't depend on what is equal. */
function isSame(given: string, expected: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(given), digest(expected))
}

function hasSecret({ header = 'authorization', prefix = '' }: DeclaredHook, secret: string, delivery: Delivery) {
  const given = headerOf(delivery, header)
  if (given === undefined) return false
  // Node reads headers as Latin-1, and most programs send UTF-8.
  const sent = [given, Buffer.from(given, 'latin1').toString('utf8')]
  return sent.some(each => isSame(each, `${prefix}${secret}`))
}

function isHmac(
  {
    header = 'x-hub-signature-256',
    prefix = header === 'x-hub-signature-256' ? 'sha256=' : '',
    encoding = 'hex',
  }: DeclaredHook,
  secrets: readonly string[],
  delivery: Delivery,
): boolean {
  const given = headerOf(delivery, header)
  if (given === undefined || !given.startsWith(prefix)) return false
  const signature = given.slice(prefix.length)
  const written = encoding === 'hex' ? signature.toLowerCase() : signature
  return secrets.some(secret => isSame(written, createHmac('sha256', secret).update(delivery.body).digest(encoding)))
}

const isRecent = (seconds: string, now: number): boolean =>
  /^\d{1,12}$/.test(seconds) && Math.abs(now / 1000 - Number(seconds)) <= TOLERANCE

/** `t=1700000000,v1=<hex>,v1=<hex>` */
function isStripeSigned(secrets: readonly string[], delivery: Delivery): boolean {
  const parts = (headerOf(delivery, STRIPE_HEADER) ?? '').split(',').map(part => part.trim().split('=', 2))
  const [time = ''] = parts.flatMap(([name, value]) => (name === 't' && value ? value : []))
  const given = parts.flatMap(([name, value]) => (name === 'v1' && value ? value : []))
  if (!isRecent(time, delivery.now)) return false
  return secrets.some(secret => {
    const expected = createHmac('sha256', secret).update(`${time}.`).update(delivery.body).digest('hex')
    return given.some(each => isSame(each, expected))
  })
}

/** Standard Webhooks 1.0.0: `v1,<base64>`, several with spaces between them. */
function isStandard(secrets: readonly string[], id: string | undefined, delivery: Delivery): boolean {
  const time = headerOf(delivery, 'webhook-timestamp') ?? ''
  const given = (headerOf(delivery, 'webhook-signature') ?? '').split(' ')
  if (id === undefined || !isRecent(time, delivery.now)) return false
  return secrets.some(secret => {
    const key = Buffer.from(
      secret.startsWith(STANDARD_PREFIX) ? secret.slice(STANDARD_PREFIX.length) : secret,
      'base64',
    )
    // A secret that isn't Base64 would be a key that everybody knows.
    if (key.length < MIN_KEY) return false
    const expected = createHmac('sha256', key).update(`${id}.${time}.`).update(delivery.body).digest('base64')
    return given.some(each => isSame(each, `v1,${expected}`))
  })
}
