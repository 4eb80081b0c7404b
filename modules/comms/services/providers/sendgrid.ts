/**
 * SendGrid's signed event webhook (https://www.twilio.com/docs/sendgrid/for-developers/tracking-events/event). The ECDSA
 * signature covers the timestamp and the bytes of the body. Each event has a unique id.
 */
import { createHash, createPublicKey, type KeyObject, verify } from 'node:crypto'
import { common, DAY, idPattern, MINUTE, SECOND } from '@larder-dev/larder/kernel'
import { bounceMeaning } from '../../domain/bounce.ts'
import type { DeliveryEvent, MailProvider, WebhookRequest } from '../../ports.ts'
import { malformed } from '../../problems.ts'

const SIGNATURE_HEADER = 'x-twilio-email-event-webhook-signature'
const TIMESTAMP_HEADER = 'x-twilio-email-event-webhook-timestamp'
/** SendGrid retries for one day. Repeated events are recognized by id. */
const MAX_AGE_MS = 2 * DAY
const MAX_CLOCK_SKEW_MS = 10 * MINUTE
const MESSAGE_ID_ARGUMENT = 'larder_message'
const MESSAGE_ID = new RegExp(idPattern('msg'))

/** @param key the verification key from SendGrid: DER in base64. */
export function createSendGrid(key: string): MailProvider {
  const publicKey = createPublicKey({ key: Buffer.from(key, 'base64'), format: 'der', type: 'spki' })
  return {
    name: 'sendgrid',
    // Complaint events have no Message-ID, but every event repeats our custom arguments.
    headers: ({ messageId }) => ({
      'x-smtpapi': JSON.stringify({ unique_args: { [MESSAGE_ID_ARGUMENT]: messageId } }),
    }),
    read(request) {
      assertSigned(request, publicKey)
      return parseEvents(request.body).flatMap(event => toDeliveryEvents(event, request.now))
    },
  }
}

/** True if `createSendGrid` accepts the key. */
export function isSendGridKey(cleanText: string): boolean {
  try {
    return (
      createPublicKey({ key: Buffer.from(cleanText, 'base64'), format: 'der', type: 'spki' }).asymmetricKeyType === 'ec'
    )
  } catch {
    return false
  }
}

function assertSigned({ headers, body, now }: WebhookRequest, publicKey: KeyObject): void {
  const timestamp = String(headers[TIMESTAMP_HEADER] ?? '')
  const signature = Buffer.from(String(headers[SIGNATURE_HEADER] ?? ''), 'base64')
  const age = now - Number(timestamp) * SECOND
  const isFresh = /^\d{1,12}$/.test(timestamp) && age < MAX_AGE_MS && age > -MAX_CLOCK_SKEW_MS
  if (!isFresh || !verify('sha256', Buffer.concat([Buffer.from(timestamp), body]), publicKey, signature))
    throw common.bad_signature()
}

type Json = Readonly<Record<string, unknown>>

function parseEvents(body: Buffer): Json[] {
  let events: unknown
  try {
    events = JSON.parse(body.toString('utf8'))
  } catch {
    events = undefined
  }
  if (!Array.isArray(events)) throw malformed.events()
  return events.filter(event => typeof event === 'object' && event !== null)
}

const EVENT_TYPES: ReadonlyMap<unknown, DeliveryEvent['type']> = new Map([
  ['delivered', 'delivered'],
  ['bounce', 'bounced'],
  ['dropped', 'bounced'],
  ['spamreport', 'complained'],
  ['unsubscribe', 'unsubscribed'],
  ['group_unsubscribe', 'unsubscribed'],
])

/** Ignores opens, clicks and intermediate states. */
function toDeliveryEvents(event: Json, now: number): DeliveryEvent[] {
  const type = EVENT_TYPES.get(event.event)
  if (!type) return []
  const at = typeof event.timestamp === 'object' ? now : Number(event.timestamp) * SECOND
  return [
    {
      id: text(event.sg_event_id) ?? createHash('sha256').update(JSON.stringify(event)).digest('base64url'),
      messageId: messageIdOf(event),
      type,
      hard: type === 'bounced' && isHardBounce(event),
      // A time in the future would extend the suppression that follows.
      at: new Date(at > 0 && at < now ? at : now),
      detail: text(event.reason) ?? text(event.response),
    },
  ]
}

/**
 * `blocked` is temporary, and a full mailbox, content or policy says nothing about the address. A message that was
 * dropped because of an earlier bounce would bounce again.
 */
function isHardBounce({ event, type, reason, status, bounce_classification: classification }: Json): boolean {
  if (event !== 'bounce') return /^(bounced address|invalid)/i.test(asString(reason))
  if (type === 'blocked' || !ADDRESS_CLASSIFICATIONS.includes(asString(classification).toLowerCase())) return false
  const replies = [asString(reason), asString(status)].filter(reply => /^5\d\d\b|^5\.\d/.test(reply))
  return replies.every(reply => bounceMeaning(reply) !== 'message' || /^5\.0\.0/.test(reply))
}
/** Older events have no classification. */
const ADDRESS_CLASSIFICATIONS: readonly string[] = ['', 'unclassified', 'invalid address', 'mailbox unavailable']

function messageIdOf(event: Json): string | undefined {
  const id = text(event[MESSAGE_ID_ARGUMENT]) ?? /^<?(\w+)@/.exec(text(event['smtp-id']) ?? '')?.[1]
  return id && MESSAGE_ID.test(id) ? id : undefined
}

/** Values are untrusted: `String()` can throw on an object. */
const asString = (value: unknown): string => (typeof value === 'string' ? value : '')

/** Removes characters that PostgreSQL rejects: NUL and lone surrogates. */
function text(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined
  return value.slice(0, 200).replace(/[\0\p{Cs}]/gu, '') || undefined
}
