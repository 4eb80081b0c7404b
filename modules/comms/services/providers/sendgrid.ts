/**
 * SendGrid's signed event webhook (https://www.twilio.com/docs/sendgrid/for-developers/tracking-events/event): ECDSA
 * over its time and the bytes of the body, so nothing on our side could forge it, and every event has an id of its own.
 */

import { createHash, createPublicKey, type KeyObject, verify } from 'node:crypto'
import { common, DAY, idPattern, MINUTE, SECOND } from 'larder/kernel'
import type { IntakeRequest, MailNews, MailProvider } from '../../ports.ts'

const SIGNATURE = 'x-twilio-email-event-webhook-signature'
const TIME = 'x-twilio-email-event-webhook-timestamp'
/** It tries for a day; what comes twice counts once, by its id. */
const OLDEST = 2 * DAY
/** Clocks differ. */
const AHEAD = 10 * MINUTE
const OUR_ARGUMENT = 'larder_message'
const MESSAGE = new RegExp(idPattern('msg'))

/** @param key the verification key, as SendGrid shows it: base64 of the DER form. */
export function createSendGrid(key: string): MailProvider {
  const publicKey = createPublicKey({ key: Buffer.from(key, 'base64'), format: 'der', type: 'spki' })
  return {
    name: 'sendgrid',
    // Complaints hold no Message-ID; arguments of ours stand in every event.
    headers: ({ messageId }) => ({ 'x-smtpapi': JSON.stringify({ unique_args: { [OUR_ARGUMENT]: messageId } }) }),
    read(request) {
      assertSigned(request, publicKey)
      return eventsIn(request.body).flatMap(event => newsOf(event, request.now))
    },
  }
}

/** Whether a text is a key that `createSendGrid` takes. */
export function isSendGridKey(text: string): boolean {
  try {
    return createPublicKey({ key: Buffer.from(text, 'base64'), format: 'der', type: 'spki' }).asymmetricKeyType === 'ec'
  } catch {
    return false
  }
}

function assertSigned({ headers, body, now }: IntakeRequest, publicKey: KeyObject): void {
  const time = String(headers[TIME] ?? '')
  const signature = Buffer.from(String(headers[SIGNATURE] ?? ''), 'base64')
  const age = now - Number(time) * SECOND
  const fresh = /^\d{1,12}$/.test(time) && age < OLDEST && age > -AHEAD
  if (!fresh || !verify('sha256', Buffer.concat([Buffer.from(time), body]), publicKey, signature))
    throw common.bad_signature()
}

type Json = Readonly<Record<string, unknown>>

function eventsIn(body: Buffer): Json[] {
  let events: unknown
  try {
    events = JSON.parse(body.toString('utf8'))
  } catch {
    events = undefined
  }
  if (!Array.isArray(events)) throw common.malformed({ reason: 'The body is no list of events.' })
  return events.filter(event => typeof event === 'object' && event !== null)
}

const KINDS: ReadonlyMap<unknown, MailNews['type']> = new Map([
  ['delivered', 'delivered'],
  ['bounce', 'bounced'],
  ['dropped', 'bounced'],
  ['spamreport', 'complained'],
  ['unsubscribe', 'unsubscribed'],
  ['group_unsubscribe', 'unsubscribed'],
])

/** Opens, clicks and what is only under way are nobody's business here. */
function newsOf(event: Json, now: number): MailNews[] {
  const type = KINDS.get(event.event)
  if (!type) return []
  const at = typeof event.timestamp === 'object' ? now : Number(event.timestamp) * SECOND
  return [
    {
      id: text(event.sg_event_id) ?? createHash('sha256').update(JSON.stringify(event)).digest('base64url'),
      messageId: messageOf(event),
      type,
      hard: type === 'bounced' && isHard(event),
      // A time to come would make what follows from it last longer.
      at: new Date(at > 0 && at < now ? at : now),
      detail: text(event.reason) ?? text(event.response),
    },
  ]
}

/** `blocked` is a refusal for the moment; what was dropped for a bounce before will bounce again. */
function isHard({ event, type, reason }: Json): boolean {
  return event === 'bounce' ? type !== 'blocked' : /^(bounced address|invalid)/i.test(word(reason))
}

function messageOf(event: Json): string | undefined {
  const own = text(event[OUR_ARGUMENT]) ?? /^<?(\w+)@/.exec(text(event['smtp-id']) ?? '')?.[1]
  return own && MESSAGE.test(own) ? own : undefined
}

/** An object may say of itself how it becomes a text, and fail. */
const word = (value: unknown): string => (typeof value === 'string' ? value : '')

/** As the database takes it: no NUL, no half of a surrogate pair. */
function text(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined
  return value.slice(0, 200).replace(/[\0\p{Cs}]/gu, '') || undefined
}
