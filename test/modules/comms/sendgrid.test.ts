import { generateKeyPairSync, sign } from 'node:crypto'
import test from 'ava'
import fc from 'fast-check'
import { DAY } from '../../../kernel/base/units.ts'
import { Problem } from '../../../kernel/index.ts'
import { createSendGrid, isSendGridKey } from '../../../modules/comms/services/providers/sendgrid.ts'

/** The example in the tests of SendGrid's libraries. */
const PUBLISHED = {
  key: 'MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE83T4O/n84iotIvIW4mdBgQ/7dAfSmpqIM8kF9mN1flpVKS3GRqe62gw+2fNNRaINXvVpiglSI8eNEc6wEA3F+g==',
  signature: 'MEUCIGHQVtGj+Y3LkG9fLcxf3qfI10QysgDWmMOVmxG0u6ZUAiEAyBiXDWzM+uOe5W0JuG+luQAbPIqHh89M15TluLtEZtM=',
  time: '1600112502',
  body: `${JSON.stringify([
    {
      email: 'hello@world.com',
      event: 'dropped',
      reason: 'Bounced Address',
      sg_event_id: 'ZHJvcC0xMDk5NDkxOS1MUnpYbF9OSFN0T0doUTRrb2ZTbV9BLTA',
      sg_message_id: 'LRzXl_NHStOGhQ4kofSm_A.filterdrecv-p3mdw1-756b745b58-kmzbl-18-5F5FC76C-9.0',
      'smtp-id': '<LRzXl_NHStOGhQ4kofSm_A@ismtpd0039p1iad1.sendgrid.net>',
      timestamp: 1600112492,
    },
  ])}\r\n`,
}
const AT = 1600112502_000
const MSG = 'msg_01h455vb4pex5vsknk084sn02q'

const headersOf = (time: string, signature: string) => ({
  'x-twilio-email-event-webhook-timestamp': time,
  'x-twilio-email-event-webhook-signature': signature,
})
const pair = generateKeyPairSync('ec', { namedCurve: 'prime256v1' })
const provider = createSendGrid(pair.publicKey.export({ format: 'der', type: 'spki' }).toString('base64'))
/** Signs and reads events. */
function read(events: unknown, body = JSON.stringify(events)) {
  const bytes = Buffer.from(body)
  const time = String(AT / 1000)
  const signature = sign('sha256', Buffer.concat([Buffer.from(time), bytes]), pair.privateKey).toString('base64')
  return provider.read({ headers: headersOf(time, signature), body: bytes, now: AT })
}
const codeOf = (work: () => unknown): string => {
  try {
    work()
    return 'read'
  } catch (error) {
    return Problem.is(error) ? error.code : String(error)
  }
}
const published = (more: Partial<typeof PUBLISHED & { now: number }> = {}) => {
  const { key, signature, time, body, now = AT } = { ...PUBLISHED, ...more }
  return () => createSendGrid(key).read({ headers: headersOf(time, signature), body: Buffer.from(body), now })
}

test('accepts the published example', t => {
  const [deliveryEvent] = published()()
  t.deepEqual(deliveryEvent, {
    id: 'ZHJvcC0xMDk5NDkxOS1MUnpYbF9OSFN0T0doUTRrb2ZTbV9BLTA',
    messageId: undefined,
    type: 'bounced',
    hard: true,
    at: new Date(1600112492_000),
    detail: 'Bounced Address',
  })
})

for (const [what, more] of [
  ['another body', { body: PUBLISHED.body.replace('hello@', 'eve@') }],
  ['a body without its last line break', { body: PUBLISHED.body.trim() }],
  ['another time', { time: '1600112503' }],
  ['an invalid time', { time: '1600112502 ' }],
  ['no time', { time: '' }],
  ['another signature', { signature: PUBLISHED.signature.replace('MEUCIG', 'MEUCIH') }],
  ['no signature', { signature: '' }],
  ['an invalid signature', { signature: 'AAAA' }],
  [
    'another key',
    {
      key: 'MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEqTxd43gyp8IOEto2LdIfjRQrIbsd4SXZkLW6jDutdhXSJCWHw8REntlo7aNDthvj+y7GjUuFDb/R1NGe1OPzpA==',
    },
  ],
  ['a signature of three days ago', { now: AT + 3 * DAY }],
  ['a signature of tomorrow', { now: AT - DAY }],
] as const)
  test(`rejects ${what}`, t => {
    t.is(codeOf(published(more)), 'bad_signature')
  })

test('accepts an event that arrives one day late', t => {
  t.is(codeOf(published({ now: AT + DAY })), 'read')
})

test('identifies a message by its custom argument or Message-ID', t => {
  const { 'x-smtpapi': header = '' } = provider.headers({ messageId: MSG })
  t.deepEqual(JSON.parse(header), { unique_args: { larder_message: MSG } })
  const messageIdOf = (event: object) => read([{ event: 'delivered', sg_event_id: 'a', ...event }])[0]?.messageId
  t.is(messageIdOf({ larder_message: MSG }), MSG)
  t.is(messageIdOf({ 'smtp-id': `<${MSG}@acme.test>` }), MSG)
  for (const foreign of ['<x@acme.test>', `<${MSG}x@acme.test>`, "<msg_1' or 1=1@x>", 7, null, {}])
    t.is(messageIdOf({ 'smtp-id': foreign, larder_message: foreign }), undefined)
})

test('maps each relevant event type, and ignores the others', t => {
  const typeOf = (event: object) => {
    const [deliveryEvent] = read([{ sg_event_id: 'a', ...event }])
    return deliveryEvent && `${deliveryEvent.type}${deliveryEvent.hard ? ' hard' : ''}`
  }
  t.is(typeOf({ event: 'delivered', response: '250 OK' }), 'delivered')
  t.is(typeOf({ event: 'bounce', type: 'bounce', reason: '550 no' }), 'bounced hard')
  t.is(typeOf({ event: 'bounce', type: 'blocked', reason: '452 full' }), 'bounced')
  for (const reason of ['554 5.7.1 spam', '552 5.2.2 full', '550 5.4.5 quota', '552 5.3.4 size'])
    t.is(typeOf({ event: 'bounce', type: 'bounce', reason }), 'bounced')
  t.is(typeOf({ event: 'bounce', type: 'bounce', status: '5.2.2' }), 'bounced')
  t.is(typeOf({ event: 'bounce', type: 'bounce', status: '5.1.1', reason: '550 5.1.1 no' }), 'bounced hard')
  t.is(typeOf({ event: 'bounce', type: 'bounce', bounce_classification: 'Reputation', reason: '550 no' }), 'bounced')
  t.is(typeOf({ event: 'bounce', type: 'bounce', bounce_classification: 'Invalid Address' }), 'bounced hard')
  t.is(typeOf({ event: 'dropped', reason: 'Bounced Address' }), 'bounced hard')
  t.is(typeOf({ event: 'dropped', reason: 'Invalid' }), 'bounced hard')
  t.is(typeOf({ event: 'dropped', reason: 'Spam Content' }), 'bounced')
  t.is(typeOf({ event: 'spamreport' }), 'complained')
  t.is(typeOf({ event: 'unsubscribe' }), 'unsubscribed')
  t.is(typeOf({ event: 'group_unsubscribe' }), 'unsubscribed')
  for (const event of ['processed', 'deferred', 'open', 'click', 'group_resubscribe', 'new', undefined, 3])
    t.is(typeOf({ event }), undefined)
})

test('derives a missing id from the content, and limits future times to now', t => {
  const [first] = read([{ event: 'delivered', timestamp: AT / 1000 + 5000 }])
  const [again] = read([{ timestamp: AT / 1000 + 5000, event: 'delivered' }, { event: 'delivered' }])
  t.regex(first?.id ?? '', /^[\w-]{43}$/)
  t.not(first?.id, again?.id)
  t.deepEqual(first?.at, new Date(AT))
})

test('rejects malformed bodies, and ignores invalid events', t => {
  for (const body of ['', '{}', 'null', '[', '"x"', '7'])
    t.is(
      codeOf(() => read(undefined, body)),
      'malformed',
      body,
    )
  t.deepEqual(read([null, 1, 'x', [], {}, { event: {} }]), [])
})

test('reads any signed body into storable events or a problem', t => {
  fc.assert(
    fc.property(
      fc.array(
        fc.record({
          event: fc.constantFrom('delivered', 'bounce', 'dropped', 'spamreport', 'unsubscribe'),
          sg_event_id: fc.anything(),
          timestamp: fc.anything(),
          reason: fc.anything(),
          larder_message: fc.anything(),
        }),
        { maxLength: 4 },
      ),
      events => {
        for (const { id, at, detail } of read(undefined, JSON.stringify(events) ?? '[]')) {
          if (id.length === 0 || id.length > 200 || id.includes('\0') || detail?.includes('\0')) return false
          if (Number.isNaN(at.getTime()) || at.getTime() > AT) return false
        }
        return true
      },
    ),
    { numRuns: 300 },
  )
  t.pass()
})

test('ignores objects in place of strings, and names of Object.prototype as types', t => {
  const odd = { toString: 1, valueOf: '' }
  t.deepEqual(read([{ event: odd }, { event: 'constructor' }, { event: '__proto__' }]), [])
  const [deliveryEvent] = read([{ event: 'dropped', sg_event_id: odd, timestamp: odd, reason: odd }])
  t.like(deliveryEvent, { type: 'bounced', hard: false, at: new Date(AT), detail: undefined })
})

test('removes characters that the database rejects', t => {
  const [deliveryEvent] = read([{ event: 'bounce', sg_event_id: 'a\ud800\0b', reason: `${'x'.repeat(199)}😀` }])
  t.deepEqual([deliveryEvent?.id, deliveryEvent?.detail], ['ab', 'x'.repeat(199)])
})

test('recognizes invalid keys', t => {
  t.true(isSendGridKey(PUBLISHED.key))
  for (const key of ['x', 'AAAA', PUBLISHED.key.slice(4)]) t.false(isSendGridKey(key))
})
