/** What people type and paste: addresses, codes and names. */
import test from 'ava'
import { startTestKernel, TEST_PASSWORD, type TestKernel } from '../../../testing/index.ts'
import { shareKernel } from '../../fixtures/shared-kernel.ts'
import { codeOf, newEmail, type Page } from './fixtures.ts'
import { visitor } from './pages/forms.ts'

let kernel: TestKernel
const start = () =>
  startTestKernel({
    recipe: {
      modules: {
        identity: { signIn: { password: {}, emailLink: {} } },
        comms: {},
        forms: {},
        messaging: {},
        collections: {},
      },
      collections: { people: { fields: { address: { type: 'email' } } } },
    },
  })
shareKernel(test, start, own => {
  kernel = own
})

test('an address with spaces around it registers, signs in, is invited and is found', async t => {
  const email = newEmail('ada')
  const ada = await kernel.register(`  ${email}\u200b`)
  const me = await ada.get('/v1/auth/me')
  t.is(me.body.user.email, email)
  t.is((await kernel.post('/v1/auth/login', { email: ` ${email}\n`, password: TEST_PASSWORD })).status, 200)
  const page = await visitor(kernel).submit('/sign-in', { email: `\t${email} `, password: TEST_PASSWORD })
  t.is(page.status, 303)
  const guest = newEmail('guest')
  const invited = await ada.post('/v1/identity/members/invite', { email: `${guest} ` })
  t.is(invited.body.email, guest)
  const suppressed = { email: ` ${guest} `, category: 'marketing' }
  t.true((await ada.post('/v1/communications/suppression', suppressed)).status < 300)
  const found = `/v1/communications/suppression?filter[email]=${encodeURIComponent(` ${guest} `)}`
  t.is((await ada.get<Page<object>>(found)).body.data.length, 1)
})

test('an address in NFD is the address in NFC', async t => {
  const email = newEmail('ada').replace('example.test', 'jürgen.test')
  const ada = await kernel.register(email.normalize('NFD'))
  t.is((await ada.get('/v1/auth/me')).body.user.email, email.normalize('NFC'))
  t.is(
    codeOf(await kernel.post('/v1/auth/register', { email: email.normalize('NFC'), password: TEST_PASSWORD })).slice(
      0,
      3,
    ),
    '409',
  )
})

test('addresses of fields, filters and forms are trimmed', async t => {
  const ada = await kernel.register(newEmail('ada'))
  const row = await ada.post<{ address: string }>('/v1/data/people', { address: ' bob@example.test ' })
  t.is(row.body.address, 'bob@example.test')
  const filter = `/v1/data/people?filter[address]=${encodeURIComponent('bob@example.test ')}`
  t.is((await ada.get<Page<object>>(filter)).body.data.length, 1)
  const schema = {
    type: 'object',
    required: ['email'],
    properties: {
      email: { type: 'string', format: 'email' },
      others: { type: 'array', items: { $ref: '#/$defs/one' } },
    },
    $defs: { one: { type: 'string', format: 'email' } },
  }
  const form = await ada.post('/v1/forms', { name: 'Contact', access: 'tenant', schema })
  const data = { email: ' bob@example.test\n', others: ['cy@example.test '] }
  t.is((await ada.post(`/v1/forms/${form.body.id}/submit`, { data })).status, 201)
  const { body } = await ada.get(`/v1/forms/${form.body.id}/submissions`)
  t.deepEqual(body.data[0]?.data, { email: 'bob@example.test', others: ['cy@example.test'] })
})

test('a mailed code works with spaces, dashes and full-width digits', async t => {
  for (const write of [
    (code: string) => `${code.slice(0, 3)} ${code.slice(3)}`,
    (code: string) => `${code.slice(0, 3)}-${code.slice(3)} `,
    (code: string) => code.replace(/\d/g, digit => String.fromCodePoint(0xff10 + Number(digit))),
  ]) {
    const { body } = await kernel.post('/v1/auth/email-code', { email: newEmail('code') })
    await kernel.settled()
    const code = kernel.kernel.ports.secrets.code('sign_in_code', body.request)
    const proof = { request: body.request, code: write(code) }
    t.is((await kernel.post('/v1/auth/email-code/verify', proof)).status, 200)
  }
})

test('a name that hides a link in an encoded word is refused', async t => {
  const ada = await kernel.register(newEmail('ada'))
  const name = `=?utf-8?B?${Buffer.from('https://evil.test').toString('base64')}?=`
  t.is(codeOf(await ada.patch('/v1/auth/me', { name })), '422 validation_failed')
  t.is(codeOf(await ada.patch(`/v1/identity/tenants/${ada.tenantId}`, { name })), '422 validation_failed')
})

test('texts of invisible characters alone are refused', async t => {
  const ada = await kernel.register(newEmail('ada'))
  const invisible = '\u200b\u3164\n\u2800'
  const talk = await ada.post('/v1/messaging/conversations', { subject: 'Talk', participantIds: [] })
  const messages = `/v1/messaging/conversations/${talk.body.id}/messages`
  t.is(codeOf(await ada.post(messages, { body: invisible })), '422 validation_failed')
  t.is(
    codeOf(await ada.post('/v1/messaging/saved-replies', { title: 'Hello', body: invisible })),
    '422 validation_failed',
  )
  const schema = {
    type: 'object',
    required: ['name'],
    properties: { name: { type: 'string' }, note: { type: 'string', minLength: 1 }, free: { type: 'string' } },
  }
  const form = await ada.post('/v1/forms', { name: 'Contact', access: 'tenant', schema })
  const submit = async (data: object) => codeOf(await ada.post(`/v1/forms/${form.body.id}/submit`, { data }))
  t.is(await submit({ name: invisible }), '422 validation_failed')
  t.is(await submit({ name: 'Ada', note: '\u2060' }), '422 validation_failed')
  t.is(await submit({ name: 'Ada', note: '.', free: invisible }), '201')
})
