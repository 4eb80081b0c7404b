// `npm test` runs this file. It starts the recipe on a new database.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { startTestKernel } from '@larder-dev/larder/kernel/testing'

/** @type {import('@larder-dev/larder/kernel/testing').TestKernel} */
let kernel

before(async () => {
  kernel = await startTestKernel({ recipe: fileURLToPath(new URL('../recipe.yaml', import.meta.url)) })
})
after(() => kernel?.stop())

test('an agent answers the ticket of a member', async () => {
  const ada = await kernel.register('ada@example.test')
  const { body: account } = await ada.get('/v1/auth/me')
  const member = account.memberships[0].id
  const ticket = await ada.post('/v1/data/tickets', { subject: 'The printer is on fire', requester: member })
  assert.equal(ticket.status, 201)
  assert.equal(ticket.body.status, 'open')
  const comment = await ada.post('/v1/data/comments', { ticket: ticket.body.id, author: member, text: 'Call 112.' })
  assert.equal(comment.status, 201)
  const solved = await ada.patch(`/v1/data/tickets/${ticket.body.id}`, { status: 'solved' })
  assert.equal(solved.body.status, 'solved')
})

test('a new ticket is confirmed by mail, and escalated after two days', async () => {
  const ben = await kernel.register('ben@example.test')
  const { body: account } = await ben.get('/v1/auth/me')
  const requester = account.memberships[0].id
  const ticket = await ben.post('/v1/data/tickets', { subject: 'The lid is loose', requester })
  await kernel.automations.settle()
  const { body: mails } = await kernel.get('/v1/communications/mailbox?filter[to]=ben@example.test')
  assert.ok(mails.data.some(({ subject }) => subject.endsWith('The lid is loose')))
  await kernel.automations.endWaits({ automation: 'escalate', tenantId: ben.tenantId })
  const { body: escalated } = await ben.get(`/v1/data/tickets/${ticket.body.id}`)
  assert.equal(escalated.priority, 'high')
})

test('no other workspace reads a ticket', async () => {
  const eve = await kernel.register('eve@example.test')
  const { body } = await eve.get('/v1/data/tickets')
  assert.deepEqual(body.data, [])
})
