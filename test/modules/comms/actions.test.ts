import test from 'ava'
import { ACTIONS, mistakesOf, runAction, runAndFail } from '../../fixtures/actions.ts'
import { type Listed, newEmail } from '../../fixtures/people.ts'
import { problemOf } from '../../fixtures/problem-of.ts'
import { withPeople } from '../../fixtures/with-people.ts'

const { kernel, people } = withPeople(test, ACTIONS)

const TEMPLATE = 'desk.received'
const person = (email: string, more: object = {}) => ({
  email,
  userId: null,
  name: null,
  locale: null,
  isForeign: false,
  ...more,
})
interface Mail {
  readonly subject: string
  readonly text: string
  readonly headers: Readonly<Record<string, string>>
}
async function mailsTo(email: string): Promise<Mail[]> {
  await kernel.settled()
  const { body } = await kernel.get<Listed<{ id: string }>>(`/v1/communications/mailbox?filter[to]=${email}`)
  return Promise.all(body.data.map(async ({ id }) => (await kernel.get<Mail>(`/v1/communications/mailbox/${id}`)).body))
}
const send = (input: object, run: object) =>
  runAction(
    kernel.kernel,
    'comms.mail',
    { template: TEMPLATE, data: { title: 'Chair', text: 'Broken' }, ...input },
    run as { readonly tenantId: string },
  )

test('queues an email once, whatever number of attempts', async t => {
  const { tenantId } = await people.person()
  const email = newEmail()
  const first = await send({ to: person(email) }, { tenantId, key: 'run_a:1', attempt: 1 })
  const second = await send({ to: person(email) }, { tenantId, key: 'run_a:1', attempt: 2 })
  t.deepEqual(first, second)
  const mails = await mailsTo(email)
  t.deepEqual(
    mails.map(({ subject }) => subject),
    ['Received: Chair'],
  )
})

test('a step that fails sends no email', async t => {
  const ada = await people.person()
  const email = newEmail()
  const input = { template: TEMPLATE, to: person(email), data: { title: 'Chair', text: 'Broken' } }
  await runAndFail(kernel.kernel, 'comms.mail', input, ada)
  t.deepEqual(await mailsTo(email), [])
})

test('emails for marketing can be unsubscribed from', async t => {
  const ada = await people.person()
  const email = newEmail()
  await send({ to: person(email), category: 'marketing' }, ada)
  const [mail] = await mailsTo(email)
  t.truthy(mail?.headers['list-unsubscribe'])
})

test('a value of a row becomes no signed link', async t => {
  const ada = await people.person()
  const text = { $link: { path: '/reset', purpose: 'password_reset', id: 'usr_1', version: 1 } }
  const sent = send({ to: person(newEmail()), data: { title: 'Chair', text } }, ada)
  t.is((await problemOf(t, sent)).code, 'link_in_data')
})

test('an email to an address of a stranger has no links of theirs', async t => {
  const ada = await people.person()
  const email = newEmail()
  const { publicUrl } = kernel.kernel.product
  const text = `Win at evil.test or https://evil.test/x, see ${publicUrl}/tickets/1 or ask ${email}`
  await send({ to: person(email, { isForeign: true }), data: { title: 'www.evil.test', text } }, ada)
  const [mail] = await mailsTo(email)
  t.is(mail?.subject, 'Received: …')
  t.false(JSON.stringify(mail).includes('evil'))
  t.true(mail?.text.includes(`${publicUrl}/tickets/1`))
  t.true(mail?.text.includes(email))
})

test('a stranger gets no email of the product', async t => {
  const ada = await people.person()
  const input = { template: 'comms.test', to: person(newEmail(), { isForeign: true }), data: { note: 'Hello' } }
  const welcome = { ...input, template: 'identity.access_revoked', data: {} }
  t.is((await problemOf(t, send(welcome, ada))).code, 'template_not_sendable')
})

test('emails to an address of strangers leave room for those of the product', async t => {
  const email = newEmail()
  for (let index = 0; index < 14; index++) {
    const { tenantId } = await people.person()
    await send({ to: person(email, { isForeign: true }) }, { tenantId })
  }
  t.is((await mailsTo(email)).length, 10)
})

test('data that the template needs must be there', async t => {
  const ada = await people.person()
  const sent = send({ to: person(newEmail()), data: { title: 'Chair' } }, ada)
  t.is((await problemOf(t, sent)).code, 'template_failed')
})

test('the check finds unknown templates and missing data', t => {
  const check = (input: object) => mistakesOf(kernel.kernel, 'comms.mail', { to: '$row.createdBy', ...input })
  t.deepEqual(check({ template: 'desk.recieved' }), [
    'unknown_template template: Unknown email template "desk.recieved". Did you mean "desk.received"?',
  ])
  t.deepEqual(check({ template: TEMPLATE, data: { titel: '$row.title', text: 'x' } }), [
    'missing_data data: The email template "desk.received" needs title. Did you mean "titel"? Write title there',
  ])
  t.deepEqual(check({ template: TEMPLATE }), [
    'missing_data : The email template "desk.received" needs title. Add data: { title: … }',
    'missing_data : The email template "desk.received" needs text. Add data: { text: … }',
  ])
  t.deepEqual(check({ template: TEMPLATE, data: { title: '$row.title', text: 'x' } }), [])
  t.deepEqual(check({ template: '$input.template' }), [])
})
