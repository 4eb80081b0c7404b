import test from 'ava'
import { createMailbox } from '../../../modules/comms/services/mailbox.ts'
import { type CommsFixture, TENANT, useComms } from './fixtures.ts'

const startComms = useComms(test)

const run = async (comms: CommsFixture) => {
  comms.later(1)
  const { messageId } = await comms.send()
  await comms.delivery.run({ messageId, tenantId: TENANT }, { attempt: 1 })
  return messageId
}

test('stores the complete email with its signed link if no server is configured', async t => {
  const comms = await startComms(t)
  const messageId = await run(comms)
  t.like(await comms.message(messageId), { status: 'sent' })
  const mailbox = createMailbox(comms.deps)
  const { data } = await mailbox.list({ limit: 10 })
  t.like(data[0], {
    messageId,
    tenantId: TENANT,
    from: 'Acme <hello@acme.test>',
    to: 'ada@example.test',
    subject: 'Hello Ada',
  })
  const mail = await mailbox.find(String(data[0]?.id))
  t.regex(mail.html, /https:\/\/acme\.test\/join\?token&#x3D;inv_1\.1\./)
  t.regex(mail.text, /^Hello Ada, come in\s</)
  t.like(mail.headers, { 'message-id': `<${messageId}@acme.test>`, 'auto-submitted': 'auto-generated' })
})

test('stores an email that is sent again once', async t => {
  const comms = await startComms(t)
  const messageId = await run(comms)
  await comms.asOwner("update comms_messages set status = 'sending'")
  await comms.delivery.run({ messageId, tenantId: TENANT }, { attempt: 2 })
  t.is((await createMailbox(comms.deps).list({ limit: 10 })).data.length, 1)
})

test('keeps the last 1,000 emails', async t => {
  const comms = await startComms(t)
  await comms.asOwner(
    `insert into comms_mailbox select 'eml_0' || lpad(n::text, 6, '0'), 'msg_' || n, 'ten_b', '', '', '', '', '', '{}', now()
       from generate_series(1, 1100) n`,
  )
  const messageId = await run(comms)
  t.deepEqual(await comms.asOwner('select count(*)::int as n, min(id) as oldest from comms_mailbox'), [
    { n: 1000, oldest: 'eml_0000102' },
  ])
  t.is((await createMailbox(comms.deps).list({ limit: 1 })).data[0]?.messageId, messageId)
})

test('lists the mailbox in pages and by recipient', async t => {
  const comms = await startComms(t)
  const sent = [await run(comms), await run(comms), await run(comms)]
  const mailbox = createMailbox(comms.deps)
  const first = await mailbox.list({ limit: 2 })
  const second = await mailbox.list({ limit: 2, cursor: first.nextCursor ?? undefined })
  t.deepEqual([...first.data, ...second.data].map(mail => mail.messageId).reverse(), sent)
  t.is(second.nextCursor, null)
  t.is((await mailbox.list({ limit: 9, to: 'ADA@example.test' })).data.length, 3)
  t.is((await mailbox.list({ limit: 9, to: 'bob@example.test' })).data.length, 0)
})

test('hides the mailbox from units of a tenant', async t => {
  const comms = await startComms(t)
  await run(comms)
  const unit = comms.deps.database.tenant(TENANT)
  const rows = await unit.query('select * from comms_mailbox').then(
    ({ rows }) => rows.length,
    () => 0,
  )
  t.is(rows, 0)
})
