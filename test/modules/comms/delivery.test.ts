import test, { type ExecutionContext } from 'ava'
import { DAY } from '../../../kernel/base/units.ts'
import { backoffMs, MAX_ATTEMPTS } from '../../../modules/comms/services/delivery-service.ts'
import { createTemplateOverrides } from '../../../modules/comms/services/template-overrides.ts'
import { BounceError, type MailTransport } from '../../../modules/comms/services/transports/transport.ts'
import { type CommsFixture, LINK, TENANT, useComms } from './fixtures.ts'
import { type Behavior, startSmtp } from './smtp-server.ts'

const startComms = useComms(test)

async function overSmtp(t: ExecutionContext, behavior: Behavior = {}) {
  const smtp = await startSmtp(t, behavior)
  return { smtp, comms: await startComms(t, { smtp: { url: smtp.url } }) }
}
/** Runs the job of a message, as the worker would. */
const run = (comms: CommsFixture, messageId: string, attempt = 1) =>
  comms.delivery.run({ messageId, tenantId: TENANT }, { attempt })
const types = async (comms: CommsFixture, id: string) => (await comms.message(id))?.history.map(({ type }) => type)

test('inserts a message with a job that sends it', async t => {
  const { smtp, comms } = await overSmtp(t)
  const { messageId, status } = await comms.send()
  t.is(status, 'queued')
  t.deepEqual(comms.waiting, [{ messageId, tenantId: TENANT }])
  t.is(smtp.received.length, 0)
  await run(comms, messageId)
  t.like(smtp.received[0]?.mail, { subject: 'Hello Ada', messageId: `<${messageId}@acme.test>` })
  t.like(await comms.message(messageId), { status: 'sent', attempts: 1, subject: 'Hello Ada' })
  t.deepEqual(await types(comms, messageId), ['queued', 'sending', 'sent'])
})

test('signs links in the email only, not in the database', async t => {
  const { smtp, comms } = await overSmtp(t)
  const { messageId } = await comms.send()
  await run(comms, messageId)
  const signature = comms.deps.secrets.sign(LINK.$link.purpose, LINK.$link.id, '1')
  t.true(smtp.received[0]?.mail.text?.includes(`https://acme.test/join?token=inv_1.1.${signature}`))
  t.false((await comms.dump()).includes(signature))
})

test('sends nothing when the job runs again', async t => {
  const { smtp, comms } = await overSmtp(t)
  const { messageId } = await comms.send()
  await run(comms, messageId)
  await run(comms, messageId, 2)
  t.is(smtp.received.length, 1)
})

test('sends again with the same id after a crash between sending and recording', async t => {
  const { smtp, comms } = await overSmtp(t)
  const { messageId } = await comms.send()
  await run(comms, messageId)
  await comms.asOwner("update comms_messages set status = 'sending'")
  await run(comms, messageId, 2)
  t.deepEqual(
    smtp.received.map(({ mail }) => mail.messageId),
    [`<${messageId}@acme.test>`, `<${messageId}@acme.test>`],
  )
})

test('sends one email per event, template and recipient', async t => {
  const { comms } = await overSmtp(t)
  const first = await comms.send({ key: 'evt_1' })
  t.deepEqual(await comms.send({ key: 'evt_1', to: 'ADA@example.test' }), first)
  const others = [
    { key: 'evt_2' },
    { key: 'evt_1', to: 'bob@example.test' },
    { key: 'evt_1', template: 'shop.news' },
    {},
    {},
  ]
  const ids = new Set([first.messageId])
  for (const mail of others) ids.add((await comms.send(mail)).messageId)
  t.is(ids.size, 6)
  t.is(comms.waiting.length, 6)
  await comms.stop({})
  t.deepEqual(await comms.send({ key: 'evt_1' }), first)
})

test('rolls back the message with the surrounding transaction', async t => {
  const { comms } = await overSmtp(t)
  const work = comms.deps.database.tenant(TENANT).transaction(async () => {
    await comms.send()
    throw new Error('no after all')
  })
  await t.throwsAsync(work, { message: 'no after all' })
  t.deepEqual(await comms.asOwner('select 1 from comms_messages'), [])
})

for (const [code, text] of [
  [554, '5.7.1 Message rejected by the content filter'],
  [554, "5.7.1 The sender's IP is on a block list"],
  [550, '5.7.26 Unauthenticated mail'],
  [550, '5.7.0 Local policy violation'],
  [550, '5.4.5 Daily sending quota exceeded'],
  [552, '5.3.4 Message size exceeds the limit'],
  [552, '5.2.2 Mailbox full'],
  [550, '5.1.8 Sender address rejected'],
  [552, 'Quota exceeded'],
  [554, 'no'],
] as const)
  test(`fails the message only after ${code} ${text}`, async t => {
    for (const behavior of [{ recipient: () => ({ code, text }) }, { data: () => ({ code, text }) }]) {
      const { comms } = await overSmtp(t, behavior)
      for (let sent = 0; sent < 3; sent++) {
        const { messageId, status } = await comms.send()
        t.is(status, 'queued')
        await run(comms, messageId)
        t.like(await comms.message(messageId), { status: 'bounced' })
      }
    }
  })

for (const [code, text] of [
  [550, '5.1.1 No such user'],
  [550, '5.1.10 The domain accepts no mail'],
  [553, '5.1.3 Bad address'],
  [550, '5.2.1 Mailbox disabled'],
  [550, '#5.1.0 Address rejected'],
] as const)
  test(`suppresses the address after ${code} ${text}`, async t => {
    const { comms } = await overSmtp(t, { recipient: () => ({ code, text }) })
    await run(comms, (await comms.send()).messageId)
    t.is((await comms.send()).status, 'suppressed')
  })

test('suppresses an address that refuses two messages in a row without a reason', async t => {
  const refusal: Behavior = { recipient: () => ({ code: 550, text: 'no' }) }
  const { smtp, comms } = await overSmtp(t, refusal)
  await run(comms, (await comms.send()).messageId)
  smtp.behavior = {}
  await run(comms, (await comms.send()).messageId)
  smtp.behavior = refusal
  await run(comms, (await comms.send()).messageId)
  const last = await comms.send()
  t.is(last.status, 'queued')
  await run(comms, last.messageId)
  t.is((await comms.send()).status, 'suppressed')
})

test('suppresses an address that does not exist for 30 days', async t => {
  const { smtp, comms } = await overSmtp(t, { recipient: () => ({ code: 550, text: '5.1.1 no such user' }) })
  const { messageId } = await comms.send()
  await run(comms, messageId)
  t.like(await comms.message(messageId), { status: 'bounced' })
  t.regex((await comms.message(messageId))?.history.at(-1)?.detail ?? '', /550 5.1.1 no such user/)
  smtp.behavior = {}
  const again = await comms.send({ to: 'Ada@Example.test' })
  t.is(again.status, 'suppressed')
  t.is(comms.waiting.length, 1)
  t.like(await comms.message(again.messageId), { status: 'suppressed' })
  t.is((await comms.send({ to: 'bob@example.test' })).status, 'queued')
  comms.later(30 * DAY + 1)
  t.is((await comms.send()).status, 'queued')
})

test('does not shorten a manual suppression by a bounce', async t => {
  const through: MailTransport = {
    name: 'smtp',
    async send() {
      await comms.stop({ reason: 'asked' })
      throw new BounceError('550 5.1.1 no such user', 'address', undefined)
    },
    close: async () => {},
  }
  const comms = await startComms(t, { through })
  const { messageId } = await comms.send()
  await run(comms, messageId)
  t.like(await comms.message(messageId), { status: 'bounced' })
  comms.later(31 * DAY)
  t.is((await comms.send()).status, 'suppressed')
})

test('retries after a 4xx reply with the same id', async t => {
  const { smtp, comms } = await overSmtp(t, { data: () => ({ code: 451, text: 'greylisted' }) })
  const { messageId } = await comms.send()
  await t.throwsAsync(run(comms, messageId), { message: /451/ })
  t.like(await comms.message(messageId), { status: 'queued', attempts: 1 })
  smtp.behavior = {}
  await run(comms, messageId, 2)
  t.deepEqual(await types(comms, messageId), ['queued', 'sending', 'deferred', 'sending', 'sent'])
  t.is(smtp.received[0]?.mail.messageId, `<${messageId}@acme.test>`)
})

test('retries an unreachable server until the last attempt, and afterwards on request', async t => {
  const smtp = await startSmtp(t)
  const comms = await startComms(t, { smtp: { url: smtp.url } })
  await smtp.stop()
  const { messageId } = await comms.send()
  await t.throwsAsync(run(comms, messageId))
  t.like(await comms.message(messageId), { status: 'queued' })
  await t.throwsAsync(run(comms, messageId, MAX_ATTEMPTS))
  t.like(await comms.message(messageId), { status: 'failed' })
  const again = await startSmtp(t, {}, Number(new URL(smtp.url).port))
  await run(comms, messageId)
  t.is(again.received.length, 1)
})

test('retries after 30 seconds, then backs off by 30% from five minutes, for about one day in total', t => {
  t.is(backoffMs(1), 30_000)
  t.is(backoffMs(2), 5 * 60_000)
  t.is(backoffMs(3), 6.5 * 60_000)
  let total = 0
  for (let failed = 1; failed < MAX_ATTEMPTS; failed++) total += backoffMs(failed)
  t.true(total > 0.9 * DAY && total < 1.1 * DAY)
})

test('sends nothing to a recipient who was suppressed meanwhile', async t => {
  const { smtp, comms } = await overSmtp(t)
  const { messageId } = await comms.send()
  await comms.stop({})
  await run(comms, messageId)
  t.like(await comms.message(messageId), { status: 'suppressed' })
  t.is(smtp.received.length, 0)
})

test('suppresses marketing emails only, and per tenant', async t => {
  const { comms } = await overSmtp(t)
  await comms.stop({ email: 'ADA@example.test', category: 'marketing' })
  t.is((await comms.send({ template: 'shop.news' })).status, 'suppressed')
  t.is((await comms.send()).status, 'queued')
  t.is((await comms.send({ template: 'shop.news', tenantId: 'ten_b' })).status, 'queued')
})

test('hides messages from other tenants', async t => {
  const { comms } = await overSmtp(t)
  const { messageId } = await comms.send()
  t.is(await comms.message(messageId, 'ten_b'), undefined)
  await comms.delivery.run({ messageId, tenantId: 'ten_b' }, { attempt: 1 })
  t.like(await comms.message(messageId), { status: 'queued', attempts: 0 })
})

test('rejects an email that cannot be rendered, and fails one whose template has changed', async t => {
  const { smtp, comms } = await overSmtp(t)
  await t.throwsAsync(comms.send({ data: { name: 'Ada' } }), { message: /'link', which is not in the data/ })
  await t.throwsAsync(comms.send({ template: 'shop.gone' }), { message: /No email template has the key 'shop\.gone'/ })
  t.deepEqual(await comms.asOwner('select 1 from comms_messages'), [])
  const { messageId } = await comms.send()
  await comms.asOwner("update comms_messages set template = 'shop.gone'")
  await run(comms, messageId)
  t.like(await comms.message(messageId), { status: 'failed' })
  t.is(smtp.received.length, 0)
})

test("uses the product's text if an override fails, and records the reason", async t => {
  const { smtp, comms } = await overSmtp(t)
  const texts = createTemplateOverrides(comms.deps)
  const own = { subject: 'Ahoy {{name}}', preheader: null, html: '<p>{{name}}</p>', text: null }
  await texts.write(TENANT, 'shop.hello', 'en', own)
  const fine = await comms.send()
  await texts.write(TENANT, 'shop.hello', 'en', { ...own, html: '<p>{{surname}}</p>' })
  const slipped = await comms.send()
  await run(comms, slipped.messageId)
  await run(comms, fine.messageId)
  t.deepEqual(
    smtp.received.map(({ mail }) => mail.subject),
    ['Hello Ada', 'Hello Ada'],
  )
  t.is((await comms.message(fine.messageId))?.subject, 'Ahoy Ada')
  const history = (await comms.message(slipped.messageId))?.history
  t.regex(history?.[0]?.detail ?? '', /override was ignored: .*'surname'/)
  t.regex(history?.at(-1)?.detail ?? '', /^250 accepted; the override was ignored/)
  await t.throwsAsync(comms.send({ data: {} }), { message: /'name', which is not in the data/ })
})

for (const to of [
  'ada@example.test, eve@evil.test',
  'ada@example.test\r\nBcc: eve@evil.test',
  'Ada <ada@example.test>',
])
  test(`rejects the address ${JSON.stringify(to)}`, async t => {
    const { comms } = await overSmtp(t)
    await t.throwsAsync(comms.send({ to }), { message: /isn't a valid email address/ })
    t.deepEqual(await comms.asOwner('select 1 from comms_messages'), [])
  })

test('strips line breaks from a name in the subject', async t => {
  const { smtp, comms } = await overSmtp(t)
  const name = 'Ada\r\nBcc: eve@evil.test\r\n\r\n<script>alert(1)</script>'
  const { messageId } = await comms.send({ data: { name, link: LINK } })
  await run(comms, messageId)
  const [received] = smtp.received
  t.deepEqual(received?.to, ['ada@example.test'])
  t.is(received?.mail.bcc, undefined)
  t.is(received?.mail.subject, 'Hello Ada Bcc: eve@evil.test <script>alert(1)</script>')
  t.false(received?.mail.html?.includes('<script>'))
})
