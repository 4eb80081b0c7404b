import test from 'ava'
import { createSmtpTransport } from '../../../modules/comms/services/transports/smtp-transport.ts'
import { Bounce, type OutgoingMail } from '../../../modules/comms/services/transports/transport.ts'
import { startTestKernel } from '../../../testing/index.ts'
import { type Manners, startSmtp } from './smtp-server.ts'

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

async function sendTo(t: Parameters<typeof startSmtp>[0], mail: Partial<OutgoingMail>, manners: Manners = {}) {
  const smtp = await startSmtp(t, manners)
  const transport = createSmtpTransport(smtp.url)
  t.teardown(() => transport.close())
  return { smtp, sent: await transport.send({ ...MAIL, ...mail }) }
}

test('a mail arrives with both parts, its sender, its subject and its id', async t => {
  const { smtp, sent } = await sendTo(t, {})
  t.regex(sent, /^250 taken/)
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
  test(`a sender's name ${JSON.stringify(hostile)} stays a name`, async t => {
    const { smtp } = await sendTo(t, { from: { name: hostile, address: 'hello@acme.test' } })
    const { from, to, mail } = smtp.received[0] as NonNullable<(typeof smtp.received)[0]>
    t.is(from, 'hello@acme.test')
    t.deepEqual(to, ['ada@example.test'])
    t.is(mail.from?.address, 'hello@acme.test')
    t.deepEqual([mail.to?.length, mail.cc, mail.bcc], [1, undefined, undefined])
  })

for (const hostile of ['Hi\r\nBcc: eve@evil.test', 'Hi\nTo: eve@evil.test\n\nbody', 'Hi\rX-Evil: 1'])
  test(`a subject ${JSON.stringify(hostile)} adds no header`, async t => {
    const { smtp } = await sendTo(t, { subject: hostile })
    const { to, mail } = smtp.received[0] as NonNullable<(typeof smtp.received)[0]>
    t.deepEqual(to, ['ada@example.test'])
    t.deepEqual([mail.to?.length, mail.bcc], [1, undefined])
    t.false(mail.headers.some(({ key }) => key === 'x-evil'))
  })

test('a recipient that is a list does not reach a second address, even past our own check', async t => {
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

const REFUSALS: readonly [string, Manners, boolean][] = [
  ['5xx to the recipient', { recipient: () => ({ code: 550, text: 'no such user' }) }, true],
  ['5xx to the mail itself', { data: () => ({ code: 554, text: 'no' }) }, true],
  ['4xx to the recipient', { recipient: () => ({ code: 450, text: 'later' }) }, false],
  ['4xx to the mail itself', { data: () => ({ code: 451, text: 'later' }) }, false],
  ['5xx to the sender, which is about us', { sender: () => ({ code: 550, text: 'not you' }) }, false],
]
for (const [what, manners, bounces] of REFUSALS)
  test(`${what} is ${bounces ? 'a bounce' : 'tried again'}`, async t => {
    const error = await t.throwsAsync(sendTo(t, {}, manners))
    t.is(error instanceof Bounce, bounces, error?.message)
  })

test('a wrong login is no bounce: it is about us', async t => {
  const smtp = await startSmtp(t, { user: 'right' })
  const transport = createSmtpTransport(smtp.url.replace('//', '//wrong:secret@'))
  t.teardown(() => transport.close())
  const error = await t.throwsAsync(transport.send(MAIL))
  t.false(error instanceof Bounce)
  t.regex(error?.message ?? '', /535/)
})

test('a server that is away is tried again, by the same transport', async t => {
  const first = await startSmtp(t)
  const { port } = new URL(first.url)
  await first.stop()
  const transport = createSmtpTransport(first.url)
  t.teardown(() => transport.close())
  const error = await t.throwsAsync(transport.send(MAIL))
  t.false(error instanceof Bounce)
  const second = await startSmtp(t, {}, Number(port))
  await transport.send(MAIL)
  t.is(second.received.length, 1)
})

test('SMTP_URL names the server of a recipe that names none, and not of one that keeps its mail', async t => {
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
