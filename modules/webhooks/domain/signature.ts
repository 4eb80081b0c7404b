/** Signatures by Standard Webhooks 1.0.0 (https://www.standardwebhooks.com). Pure but for new secrets. */
import { createHmac, randomBytes } from 'node:crypto'

const PREFIX = 'whsec_'

export const newSecret = (): string => PREFIX + randomBytes(32).toString('base64')

export interface Message {
  /** The same on every retry. */
  readonly id: string
  /** Seconds since 1970, of this attempt. */
  readonly timestamp: number
  readonly body: string
}

/** `v1,<base64 HMAC-SHA256>`; keys are the bytes that the secret stands for. */
export function sign(secret: string, { id, timestamp, body }: Message): string {
  const key = Buffer.from(secret.slice(PREFIX.length), 'base64')
  return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`
}

/** One signature a secret: while a secret is replaced, a receiver with either finds its own. */
export const signedHeaders = (secrets: readonly string[], message: Message): Record<string, string> => ({
  'webhook-id': message.id,
  'webhook-timestamp': String(message.timestamp),
  'webhook-signature': secrets.map(secret => sign(secret, message)).join(' '),
})
