import { randomUUID } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import test from 'ava'
import { type Person, startTestKernel, TEST_PASSWORD, type TestKernel } from '../../../../../testing/index.ts'
import { withPeople } from '../../../../fixtures/with-people.ts'
import { codeOf, newEmail, startIdentity } from '../../fixtures.ts'
import { visitor } from '../../pages/forms.ts'
import { verify } from '../../pages/mail-tokens.ts'

interface Way {
  readonly id: string
  readonly method: string
  readonly label: string
  readonly email: string | null
  readonly removable: boolean
}

const use = fileURLToPath(new URL('../badges/module.js', import.meta.url))
const recipeOf = (identity: object) => ({ modules: { identity, comms: {}, badges: { use, options: {} } } })
const ways = async (person: Person) => (await person.get('/v1/auth/me/sign-in-methods')).body.data
const subjects = async (kernel: TestKernel, person: Person) => {
  await kernel.settled()
  const query = `filter[to]=${encodeURIComponent(person.email)}`
  const { body } = await kernel.get(`/v1/communications/mailbox?${query}`)
  return body.data.map(({ subject }) => subject)
}

const { kernel } = withPeople(test, { recipe: recipeOf({}) })

/** Signs in at the provider of the module. */
async function signInAtProvider(user: object): Promise<string> {
  const headers = { accept: 'text/html' }
  const started = await kernel.get<never>('/sign-in/acme-id', { headers })
  const state = new URL(started.headers.get('location') ?? '').searchParams.get('state') ?? ''
  const cookie = started.headers.getSetCookie()[0]?.split(';')[0] ?? ''
  const query = new URLSearchParams({ state, code: JSON.stringify(user) })
  const done = await kernel.get<never>(`/sign-in/acme-id/callback?${query}`, { headers: { ...headers, cookie } })
  return done.headers.get('location') ?? ''
}
async function linked() {
  const person = await kernel.register(newEmail('linked'))
  await verify(kernel, person)
  const signedIn = await kernel.post('/v1/auth/login', {
    email: person.email,
    password: TEST_PASSWORD,
  })
  const client: Person = { ...person, ...kernel.as(signedIn.body.token) }
  const subject = randomUUID()
  const location = await signInAtProvider({ subject, email: person.email, emailVerified: true, label: 'Ada at Acme' })
  return { person: client, subject, location }
}

test('lists the methods that are on, to anyone', async t => {
  const { status, body } = await kernel.get('/v1/auth/methods')
  t.is(status, 200)
  t.deepEqual(body, {
    data: [
      { name: 'password', label: 'Email and password', flow: 'credentials' },
      { name: 'badge', label: 'Badge', flow: 'credentials' },
      { name: 'plate', label: 'Plate', flow: 'credentials' },
      { name: 'acme-id', label: 'Acme ID', flow: 'redirect' },
    ],
    registration: true,
  } as never)
})

test('links a person at a provider to the account with the address that both sides verified', async t => {
  const { person, subject, location } = await linked()
  t.is(location, '/')
  t.like(
    (await ways(person)).map(({ method, label, email }) => [method, label, email]),
    [
      ['password', 'Password', null],
      ['acme-id', 'Ada at Acme', person.email],
    ],
  )
  t.true((await subjects(kernel, person)).some(subject => subject.startsWith('The ways to sign in')))
  // From now on the subject identifies the person, whatever their address at the provider is.
  t.is(await signInAtProvider({ subject, email: newEmail('other'), emailVerified: true }), '/')
  t.is((await ways(person)).length, 2)
})

test('does not link an address that either side has not verified', async t => {
  const unverified = await kernel.register(newEmail('unverified'))
  for (const emailVerified of [true, false]) {
    const user = { subject: randomUUID(), email: unverified.email, emailVerified }
    t.regex(await signInAtProvider(user), /connect=acme-id/)
  }
  const { person } = await linked()
  const other = { subject: randomUUID(), email: person.email, emailVerified: false }
  t.regex(await signInAtProvider(other), /connect=acme-id/)
})

test('subjects of different providers are different people', async t => {
  const { subject } = await linked()
  const user = { subject, provider: 'https://other.test', email: null, emailVerified: false }
  t.regex(await signInAtProvider(user), /connect=acme-id/)
})

test('removes a way to sign in and tells the person', async t => {
  const { person, subject } = await linked()
  const id = (await ways(person)).find(({ method }) => method === 'acme-id')?.id
  t.is((await person.delete(`/v1/auth/me/sign-in-methods/${id}`)).status, 204)
  t.is(codeOf(await person.delete(`/v1/auth/me/sign-in-methods/${id}`)), '404 not_found')
  t.deepEqual(
    (await ways(person)).map(({ method, removable }) => [method, removable]),
    [['password', false]],
  )
  t.is((await subjects(kernel, person)).filter(text => text.startsWith('The ways to sign in')).length, 2)
  t.regex(await signInAtProvider({ subject, email: null, emailVerified: false }), /connect=acme-id/)
})

test('a new password is mailed to the person', async t => {
  const ada = await kernel.register(newEmail('changed'))
  const change = { currentPassword: TEST_PASSWORD, newPassword: `${TEST_PASSWORD} 2` }
  t.is((await ada.post('/v1/auth/password/change', change)).status, 200)
  t.is((await subjects(kernel, ada)).filter(text => text.startsWith('The ways to sign in')).length, 1)
})

test('the last way to sign in cannot be removed, also by concurrent requests', async t => {
  const ada = await kernel.register(newEmail('last'))
  t.is(codeOf(await ada.delete('/v1/auth/me/sign-in-methods/password')), '409 last_sign_in_method')
  const { person } = await linked()
  const both = await ways(person)
  const answers = await Promise.all(both.map(({ id }) => person.delete(`/v1/auth/me/sign-in-methods/${id}`)))
  t.deepEqual(answers.map(codeOf).sort(), ['204', '409 last_sign_in_method'])
  t.is((await ways(person)).length, 1)
})

test('an account belongs to its user: others, API keys and unknown IDs are refused', async t => {
  const { person } = await linked()
  const id = (await ways(person)).find(({ method }) => method === 'acme-id')?.id
  const eve = await kernel.register(newEmail('eve'))
  t.is(codeOf(await eve.delete(`/v1/auth/me/sign-in-methods/${id}`)), '404 not_found')
  t.is(codeOf(await eve.delete('/v1/auth/me/sign-in-methods/nothing')), '404 not_found')
  t.is(codeOf(await kernel.get('/v1/auth/me/sign-in-methods')), '401 unauthenticated')
  t.is((await kernel.as(eve.apiKey).get('/v1/auth/me/sign-in-methods')).status, 403)
  t.is((await ways(person)).length, 2)
})

test('without a password, changes of the account need a recent sign-in', async t => {
  const { person, subject } = await linked()
  t.is((await person.delete('/v1/auth/me/sign-in-methods/password')).status, 204)
  t.is(
    codeOf(await kernel.post('/v1/auth/login', { email: person.email, password: TEST_PASSWORD })),
    '401 invalid_credentials',
  )
  t.is((await person.post('/v1/auth/email/change', { email: newEmail('new') })).status, 202)
  const set = await person.post<{ token: string }>('/v1/auth/password/change', { newPassword: 'a fresh passphrase 12' })
  t.is(set.status, 200)
  const signedIn = kernel.as(set.body.token)
  t.is(codeOf(await signedIn.post('/v1/auth/me/delete', {})), '422 validation_failed')
  t.is(await signInAtProvider({ subject, email: null, emailVerified: false }), '/')
  t.is((await signedIn.post('/v1/auth/me/delete', { password: 'a fresh passphrase 12' })).status, 204)
  t.regex(await signInAtProvider({ subject, email: null, emailVerified: false }), /connect=acme-id/)
})

test('an old login without a password has to sign in again', async t => {
  const { person } = await linked()
  t.is((await person.delete('/v1/auth/me/sign-in-methods/password')).status, 204)
  await kernel.kernel.ports.systemDatabase
    .acrossTenants('a test makes logins older')
    .query("update identity_logins set created_at = created_at - interval '11 minutes' where user_id = $1", [
      person.userId,
    ])
  for (const [path, body] of [
    ['/v1/auth/email/change', { email: newEmail('new') }],
    ['/v1/auth/password/change', { newPassword: 'a fresh passphrase 12' }],
    ['/v1/auth/me/delete', {}],
  ] as const)
    t.is(codeOf(await person.post(path, body)), '403 reauthentication_required', path)
})

test('renames an account at a provider, but not the password or that of another person', async t => {
  const { person } = await linked()
  const id = (await ways(person)).find(({ method }) => method === 'acme-id')?.id
  const path = `/v1/auth/me/sign-in-methods/${id}`
  t.like((await person.patch<Way>(path, { label: 'Work' })).body, { id, label: 'Work' })
  const eve = await kernel.register(newEmail('eve'))
  t.is(codeOf(await eve.patch(path, { label: 'Mine' })), '404 not_found')
  t.is(codeOf(await person.patch('/v1/auth/me/sign-in-methods/password', { label: 'Mine' })), '404 not_found')
  for (const body of [{}, { label: '' }, { label: 7 }, { label: 'x'.repeat(61) }, { label: 'Work', more: 1 }])
    t.is(codeOf(await person.patch(path, body)), '422 validation_failed', JSON.stringify(body))
})

test('the page of the account lists the ways and removes one', async t => {
  const { person } = await linked()
  const page = visitor(kernel, person.cookie)
  const signedIn = await page.submit('/sign-in', { email: person.email, password: TEST_PASSWORD })
  const browser = visitor(
    kernel,
    signedIn.cookies.find(cookie => cookie.startsWith('platform_session=')),
  )
  const { body } = await browser.open('/account/sign-in-methods')
  t.regex(body, /Ada at Acme/)
  t.regex(body, /href="\/account\/password"/)
  const removed = await browser.submit('/account/sign-in-methods', { intent: 'remove', id: 'password' })
  t.is(removed.location, '/account/sign-in-methods?done=removed')
  const id = (await ways(person))[0]?.id ?? ''
  const refused = await browser.submit('/account/sign-in-methods', { intent: 'remove', id })
  t.is(refused.status, 409)
  t.regex(refused.text, /only way to sign in/)
  t.regex((await browser.open('/account/password')).body, /Set a password/)
})

test('without passwords, their routes and forms are absent', async t => {
  const own = await startTestKernel({ recipe: recipeOf({ signIn: { password: false } }) })
  t.teardown(() => own.stop())
  const account = { email: newEmail('nobody'), password: TEST_PASSWORD }
  for (const path of ['/v1/auth/login', '/v1/auth/register', '/v1/auth/password/forgot'])
    t.is(codeOf(await own.post(path, account)), '404 not_found', path)
  const { body } = await own.get<string>('/sign-in', { headers: { accept: 'text/html' } })
  t.false(body.includes('type="password"'))
  t.regex(body, /Acme ID/)
  t.false(JSON.stringify((await own.get('/v1/auth/methods')).body).includes('password'))
})

test('a product needs a way to sign in, and unknown keys are refused with their line', async t => {
  const none = await t.throwsAsync(startIdentity({ signIn: { password: false } }))
  t.regex(String(none?.message), /turns off the only way to sign in/)
  const unknown = await t.throwsAsync(startIdentity({ signIn: { passwrod: {} } }))
  t.regex(String(unknown?.message), /passwrod/)
})
