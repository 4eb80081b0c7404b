import test from 'ava'
import { createSmtpTransport } from '../../../modules/comms/services/transports/smtp-transport.ts'
import { BounceError, type OutgoingMail } from '../../../modules/comms/services/transports/transport.ts'
import { startTestKernel } from '../../../testing/index.ts'
import { type Behavior, startSmtp } from './smtp-server.ts'

const MAIL: OutgoingMail = {
  messageId: 'msg_1',
  tenantId: 'ten_1',
  from: { name: 'Acme "&" Söhne', address: 'hello@acme.test' },
  to: 'ada@example.test',
  subject: 'Grüße',
  html: '<p>Hallo</p>',
  text: 'Hallo',
  headers: { 'message-id': '<msg_1@acme.test>', 'auto-submitted': 'auto-generated' },
}

async function sendTo(t: Parameters<typeof startSmtp>[0], mail: Partial<OutgoingMail>, behavior: Behavior = {}) {
  const smtp = await startSmtp(t, behavior)
  const transport = createSmtpTransport(smtp.url)
  t.teardown(() => transport.close())
  return { smtp, sent: await transport.send({ ...MAIL, ...mail }) }
}

test('sends both parts, sender, subject and id', async t => {
  const { smtp, sent } = await sendTo(t, {})
  t.regex(sent, /^250 accepted/)
  t.is(smtp.received.length, 1)
  const { from, to, mail, raw } = smtp.received[0] as NonNullable<(typeof smtp.received)[0]>
  t.deepEqual([from, to], ['hello@acme.test', ['ada@example.test']])
  t.like(mail, { subject: 'Grüße', messageId: '<msg_1@acme.test>', from: MAIL.from })
  t.deepEqual(mail.to, [{ name: '', address: 'ada@example.test' }])
  t.is(mail.html?.trim(), '<p>Hallo</p>')
  t.is(mail.text?.trim(), 'Hallo')
  t.regex(raw, /^Auto-Submitted: auto-generated\r$/im)
  t.regex(raw, /multipart\/alternative/)
})

for (const hostile of [
  'Acme <x@evil.test>, y@evil.test',
  'A\r\nBcc: eve@evil.test',
  '"; Bcc: eve@evil.test',
  'A\u2028B',
])
  test(`escapes the sender name ${JSON.stringify(hostile)}`, async t => {
    const { smtp } = await sendTo(t, { from: { name: hostile, address: 'hello@acme.test' } })
    const { from, to, mail } = smtp.received[0] as NonNullable<(typeof smtp.received)[0]>
    t.is(from, 'hello@acme.test')
    t.deepEqual(to, ['ada@example.test'])
    t.is(mail.from?.address, 'hello@acme.test')
    t.deepEqual([mail.to?.length, mail.cc, mail.bcc], [1, undefined, undefined])
  })

test('sends a subject and a sender that look like encoded words as they are written', async t => {
  const looks = '=?utf-8?B?aHR0cHM6Ly9ldmlsLnRlc3Q=?= has invited you to a workspace with a long name'
  const { smtp } = await sendTo(t, { subject: looks, from: { name: looks, address: 'hello@acme.test' } })
  const { mail } = smtp.received[0] as NonNullable<(typeof smtp.received)[0]>
  t.is(mail.subject, looks)
  t.is(mail.from?.name.replaceAll('\u2060', ''), looks)
})

for (const hostile of ['Hi\r\nBcc: eve@evil.test', 'Hi\nTo: eve@evil.test\n\nbody', 'Hi\rX-Evil: 1'])
  test(`escapes the subject ${JSON.stringify(hostile)}`, async t => {
    const { smtp } = await sendTo(t, { subject: hostile })
    const { to, mail } = smtp.received[0] as NonNullable<(typeof smtp.received)[0]>
    t.deepEqual(to, ['ada@example.test'])
    t.deepEqual([mail.to?.length, mail.bcc], [1, undefined])
    t.false(mail.headers.some(({ key }) => key === 'x-evil'))
  })

test('never sends to a second address, even without the address check', async t => {
  for (const to of [
    'ada@example.test, eve@evil.test',
    'ada@example.test>\r\nRCPT TO:<eve@evil.test',
    'Ada <ada@example.test>',
  ]) {
    const smtp = await startSmtp(t)
    const transport = createSmtpTransport(smtp.url)
    t.teardown(() => transport.close())
    await transport.send({ ...MAIL, to }).catch(() => undefined)
    t.true(
      smtp.received.every(mail => mail.to.length === 1 && !mail.to.includes('eve@evil.test')),
      to,
    )
  }
})

const ERROR_REPLIES: readonly [string, Behavior, boolean][] = [
  ['a 5xx reply to the recipient', { recipient: () => ({ code: 550, text: 'no such user' }) }, true],
  ['a 5xx reply to the message', { data: () => ({ code: 554, text: 'no' }) }, true],
  ['a 4xx reply to the recipient', { recipient: () => ({ code: 450, text: 'later' }) }, false],
  ['a 4xx reply to the message', { data: () => ({ code: 451, text: 'later' }) }, false],
  ['a 5xx reply to the sender', { sender: () => ({ code: 550, text: 'not you' }) }, false],
]
for (const [what, behavior, bounces] of ERROR_REPLIES)
  test(`${bounces ? 'bounces' : 'retries'} after ${what}`, async t => {
    const error = await t.throwsAsync(sendTo(t, {}, behavior))
    t.is(error instanceof BounceError, bounces, error?.message)
  })

test('does not treat failed authentication as a bounce', async t => {
  const smtp = await startSmtp(t, { user: 'right' })
  const transport = createSmtpTransport(smtp.url.replace('//', '//wrong:secret@'))
  t.teardown(() => transport.close())
  const error = await t.throwsAsync(transport.send(MAIL))
  t.false(error instanceof BounceError)
  t.regex(error?.message ?? '', /535/)
})

test('reconnects to a server that was unreachable', async t => {
  const first = await startSmtp(t)
  const { port } = new URL(first.url)
  await first.stop()
  const transport = createSmtpTransport(first.url)
  t.teardown(() => transport.close())
  const error = await t.throwsAsync(transport.send(MAIL))
  t.false(error instanceof BounceError)
  const second = await startSmtp(t, {}, Number(port))
  await transport.send(MAIL)
  t.is(second.received.length, 1)
})

test('uses SMTP_URL if the recipe names no server and does not select the mailbox', async t => {
  for (const [comms, sent] of [
    [{}, 1],
    [{ smtp: { url: '' } }, 1],
    [{ transport: 'mailbox' }, 0],
  ] as const) {
    const smtp = await startSmtp(t, {})
    const kernel = await startTestKernel({ recipe: { modules: { identity: {}, comms } }, env: { SMTP_URL: smtp.url } })
    t.teardown(() => kernel.stop())
    await kernel.register('ada@example.test')
    await kernel.settled()
    t.is(smtp.received.length, sent, JSON.stringify(comms))
  }
})
