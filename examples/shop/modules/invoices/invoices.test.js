// Run this file with `node --test`. It starts Larder on a new database.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { startTestKernel } from '@larder-dev/larder/kernel/testing'

const INVOICE = { customer: 'carl@example.test', amount: 1250, currency: 'EUR' }
/** @type {import('@larder-dev/larder/kernel/testing').TestKernel} */
let kernel
/** @type {import('@larder-dev/larder/kernel/testing').Person} */
let ada
/** @type {import('@larder-dev/larder/kernel/testing').Person} */
let bob

before(async () => {
  kernel = await startTestKernel({
    folder: fileURLToPath(new URL('.', import.meta.url)),
    recipe: {
      locales: { default: 'en', available: ['en', 'de'] },
      modules: {
        identity: {},
        comms: { transport: 'mailbox', from: 'Shop <shop@example.test>' },
        invoices: { use: './module.ts', options: { dueDays: 14 } },
      },
    },
  })
  ada = await kernel.register('ada@example.test')
  bob = await kernel.register('bob@example.test')
})
after(() => kernel?.stop())

async function create(more = {}) {
  const { status, body } = await ada.post('/v1/invoices', { ...INVOICE, ...more })
  assert.equal(status, 201, JSON.stringify(body))
  return body
}

test('numbers invoices without gaps', async () => {
  const created = await Promise.all([create(), create(), create()])
  assert.deepEqual(created.map(({ number }) => number).sort(), [1, 2, 3])
})

test('mails a sent invoice to its customer', async () => {
  const { id } = await create()
  const sent = await ada.post(`/v1/invoices/${id}/send`)
  assert.equal(sent.status, 200)
  assert.equal(sent.body.status, 'sent')
  await kernel.settled()
  const mails = (await ada.get('/v1/communications/messages')).body.data.filter(mail => mail.to === INVOICE.customer)
  assert.equal(mails.length, 1)
})

for (const [locale, subject, total] of [
  [undefined, 'Invoice %d from Test', '€12.50'],
  ['de', 'Rechnung %d von Test', '12,50 €'],
])
  test(`mails an invoice in the language of its customer: ${locale ?? 'not given'}`, async () => {
    const { id, number } = await create({ customer: `${locale ?? 'any'}@example.test`, locale })
    await ada.post(`/v1/invoices/${id}/send`)
    await kernel.settled()
    const { body: sent } = await ada.get('/v1/communications/messages')
    const { id: message } = sent.data.find(({ to }) => to === `${locale ?? 'any'}@example.test`)
    const { body: mail } = await ada.get(`/v1/communications/messages/${message}/content`)
    assert.equal(mail.subject, subject.replace('%d', number))
    assert.ok(mail.text.replaceAll('\u00a0', ' ').includes(total), mail.text)
  })

test('sends and pays an invoice only once under concurrency', async () => {
  const { id } = await create()
  assert.equal((await ada.post(`/v1/invoices/${id}/pay`)).body.code, 'invoice_state')
  for (const step of ['send', 'pay']) {
    const both = await Promise.all([1, 2].map(() => ada.post(`/v1/invoices/${id}/${step}`)))
    assert.deepEqual(both.map(({ status }) => status).sort(), [200, 409])
  }
})

test('hides invoices from other tenants', async () => {
  const { id } = await create()
  assert.equal((await bob.get(`/v1/invoices/${id}`)).status, 404)
  assert.equal((await bob.post(`/v1/invoices/${id}/send`)).status, 404)
  assert.deepEqual((await bob.get('/v1/invoices')).body.data, [])
})

test('rejects an invalid invoice', async () => {
  for (const wrong of [
    { amount: 0 },
    { amount: 1.5 },
    { currency: 'euro' },
    { customer: 'carl' },
    { locale: 'fr' },
    { status: 'paid' },
  ])
    assert.equal((await ada.post('/v1/invoices', { ...INVOICE, ...wrong })).status, 422, JSON.stringify(wrong))
})

test('filters and pages the list', async () => {
  const { body: first } = await ada.get('/v1/invoices?limit=2')
  assert.equal(first.data.length, 2)
  const { body: second } = await ada.get(`/v1/invoices?limit=2&cursor=${first.nextCursor}`)
  assert.ok(second.data[0].id < first.data[1].id)
  const drafts = await ada.get('/v1/invoices?filter[status]=draft')
  assert.ok(drafts.body.data.every(({ status }) => status === 'draft'))
})

/** Runs the action `send` as a step of an automation does. */
function sendByAutomation(invoice, person) {
  const { registry, database } = kernel.kernel.ports
  const { value } = registry.collect('actions').find(({ key }) => key === 'invoices')
  const { signal } = new AbortController()
  const context = { key: 'run_1:0', runId: 'run_1', automation: 'send-drafts', attempt: 1, signal }
  return database
    .tenant(person.tenantId)
    .transaction(() => value.send.run({ invoice }, { ...context, tenantId: person.tenantId }))
}

test('an automation sends a draft', async () => {
  const { id } = await create()
  assert.deepEqual(await sendByAutomation(id, ada), { status: 'sent' })
  assert.equal((await ada.get(`/v1/invoices/${id}`)).body.status, 'sent')
})

test('an automation of another workspace finds no draft', async () => {
  const { id } = await create()
  await assert.rejects(sendByAutomation(id, bob), { code: 'not_found' })
})
