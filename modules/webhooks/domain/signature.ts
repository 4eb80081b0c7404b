/** Signatures of Standard Webhooks 1.0.0 (https://www.standardwebhooks.com). */
import { createHmac, randomBytes } from 'node:crypto'

const PREFIX = 'whsec_'

export const generateSecret = (): string => PREFIX + randomBytes(32).toString('base64')

export interface SignedMessage {
  /** The same for every attempt. */
  readonly id: string
  /** Time of the attempt in seconds since 1970. */
  readonly timestamp: number
  readonly body: string
}

/** `v1,<base64 HMAC-SHA256>`. The key is the decoded secret. */
export function sign(secret: string, { id, timestamp, body }: SignedMessage): string {
  const key = Buffer.from(secret.slice(PREFIX.length), 'base64')
  return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`
}

/** One signature for each secret, so that receivers can verify with either one during a rotation. */
export const signedHeaders = (secrets: readonly string[], message: SignedMessage): Record<string, string> => ({
  'webhook-id': message.id,
  'webhook-timestamp': String(message.timestamp),
  'webhook-signature': secrets.map(secret => sign(secret, message)).join(' '),
})
