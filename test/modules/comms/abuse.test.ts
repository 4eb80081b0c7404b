/** Limits that keep tenants from using the product's email for phishing and mail bombs. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test from 'ava'
import type { Person, TestResponse } from '../../../testing/index.ts'
import { withPeople } from '../../fixtures/with-people.ts'

interface Message {
  id: string
  status: string
  events: { type: string; detail?: string }[]
}
interface ProblemDocument {
  code: string
  errors?: { pointer: string; detail: string }[]
}

const MESSAGES = '/v1/communications/messages'
const RESET = '/v1/communications/templates/identity.password_reset'
const HELLO = '---\nsubject: Hello\n---\n<p>Hello</p>'
const folder = mkdtempSync(join(tmpdir(), 'larder-mail-abuse-'))

let people = 0

const { kernel } = withPeople(test, () => {
  writeFileSync(join(folder, 'hello.hbs'), HELLO)
  return {
    folder,
    recipe: {
      modules: {
        identity: {},
        comms: { recipientLimits: { hour: 4, day: 6 } },
        billing: { provider: 'dev', defaultPlan: 'free' },
      },
      emails: { 'shop.hello': { template: './hello.hbs' } },
      entitlements: { 'comms.send': { kind: 'meter', period: 'day' } },
      plans: { free: { name: 'Free', price: 0, currency: 'EUR', entitlements: { 'comms.send': 3 } } },
    },
  }
})
test.after.always(() => rmSync(folder, { recursive: true, force: true }))

const person = () => kernel.register(`abuse-${++people}@example.test`)
const problem = (answer: TestResponse<unknown>) => answer.body as ProblemDocument
const send = (who: Person, to: string, templateKey = 'shop.hello', data: object = {}) =>
  who.post(MESSAGES, { templateKey, to, data })
async function delivered(who: Person, id: string): Promise<Message> {
  await kernel.settled()
  return (await who.get(`${MESSAGES}/${id}`)).body
}

test('rejects product emails that are sent by API', async t => {
  const ada = await person()
  const data = { name: 'Victim', link: 'https://evil.test/reset' }
  const sent = await send(ada, 'victim@example.test', 'identity.password_reset', data)
  t.deepEqual([sent.status, problem(sent).code], [403, 'template_not_sendable'])
  const tested = await ada.post(`${RESET}/test`, { to: 'victim@example.test', data })
  t.deepEqual([tested.status, problem(tested).code], [403, 'template_not_sendable'])
  t.is((await send(ada, 'bob@example.test', 'comms.test')).status, 202)
})

for (const [what, html, text, pointer] of [
  ['another link', '<p><a href="{{url link}}">Reset</a> <a href="https://evil.test/">Help</a></p>', null, '/html'],
  [
    'an encoded link',
    '<p><a href="{{url link}}">Reset</a> <a href="&#104;ttps://evil.test">Help</a></p>',
    null,
    '/html',
  ],
  ['a domain name as text', '<p><a href="{{url link}}">Reset</a> or visit evil.test</p>', null, '/html'],
  ['an image', '<p><a href="{{url link}}">Reset</a><img src="//evil.test/x.png"></p>', null, '/html'],
  ['a form', '<form><a href="{{url link}}">Reset</a><input name="password"></form>', null, '/html'],
  ['no action link', '<p>Hi {{name}}</p>', null, '/html'],
  ['a link in the text version', '<p><a href="{{url link}}">Reset</a></p>', 'Go to https://evil.test', '/text'],
  ['a text version without the action link', '<p><a href="{{url link}}">Reset</a></p>', 'Hello', '/text'],
] as const)
  test(`rejects an override of a product email with ${what}`, async t => {
    const ada = await person()
    const answer = await ada.put(RESET, { subject: 'Reset', html, text })
    t.is(answer.status, 422, JSON.stringify(answer.body))
    t.like(problem(answer), { code: 'override_not_allowed' })
    t.true(
      problem(answer).errors?.some(error => error.pointer === pointer),
      JSON.stringify(problem(answer)),
    )
  })

test("accepts an override of a product email that keeps the product's links", async t => {
  const ada = await person()
  const html = '<h1>Hi {{name}}</h1><p><a class="button" href="{{url link}}">Choose a password</a></p>'
  const answer = await ada.put(RESET, { subject: 'Your password', html, text: 'Choose a password: {{link}}' })
  t.is(answer.status, 201, JSON.stringify(answer.body))
})

test('counts emails sent by API against the entitlement comms.send', async t => {
  const ada = await person()
  for (let n = 0; n < 3; n++) t.is((await send(ada, `quota-${n}@example.test`)).status, 202)
  const over = await send(ada, 'quota-3@example.test')
  t.deepEqual([over.status, problem(over).code], [403, 'entitlement_exceeded'])
  const tested = await ada.post('/v1/communications/templates/comms.test/test', { to: 'x@example.test' })
  t.deepEqual([tested.status, problem(tested).code], [403, 'entitlement_exceeded'])
})

test('limits emails to one recipient across tenants', async t => {
  const [ada, eve] = [await person(), await person()]
  const to = 'bombed@example.test'
  const statuses: string[] = []
  for (const who of [ada, eve, ada, eve]) {
    const { body } = await send(who, to)
    statuses.push((await delivered(who, body.id)).status)
  }
  // Emails sent by API may use half of the limit.
  t.deepEqual(statuses, ['sent', 'sent', 'suppressed', 'suppressed'])
})

test('counts suppressed emails by reason at /metrics, without labels per tenant', async t => {
  const read = async () => {
    const text = (await kernel.get<string>('/metrics')).body
    const lines = text.split('\n').filter(line => line.startsWith('larder_mails_suppressed_total{'))
    return Object.fromEntries(lines.map(line => /reason="(\w+)"\} (\d+)/.exec(line)?.slice(1) ?? [line, '']))
  }
  const before = await read()
  t.deepEqual(Object.keys(before).sort(), ['complaint', 'hard_bounce', 'manual', 'recipient_limit', 'unsubscribed'])
  const ada = await person()
  await ada.post('/v1/communications/suppression', { email: 'blocked@example.test' })
  t.is((await send(ada, 'blocked@example.test')).body.status, 'suppressed')
  const to = 'flooded@example.test'
  const flood = [await person(), await person(), await person()]
  for (const who of flood) await delivered(who, (await send(who, to)).body.id)
  const after = await read()
  t.is(Number(after.manual) - Number(before.manual), 1)
  t.true(Number(after.recipient_limit) > Number(before.recipient_limit))
})

test('delivers a password reset to a recipient whose API limit is used up', async t => {
  const [ada, victim] = [await person(), await person()]
  for (let n = 0; n < 3; n++) await send(ada, victim.email)
  await kernel.settled()
  await kernel.post('/v1/auth/password/forgot', { email: victim.email })
  await kernel.settled()
  const { body } = await kernel.get(`/v1/communications/mailbox?filter[to]=${victim.email}`)
  t.true(body.data.some(({ subject }) => subject.startsWith('Reset your')))
})
