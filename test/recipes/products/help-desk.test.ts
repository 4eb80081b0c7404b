/** Help desk: a public form into tickets with numbers and states. */
import test from 'ava'
import type { Client } from '../../../testing/index.ts'
import { change, create, mailTo, product, type Row, rowsOf } from './fixtures.ts'

let agent: Client
const desk = product(test, 'help-desk', async ({ people }) => {
  agent = await people.colleague(await people.operator(), ['tenant.agent'])
})
let visitors = 0
async function file(values: object = {}) {
  const email = `visitor-${++visitors}@customer.test`
  const sent = await create(desk.kernel, 'tickets', { subject: 'It is broken', email, ...values })
  return { email, sent }
}
const ticketOf = async (email: string): Promise<Row> => {
  const [row] = await rowsOf(agent, 'tickets', `?filter[email]=${encodeURIComponent(email)}`)
  if (!row) throw new Error(`no ticket of ${email}`)
  return row
}

test('a visitor files a ticket, which gets a higher number, and learns nothing of the others', async t => {
  const [first, second] = [await file(), await file()]
  t.deepEqual([first.sent.status, second.sent.status], [201, 201])
  t.deepEqual(Object.keys(first.sent.body), ['id'])
  const numbers = await Promise.all([first, second].map(async ({ email }) => (await ticketOf(email)).number as string))
  t.true(numbers.every(number => /^T-\d{4}$/.test(number)))
  t.true(Number(numbers[1]?.slice(2)) > Number(numbers[0]?.slice(2)))
  t.true([401, 403].includes((await desk.kernel.get('/v1/data/tickets' as never)).status))
  t.is((await ticketOf(first.email)).createdBy, null)
})

test('a visitor sets no state, no priority and no agent', async t => {
  for (const values of [{ status: 'solved' }, { priority: 'high' }, { assignee: 'mem_00000000000000000000000000' }]) {
    const { sent } = await file(values)
    t.true(sent.status === 403 || sent.status === 422, JSON.stringify(sent.body))
  }
})

test('an agent moves a ticket through its states, and the visitor gets the answer', async t => {
  const { email } = await file()
  const { id, number } = await ticketOf(email)
  t.is((await change(agent, 'tickets', id, { status: 'waiting' })).status, 200)
  t.is((await change(agent, 'tickets', id, { status: 'solved', answer: 'Turn it on' })).status, 200)
  t.like(await change(agent, 'tickets', id, { status: 'waiting' }), {
    status: 409,
    body: { code: 'transition_refused' },
  })
  t.deepEqual(await mailTo(desk, email), [`${number} is solved`, `We have received ${number}`])
})

test('a ticket that is open after two days becomes urgent', async t => {
  const [late, solved] = [await file(), await file()]
  const ids = await Promise.all([late, solved].map(async ({ email }) => (await ticketOf(email)).id))
  await change(agent, 'tickets', ids[1] as string, { status: 'solved' })
  await desk.kernel.settled()
  await desk.kernel.automations.endWaits({ automation: 'escalate' })
  await desk.kernel.settled()
  const priorities = await Promise.all([late, solved].map(async ({ email }) => (await ticketOf(email)).priority))
  t.deepEqual(priorities, ['high', 'normal'])
})
