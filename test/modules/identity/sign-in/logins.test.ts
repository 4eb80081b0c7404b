import test from 'ava'
import { type Person, TEST_PASSWORD } from '../../../../testing/index.ts'
import { withPeople } from '../../../fixtures/with-people.ts'
import { codeOf, identityRecipe, newEmail, type Page } from '../fixtures.ts'
import { visitor } from '../pages/forms.ts'

const HOUR = 3_600_000
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'

const { kernel, clock } = withPeople(test, {
  recipe: identityRecipe({ sessions: { perUser: 3 } }),
  clock: true,
  env: { TRUST_PROXY: '1' },
})

const listOf = async (client: Pick<Person, 'get'>) => (await client.get('/v1/auth/sessions')).body.data

async function signIn(email: string, headers: Readonly<Record<string, string>> = {}) {
  const answer = await kernel.with(headers).post('/v1/auth/login', { email, password: TEST_PASSWORD })
  const device = answer.headers.getSetCookie().find(cookie => cookie.startsWith('platform_device=')) ?? ''
  return { client: kernel.as(answer.body.token), device: device.split(';')[0] ?? '' }
}
/** The texts of the mails about new devices. */
async function newDeviceMails(email: string): Promise<string[]> {
  await kernel.settled()
  const path = `/v1/communications/mailbox?filter[to]=${encodeURIComponent(email)}`
  const { body } = await kernel.get<Page<{ id: string; subject: string }>>(path)
  const about = body.data.filter(({ subject }) => subject.startsWith('New sign-in'))
  const mails = about.map(({ id }) => kernel.get<{ text: string }>(`/v1/communications/mailbox/${id}`))
  return (await Promise.all(mails)).map(mail => mail.body.text)
}

test('lists logins with their device in words and their last use', async t => {
  const { email } = await kernel.register(newEmail('ada'))
  const { client } = await signIn(email, { 'user-agent': FIREFOX })
  const [current] = await listOf(client)
  t.like(current, { current: true, device: 'Firefox, Linux' })
  t.true(Date.parse(current?.lastUsedAt ?? '') <= clock.now())
})

test('ends all logins but the own one', async t => {
  const ada = await kernel.register(newEmail('ada'))
  const { client } = await signIn(ada.email)
  t.deepEqual((await client.delete('/v1/auth/sessions')).body, { ended: 1 })
  t.is(codeOf(await ada.get('/v1/me')), '401 unauthenticated')
  t.is((await listOf(client)).length, 1)
})

test('the page ends all other devices', async t => {
  const ada = await kernel.register(newEmail('ada'))
  const { client } = await signIn(ada.email)
  const browser = visitor(kernel, ada.cookie)
  t.regex((await browser.open('/account/logins')).body, /Sign out all other devices/)
  t.is((await browser.submit('/account/logins', { intent: 'others' })).location, '/account/logins?done=others')
  t.is(codeOf(await client.get('/v1/me')), '401 unauthenticated')
  t.notRegex((await browser.open('/account/logins')).body, /Sign out all other devices/)
})

test('one login more than the recipe allows ends the one that was not used for the longest time', async t => {
  const ada = await kernel.register(newEmail('ada'))
  const second = await signIn(ada.email)
  const third = await signIn(ada.email)
  const fourth = await signIn(ada.email)
  t.is(codeOf(await ada.get('/v1/me')), '401 unauthenticated')
  for (const { client } of [second, third, fourth]) t.is(codeOf(await client.get('/v1/me')), '200')
})

test('concurrent sign-ins keep no more logins than the recipe allows', async t => {
  const ada = await kernel.register(newEmail('ada'))
  const signedIn = await Promise.all(Array.from({ length: 12 }, () => signIn(ada.email)))
  const answers = await Promise.all([ada, ...signedIn.map(({ client }) => client)].map(client => client.get('/v1/me')))
  t.is(answers.filter(({ status }) => status === 200).length, 3)
})

test('mails a sign-in with a new device, and none with a known one', async t => {
  const { email } = await kernel.register(newEmail('ada'))
  const away = { 'x-forwarded-for': '198.51.100.7', 'user-agent': FIREFOX }
  await signIn(email)
  const { device } = await signIn(email, away)
  const mails = await newDeviceMails(email)
  t.is(mails.length, 1)
  t.regex(mails[0] ?? '', /Firefox, Linux/)
  await signIn(email, { ...away, 'x-forwarded-for': '203.0.113.9', cookie: device })
  await signIn(email, away)
  t.is((await newDeviceMails(email)).length, 1)
})

test.serial('tabs that extend a login at the same time all stay signed in', async t => {
  const ada = await kernel.register(newEmail('ada'))
  const { client } = await signIn(ada.email)
  clock.forward(2 * HOUR)
  const answers = await Promise.all(Array.from({ length: 8 }, () => client.get('/v1/me')))
  t.deepEqual(new Set(answers.map(codeOf)), new Set(['200']))
  const [current] = await listOf(client)
  t.true(Date.parse(current?.lastUsedAt ?? '') > clock.now() - HOUR)
  t.is(codeOf(await client.get('/v1/me')), '200')
})
