import test from 'ava'
import { type Client, TEST_PASSWORD } from '../../../testing/index.ts'
import { withPeople } from '../../fixtures/with-people.ts'
import { codeOf, fieldErrors, newEmail } from './fixtures.ts'

const { kernel } = withPeople(test, {
  recipe: { locales: { default: 'en', available: ['en', 'de'] }, modules: { identity: {}, comms: {} } },
  alone: true,
})

const REGISTER = '/v1/auth/register'
const INVITE = '/v1/identity/members/invite'
const roles = ['tenant.member']

const register = (body: object, language = '') =>
  kernel.post(
    REGISTER,
    { email: newEmail(), password: TEST_PASSWORD, ...body },
    { headers: { 'accept-language': language } },
  )

async function subjects(email: string): Promise<string[]> {
  await kernel.settled()
  const inbox = await kernel.get(`/v1/communications/mailbox?filter[to]=${encodeURIComponent(email)}`)
  return inbox.body.data.map(({ subject }) => subject)
}

test('registers with the language of the body, and sends mail in it', async t => {
  const email = newEmail()
  const { body } = await register({ email, locale: 'de' }, 'en')
  t.is(body.user.locale, 'de')
  t.deepEqual(await subjects(email), ['Willkommen bei Test'])
  t.deepEqual(fieldErrors(await register({ locale: 'fr' })), ['/locale not_allowed'])
})

test('registers with the language that the browser accepts', async t => {
  for (const [header, locale] of [
    ['de-DE,de;q=0.9,en;q=0.8', 'de'],
    ['fr, en;q=0.5, de;q=0.4', 'en'],
    ['fr', null],
    ['*', null],
    ['', null],
  ] as const)
    t.is((await register({}, header)).body.user.locale, locale, header)
})

test('registers with the language of the sign-up page', async t => {
  const email = newEmail()
  const response = await fetch(new URL('/sign-up', kernel.url), {
    method: 'POST',
    redirect: 'manual',
    headers: {
      accept: 'text/html',
      origin: kernel.url,
      'sec-fetch-site': 'same-origin',
      'accept-language': 'en',
      cookie: 'platform_locale=de',
    },
    body: new URLSearchParams({ email, password: TEST_PASSWORD, name: '', next: '', invitation: '' }),
  })
  t.is(response.status, 303)
  t.deepEqual(await subjects(email), ['Willkommen bei Test'])
})

async function owner(locale = 'en'): Promise<Client> {
  return kernel.as((await register({ name: 'Ada', workspaceName: 'Engines', locale })).body.token)
}

test("shows the messages of a form in the reader's language", async t => {
  const response = await fetch(new URL('/sign-up', kernel.url), {
    method: 'POST',
    headers: { accept: 'text/html', 'accept-language': 'de', origin: kernel.url },
    body: new URLSearchParams({ email: 'nobody', password: 'short' }),
  })
  const text = await response.text()
  t.regex(text, /id="error">Prüfen Sie die 2 markierten Felder\.</)
  t.regex(text, /id="email-error">E-Mail muss eine E-Mail-Adresse sein\.</)
  t.regex(text, /id="password-error">Passwort muss mindestens \d+ Zeichen lang sein\.</)
})

test('sends an invitation in the language it names, also again', async t => {
  const ada = await owner()
  const email = newEmail()
  const invited = await ada.post(INVITE, { email, roles, locale: 'de' })
  t.deepEqual([invited.status, invited.body.locale], [201, 'de'])
  t.deepEqual(await subjects(email), ['Ada hat Sie zu Engines eingeladen'])
  await ada.post(`/v1/identity/invitations/${invited.body.id}/resend`, {})
  t.deepEqual(await subjects(email), ['Ada hat Sie zu Engines eingeladen', 'Ada hat Sie zu Engines eingeladen'])
  // A new invitation of the same address keeps the language unless it names another one.
  t.is((await ada.post(INVITE, { email, roles })).body.locale, 'de')
  t.is((await ada.post(INVITE, { email, roles, locale: 'en' })).body.locale, 'en')
  t.deepEqual(fieldErrors(await ada.post(INVITE, { email: newEmail(), roles, locale: 'fr' })), ['/locale not_allowed'])
})

test('sends an invitation in the language of an existing account, otherwise in the default language', async t => {
  const ada = await owner()
  const [german, newcomer] = [newEmail(), newEmail()]
  await register({ email: german, locale: 'de' })
  for (const email of [german, newcomer]) t.is(codeOf(await ada.post(INVITE, { email, roles })), '201')
  t.true((await subjects(german)).includes('Ada hat Sie zu Engines eingeladen'))
  t.deepEqual(await subjects(newcomer), ['Ada invited you to Engines'])
})

test('sends an invitation to a stranger in the language of the inviter', async t => {
  const ada = await owner('de')
  const email = newEmail()
  await ada.post(INVITE, { email, roles })
  t.deepEqual(await subjects(email), ['Ada hat Sie zu Engines eingeladen'])
})

test('an invited person registers with the language of the invitation', async t => {
  const ada = await owner()
  const invite = async (email: string) => {
    const invited = await ada.post<{ link: string }>(INVITE, { email, roles, locale: 'de', sendEmail: false })
    return new URL(invited.body.link).searchParams.get('token')
  }
  const [email, other] = [newEmail(), newEmail()]
  t.is((await register({ email, invitation: await invite(email) })).body.user.locale, 'de')
  t.is((await register({ email: other, invitation: await invite(other) }, 'en')).body.user.locale, 'en')
  t.is((await register({ invitation: 'forged' })).body.user.locale, null)
  t.is((await register({ invitation: await invite(newEmail()) })).body.user.locale, null, "another person's invitation")
})

test("lists permissions and built-in roles in the reader's language", async t => {
  const owner = await kernel.register(newEmail())
  const reader = owner.with({ 'accept-language': 'de' })
  await owner.post('/v1/identity/roles', { key: 'team.member', name: 'Member', permissions: [] })
  const roles = (await reader.get('/v1/identity/roles')).body.data
  t.is(roles.find(({ key }) => key === 'tenant.member')?.name, 'Mitglied')
  t.is(roles.find(({ key }) => key === 'team.member')?.name, 'Member')
  const permissions = '/v1/identity/permissions?limit=100'
  const [german, english] = [await reader.get(permissions), await owner.get(permissions)]
  t.is(german.status, 200)
  t.true(german.body.data.some(({ title }) => title === 'Mitglieder einladen'))
  t.notDeepEqual(german.body, english.body)
})

test("names the workspace of a new account in the account's language", async t => {
  const named = async (body: object) => {
    const { token } = (await register({ name: 'Ada', ...body })).body
    return (
      await kernel.get('/v1/identity/tenants', {
        headers: { authorization: `Bearer ${token}` },
      })
    ).body.data
  }
  t.deepEqual(
    (await named({ locale: 'de' })).map(({ name }) => name),
    ['Workspace von Ada'],
  )
  t.deepEqual(
    (await named({ locale: 'en' })).map(({ name }) => name),
    ["Ada's workspace"],
  )
})

test('translates problem documents to the language of Accept-Language', async t => {
  const create = (language: string) =>
    kernel.post<Problem>(
      REGISTER,
      { email: 'nobody', password: TEST_PASSWORD },
      { headers: { 'accept-language': language } },
    )
  const german = await create('de-AT, en;q=0.5')
  t.like(german.body, { code: 'validation_failed', title: 'Ungültige Angaben' })
  t.is(german.body.errors[0]?.detail, 'muss eine E-Mail-Adresse sein')
  t.is(german.headers.get('content-language'), 'de')
  for (const language of ['en', 'fr', '*', '']) {
    const { body, headers } = await create(language)
    t.like(body, { title: 'Validation failed', detail: 'Some fields are invalid; see `errors`.' }, language)
    t.is(headers.get('content-language'), null)
  }
})
interface Problem {
  title: string
  errors: { detail: string }[]
}
