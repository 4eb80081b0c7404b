import test from 'ava'
import { DAY } from '../../../kernel/base/units.ts'
import { linkToken } from '../../../modules/identity/domain/links.ts'
import { type Client, TEST_PASSWORD } from '../../../testing/index.ts'
import { codeOf, expectStatus } from '../../fixtures/people.ts'
import { race } from '../../fixtures/race.ts'
import { withPeople } from '../../fixtures/with-people.ts'
import { ENTRY, FORMS, type Form, formsRecipe, newForm, startFixtures } from './fixtures.ts'

interface Mail {
  id: string
  subject: string
  text: string
}

const recipe = {
  locales: { default: 'en', available: ['en', 'de'] },
  modules: { comms: { transport: 'mailbox', recipientLimits: { hour: 1000, day: 1000 } } },
  forms: {
    contact: { name: 'Contact the operator', access: 'public', notify: ['desk@operator.test'], schema: {} },
  },
}

let names = 0

const { kernel, people } = withPeople(test, { recipe: formsRecipe(recipe) })
/** Tests that move the clock use this one. */
const clocked = withPeople(test, { recipe: formsRecipe(recipe), clock: true })

const stranger = () => `stranger-${++names}@example.test`
const submit = async (form: Form, client: Client = kernel) => {
  expectStatus(201, await client.post(`${FORMS}/${form.id}/submit`, ENTRY))
  await kernel.settled()
}
/** Newest first. */
async function mailsTo(address: string, from = kernel): Promise<Mail[]> {
  await from.settled()
  const path = '/v1/communications/mailbox'
  const { data } = expectStatus(200, await from.get<{ data: Mail[] }>(`${path}?filter[to]=${address}`))
  return Promise.all(data.map(async ({ id }) => (await from.get<Mail>(`${path}/${id}`)).body))
}
const subjectsTo = async (address: string) => (await mailsTo(address)).map(({ subject }) => subject)
/** Events and jobs send emails concurrently, so that other emails to this address may be newer. */
async function mailTo(address: string, subject: string): Promise<Mail | undefined> {
  return (await mailsTo(address)).find(mail => mail.subject === subject)
}
/** The path and query of the newest link to this address. */
async function linkTo(address: string, path: string): Promise<string> {
  const links = (await mailsTo(address)).map(({ text }) =>
    new RegExp(`/form-notifications/${path}\\?token=[\\w.%-]+`).exec(text),
  )
  return links.find(link => link !== null)?.[0] ?? ''
}
const open = (link: string, language = 'en') =>
  kernel.get<string>(link, { headers: { accept: 'text/html', 'accept-language': language } })
function post(link: string, fields: Record<string, string> = {}, language = 'en') {
  const { pathname, searchParams } = new URL(link, kernel.url)
  const origin = kernel.url
  return kernel.call<string>(
    'POST',
    pathname,
    String(new URLSearchParams({ token: String(searchParams.get('token')), ...fields })),
    {
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        accept: 'text/html',
        'accept-language': language,
        'sec-fetch-site': 'same-origin',
        origin,
      },
    },
  )
}
const statesOf = ({ recipients }: Form) => Object.fromEntries(recipients.map(({ address, state }) => [address, state]))
const read = async (client: Client, { id }: Form) => (await client.get<Form>(`${FORMS}/${id}`)).body
/** Confirms the address of a person. Returns a client with a new session. */
async function confirmAddress({ userId, email }: { userId: string; email: string }): Promise<Client> {
  const token = linkToken(kernel.kernel.ports.secrets, 'verify_email', { id: userId, version: 1 })
  const { status } = await kernel.post('/v1/auth/verify-email', { token, password: TEST_PASSWORD })
  if (status >= 300) throw new Error(`confirming an address returned ${status}`)
  const { body } = await kernel.post<{ token: string }>('/v1/auth/login', { email, password: TEST_PASSWORD })
  return kernel.as(body.token)
}

test('strangers receive one request to confirm, and no submissions', async t => {
  const ada = await people.person()
  const notify = Array.from({ length: 20 }, stranger)
  const form = await newForm(ada, { access: 'public', name: 'Buy now at evil.test', notify })
  t.true(Object.values(statesOf(form)).every(state => state === 'pending'))
  for (let n = 0; n < 3; n++) await submit(form)
  for (const address of notify) {
    const mails = await mailsTo(address)
    t.deepEqual(
      mails.map(({ subject }) => subject),
      ['Confirm form notifications from Test'],
      address,
    )
    t.notRegex(mails[0]?.text ?? '', /evil/)
  }
})

test('a confirmed address receives submissions until it unsubscribes', async t => {
  const ada = await people.person()
  const address = stranger()
  const form = await newForm(ada, { access: 'public', notify: [address] })
  const link = await linkTo(address, 'confirm')
  const page = await open(link)
  t.is(page.status, 200)
  t.regex(page.body, /<button>Confirm<\/button>/)
  t.deepEqual(statesOf(await read(ada, form)), { [address]: 'pending' }, 'opening the link has no effect')

  const confirmed = await post(link)
  t.is(confirmed.status, 200)
  t.regex(confirmed.body, /now receives/)
  t.deepEqual(statesOf(await read(ada, form)), { [address]: 'confirmed' })
  t.is((await post(link)).status, 404, 'the link works once')
  t.is((await open(link)).status, 404)
  await submit(form)
  t.is((await subjectsTo(address))[0], 'New submission: Contact')

  const unsubscribe = await linkTo(address, 'unsubscribe')
  t.regex((await open(unsubscribe)).body, /<button>Unsubscribe<\/button>/)
  t.deepEqual(statesOf(await read(ada, form)), { [address]: 'confirmed' })
  t.is((await post(unsubscribe)).status, 200)
  t.deepEqual(statesOf(await read(ada, form)), { [address]: 'unsubscribed' })
  await submit(form)
  expectStatus(200, await ada.patch(`${FORMS}/${form.id}`, { notify: [address] }))
  t.is((await subjectsTo(address)).length, 2, 'neither submissions nor requests')

  t.is((await post(unsubscribe, { action: 'resubscribe' })).status, 200)
  t.deepEqual(statesOf(await read(ada, form)), { [address]: 'confirmed' })
})

test('a confirmation is valid for all forms of its workspace only', async t => {
  const [ada, eve] = [await people.person(), await people.person()]
  const address = stranger()
  await newForm(ada, { notify: [address] })
  await post(await linkTo(address, 'confirm'))
  t.deepEqual(statesOf(await newForm(ada, { notify: [address.toUpperCase()] })), {
    [address.toUpperCase()]: 'confirmed',
  })
  t.deepEqual(statesOf(await newForm(eve, { notify: [address] })), { [address]: 'pending' })
})

test('members with a confirmed address receive submissions until they are removed', async t => {
  const ada = await people.person()
  const bob = await people.colleague(ada, ['tenant.member'])
  const form = await newForm(ada, { access: 'public', notify: [bob.email] })
  t.deepEqual(statesOf(form), { [bob.email]: 'pending' }, 'the address is not confirmed')
  await confirmAddress(bob)
  t.deepEqual(statesOf(await read(ada, form)), { [bob.email]: 'member' })
  await submit(form)
  const mail = await mailTo(bob.email, 'New submission: Contact')
  t.truthy(mail)
  t.notRegex(mail?.text ?? '', /unsubscribe/i)
  const { data } = (await ada.get<{ data: { id: string; userId: string }[] }>('/v1/identity/members')).body
  const member = data.find(({ userId }) => userId === bob.userId)
  t.is((await ada.delete(`/v1/identity/members/${member?.id}`)).status, 204)
  await submit(form)
  t.is((await subjectsTo(bob.email)).filter(subject => subject.startsWith('New submission')).length, 1)
  t.deepEqual(statesOf(await read(ada, form)), { [bob.email]: 'pending' })
})

test('joining replaces an earlier confirmation, so that a removal stops notifications', async t => {
  const [ada, bob] = [await people.person(), await people.person()]
  const signedIn = await confirmAddress(bob)
  const form = await newForm(ada, { access: 'public', notify: [bob.email] })
  await post(await linkTo(bob.email, 'confirm'))
  t.deepEqual(statesOf(await read(ada, form)), { [bob.email]: 'confirmed' })
  const invited = await ada.post<{ link: string }>('/v1/identity/members/invite', {
    email: bob.email,
    roles: ['tenant.member'],
    sendEmail: false,
  })
  const token = new URL(invited.body.link).searchParams.get('token')
  const joined = await signedIn.post<{ membership: { id: string } }>('/v1/identity/invitations/accept', { token })
  await kernel.settled()
  t.deepEqual(statesOf(await read(ada, form)), { [bob.email]: 'member' })
  t.is((await ada.delete(`/v1/identity/members/${joined.body.membership.id}`)).status, 204)
  t.deepEqual(statesOf(await read(ada, form)), { [bob.email]: 'pending' })
})

test("addresses of the recipe are the operator's: they receive submissions and can unsubscribe", async t => {
  const operator = await people.operator()
  const { data } = (await operator.get<{ data: Form[] }>(FORMS)).body
  const form = data.find(({ key }) => key === 'contact') as Form
  t.deepEqual(statesOf(form), { 'desk@operator.test': 'confirmed' })
  await submit(form)
  t.deepEqual(await subjectsTo('desk@operator.test'), ['New submission: Contact the operator'])
  t.is((await post(await linkTo('desk@operator.test', 'unsubscribe'))).status, 200)
  await submit(form)
  t.is((await subjectsTo('desk@operator.test')).length, 1)
  t.deepEqual(statesOf(await read(operator, form)), { 'desk@operator.test': 'unsubscribed' })
})

test('limits requests to 3 a day per address over all workspaces, and 20 a day per workspace', async t => {
  const address = stranger()
  for (let n = 0; n < 5; n++) await newForm(await people.person(), { notify: [address] })
  t.is((await subjectsTo(address)).length, 3)

  const ada = await people.person()
  const many = Array.from({ length: 25 }, stranger)
  await newForm(ada, { notify: many.slice(0, 15) })
  await newForm(ada, { notify: many.slice(15) })
  const counts = await Promise.all(many.map(async address => (await mailsTo(address)).length))
  t.is(
    counts.reduce((sum, count) => sum + count, 0),
    20,
  )
})

test('two forms that are saved at once share the limit of their workspace', async t => {
  const ada = await people.person()
  const many = Array.from({ length: 24 }, stranger)
  await race(kernel.databaseUrl, 'lock table forms_recipients in share mode', [
    () => newForm(ada, { notify: many.slice(0, 12) }),
    () => newForm(ada, { notify: many.slice(12) }),
  ])
  const counts = await Promise.all(many.map(async address => (await mailsTo(address)).length))
  t.is(
    counts.reduce((sum, count) => sum + count, 0),
    20,
  )
})

test.serial('saving the addresses again sends another request after a day, and ends the earlier link', async t => {
  const ada = await clocked.people.person()
  const address = stranger()
  const form = await newForm(ada, { notify: [address] })
  const count = async () => (await mailsTo(address, clocked.kernel)).length
  // A login would expire.
  const resave = async () =>
    expectStatus(200, await clocked.kernel.as(ada.apiKey).patch(`${FORMS}/${form.id}`, { notify: [address] }))
  await resave()
  t.is(await count(), 1)
  for (const [days, expected] of [
    [1, 2],
    [1, 3],
    [1, 3],
    [30, 4],
  ] as const) {
    clocked.clock.forward(days * DAY)
    await resave()
    t.is(await count(), expected)
  }
  const links = (await mailsTo(address, clocked.kernel)).map(
    ({ text }) => /\/form-notifications\/confirm\?token=[\w.%-]+/.exec(text)?.[0] ?? '',
  )
  const status = async (link: string | undefined) =>
    (await clocked.kernel.get(String(link), { headers: { accept: 'text/html' } })).status
  t.is(await status(links[1]), 404)
  t.is(await status(links[0]), 200)
  clocked.clock.forward(8 * DAY)
  t.is(await status(links[0]), 404, 'the link has expired')
})

test.serial('a clock that was set back does not delay the next request', async t => {
  const ada = await clocked.people.person()
  const address = stranger()
  clocked.clock.forward(3 * DAY)
  const form = await newForm(ada, { notify: [address] })
  t.is((await mailsTo(address, clocked.kernel)).length, 1)
  clocked.clock.forward(-3 * DAY)
  expectStatus(200, await clocked.kernel.as(ada.apiKey).patch(`${FORMS}/${form.id}`, { notify: [address] }))
  t.is((await mailsTo(address, clocked.kernel)).length, 2)
})

test('an account that must confirm its address cannot make the product mail strangers', async t => {
  const held = await startFixtures({
    ...recipe,
    modules: { ...recipe.modules, identity: { requireVerifiedEmail: true } },
  })
  t.teardown(held.stop)
  const ada = await held.person()
  t.is(codeOf(await ada.post(FORMS, { name: 'x', schema: {}, notify: [stranger()] })), '403 email_not_verified')
  const form = await newForm(ada)
  t.is(codeOf(await ada.patch(`${FORMS}/${form.id}`, { notify: [stranger()] })), '403 email_not_verified')
  t.is((await ada.patch(`${FORMS}/${form.id}`, { name: 'y' })).status, 200)
})

test('pages and mails are in the language of the reader', async t => {
  const ada = await kernel.register(`${stranger()}`, { locale: 'de' })
  const address = stranger()
  const form = await newForm(ada, {
    access: 'public',
    notify: [address],
    schema: {
      type: 'object',
      title: { en: 'Contact', de: 'Kontakt' },
      properties: { email: {}, news: { type: 'boolean', title: { en: 'News', de: 'Neuigkeiten' } } },
    },
  })
  t.deepEqual(await subjectsTo(address), ['Formular-Benachrichtigungen von Test bestätigen'], 'the owner reads German')
  const link = await linkTo(address, 'confirm')
  t.regex((await open(link, 'de')).body, /<button>Bestätigen<\/button>/)
  t.regex((await open('/form-notifications/confirm?token=x', 'de')).body, /Dieser Link ist ungültig/)
  t.regex((await post(link, {}, 'en')).body, /now receives/)
  const bob = await kernel.register(stranger(), { locale: 'de' })
  const invited = await ada.post<{ link: string }>('/v1/identity/members/invite', {
    email: bob.email,
    roles: ['tenant.member'],
    sendEmail: false,
  })
  await bob.post('/v1/identity/invitations/accept', { token: new URL(invited.body.link).searchParams.get('token') })
  await confirmAddress(bob)
  await ada.patch(`${FORMS}/${form.id}`, { notify: [address, bob.email] })
  expectStatus(201, await kernel.post(`${FORMS}/${form.id}/submit`, { data: { email: 'x', news: true } }))
  t.is((await subjectsTo(address))[0], 'New submission: Contact', 'confirmed in English')
  const german = await mailTo(bob.email, 'Neue Einsendung: Kontakt')
  t.regex(german?.text ?? '', /Neuigkeiten\s+Ja/)
})
