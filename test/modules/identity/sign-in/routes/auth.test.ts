import test from 'ava'
import { HOUR } from '../../../../../kernel/base/units.ts'
import { TEST_PASSWORD } from '../../../../../testing/index.ts'
import { withPeople } from '../../../../fixtures/with-people.ts'
import {
  codeOf,
  fieldErrors,
  identityRecipe,
  maxDelayedAttempts,
  newEmail,
  type ProblemBody,
  startIdentity,
} from '../../fixtures.ts'

const { kernel } = withPeople(test, { recipe: identityRecipe() })

const { kernel: clocked, clock } = withPeople(test, { recipe: identityRecipe(), clock: true })

const cookieOf = (headers: Headers): string => (headers.getSetCookie()[0] ?? '').split(';')[0] as string
const login = (email: string, password = TEST_PASSWORD) => kernel.post('/v1/auth/login', { email, password })
/** True if the cookie still authenticates. */
const opens = async (cookie: string) => (await kernel.with({ cookie }).get('/v1/auth/me')).status

test('registration returns a user, a workspace, its owner, a token, an API key and a cookie', async t => {
  const email = newEmail('Ada')
  const { status, body, headers } = await kernel.post('/v1/auth/register', {
    email,
    password: TEST_PASSWORD,
    name: 'Ada Lovelace',
    workspaceName: 'Analytical Engines',
  })
  t.is(status, 201)
  t.like(body.user, { email, name: 'Ada Lovelace', emailVerified: false })
  t.like(body.workspace, { name: 'Analytical Engines', slug: 'analytical-engines' })
  t.like(body.membership, { tenantId: body.workspace?.id, userId: body.user?.id, roles: ['tenant.owner'] })
  t.like(body, { expiresIn: 7 * 24 * 3600 })
  t.regex(String(body.token), /^dt_[\w-]{43}$/)
  t.regex(String(body.apiKey?.key), /^test_live_\w{38}$/)
  const [cookie] = headers.getSetCookie()
  t.regex(cookie ?? '', /^platform_session=[\w-]{43}; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Lax$/)
  t.false(String(body.token).includes(cookieOf(headers).slice(17)), 'cookie and token are two secrets')
  t.false(JSON.stringify(body).includes('password'))
})

test('gives a second workspace with the same name its own slug', async t => {
  const workspaceName = 'Twins'
  const made = await Promise.all(
    [1, 2, 3].map(() =>
      kernel.post<{ workspace: { slug: string } }>('/v1/auth/register', {
        email: newEmail(),
        password: TEST_PASSWORD,
        workspaceName,
      }),
    ),
  )
  t.deepEqual(
    made.map(({ status }) => status),
    [201, 201, 201],
  )
  t.is(new Set(made.map(({ body }) => body.workspace.slug)).size, 3)
})

test('exactly one of two concurrent registrations of an address succeeds, ignoring case', async t => {
  const email = newEmail('race')
  const spellings = [email, email.toUpperCase(), email, email]
  const made = await Promise.all(
    spellings.map(one => kernel.post('/v1/auth/register', { email: one, password: TEST_PASSWORD })),
  )
  t.deepEqual(made.map(codeOf).sort(), ['201', '409 email_taken', '409 email_taken', '409 email_taken'])
})

test('reports all invalid fields of a registration', async t => {
  const wrong = await kernel.post('/v1/auth/register', { email: 'nobody', password: 'short', name: 7, id: 'usr_1' })
  t.is(codeOf(wrong), '422 validation_failed')
  t.deepEqual(fieldErrors(wrong), [
    '/email wrong_format',
    '/id unknown_field',
    '/name wrong_type',
    '/password too_short',
  ])
  const [email] = (wrong.body as unknown as ProblemBody).errors?.filter(({ pointer }) => pointer === '/email') ?? []
  t.like(email, { detail: 'must be an email address' })
  t.deepEqual(fieldErrors(await kernel.post('/v1/auth/register', {})), ['/email required', '/password required'])
  const password = TEST_PASSWORD
  for (const email of [
    `${'a'.repeat(65)}@example.test`,
    `a@${'b'.repeat(64)}.test`,
    'a@b.test, c@d.test',
    'a@b.test\nc@d.test',
  ])
    t.deepEqual(
      fieldErrors(await kernel.post('/v1/auth/register', { email, password })),
      ['/email wrong_format'],
      email,
    )
  const common = await kernel.post('/v1/auth/register', { email: newEmail(), password: 'Password123' })
  t.deepEqual(fieldErrors(common), ['/password common_password'])
})

test('sign-in returns a token, a cookie and the home workspace', async t => {
  const ada = await kernel.register(newEmail())
  const { status, body, headers } = await login(ada.email.toUpperCase())
  t.is(status, 200)
  t.is(body.user.id, ada.userId)
  t.is(body.workspace?.id, ada.tenantId)
  t.is((await kernel.as(body.token).get('/v1/auth/me')).status, 200)
  t.is(await opens(cookieOf(headers)), 200)
})

test('answers a wrong password and an unknown address alike', async t => {
  const ada = await kernel.register(newEmail())
  const wrong = await kernel.post<Record<string, unknown>>('/v1/auth/login', {
    email: ada.email,
    password: 'wrong one',
  })
  const unknown = await kernel.post<Record<string, unknown>>('/v1/auth/login', {
    email: newEmail(),
    password: 'wrong one',
  })
  t.is(codeOf(wrong), '401 invalid_credentials')
  const { requestId: _, ...shown } = wrong.body
  const { requestId: __, ...same } = unknown.body
  t.deepEqual(shown, same)
  t.deepEqual(wrong.headers.getSetCookie(), [])
})

test('invalidates a planted cookie on sign-in', async t => {
  const ada = await kernel.register(newEmail())
  const planted = ada.cookie
  const { headers } = await kernel
    .with({ cookie: planted })
    .post('/v1/auth/login', { email: ada.email, password: ada.password })
  t.not(cookieOf(headers), planted)
  t.is(await opens(planted), 401)
  t.is(await opens(cookieOf(headers)), 200)
  t.is((await ada.get('/v1/auth/me')).status, 200, 'the token of the other sign-in is left alone')
})

test('signing out ends the cookie and the token of that login only', async t => {
  const ada = await kernel.register(newEmail())
  const other = await login(ada.email)
  const out = await kernel.with({ cookie: ada.cookie }).post('/v1/auth/logout', {})
  t.is(out.status, 204)
  t.deepEqual(
    out.headers.getSetCookie().map(cookie => cookie.replace(/; .*/, '')),
    ['platform_session=', 'platform_tenant='],
  )
  t.is(await opens(ada.cookie), 401)
  t.is((await ada.get('/v1/auth/me')).status, 401)
  t.is((await kernel.as(other.body.token).get('/v1/auth/me')).status, 200)
  t.is((await kernel.with({ cookie: ada.cookie }).post('/v1/auth/logout', {})).status, 204, 'again is fine')
})

test('rejects sign-out from another site and keeps the login', async t => {
  const ada = await kernel.register(newEmail())
  const foreign = { cookie: ada.cookie, origin: 'https://evil.test', 'sec-fetch-site': 'cross-site' }
  const out = await kernel.with(foreign).post('/v1/auth/logout', {})
  t.is(codeOf(out), '403 cross_site')
  t.deepEqual(out.headers.getSetCookie(), [])
  t.is(await opens(ada.cookie), 200)
})

test('the cookie alone signs out', async t => {
  const ada = await kernel.register(newEmail())
  t.is((await kernel.with({ cookie: ada.cookie }).post('/v1/auth/logout')).status, 204)
  t.is(await opens(ada.cookie), 401)
})

test('sign-out never succeeds without ending the login that the request names', async t => {
  const ada = await kernel.register(newEmail())
  const opaque = await kernel.with({ cookie: ada.cookie, origin: 'null' }).post('/v1/auth/logout')
  t.is(codeOf(opaque), '403 cross_site')
  t.is(await opens(ada.cookie), 200)
  t.is(codeOf(await kernel.as(ada.apiKey).post('/v1/auth/logout', {})), '403 api_key_refused')
  t.is((await ada.post('/v1/auth/logout')).status, 204)
  t.is(await opens(ada.cookie), 401)
  t.is((await kernel.with({ cookie: ada.cookie }).post('/v1/auth/logout')).status, 204, 'an ended login is no login')
  t.is((await kernel.post('/v1/auth/logout')).status, 204)
})

test.serial('ends an unused login after 7 days and any login after 30 days', async t => {
  const [idle, busy] = [await clocked.register(newEmail('idle')), await clocked.register(newEmail('busy'))]
  const status = async (person: { cookie: string }) =>
    (await clocked.with({ cookie: person.cookie }).get('/v1/auth/me')).status
  for (let day = 1; day <= 8; day++) {
    clock.forward(24 * HOUR)
    t.is(await status(busy), 200, `day ${day}`)
  }
  t.is(await status(idle), 401)
  for (let day = 9; day <= 29; day++) {
    clock.forward(24 * HOUR)
    t.is(await status(busy), 200, `day ${day}`)
  }
  clock.forward(24 * HOUR)
  t.is(await status(busy), 401, 'day 30')
})

test('limits sign-in attempts to 20 per account, then one at a time, and 10 per account and address', async t => {
  const strict = await startIdentity({}, { env: { RATE_LIMITS: 'on', TRUST_PROXY: '1' } })
  t.teardown(() => strict.stop())
  const email = newEmail()
  const attempt = async (from: string) =>
    (await strict.with({ 'x-forwarded-for': from }).post('/v1/auth/login', { email, password: 'a wrong one' })).status
  const one = await Promise.all(Array.from({ length: 12 }, () => attempt('203.0.113.1')))
  t.is(one.filter(status => status === 401).length, 10)
  t.is(one.filter(status => status === 429).length, 2)
  const started = performance.now()
  const many = await Promise.all(Array.from({ length: 30 }, (_, i) => attempt(`198.51.100.${i}`)))
  const tried = many.filter(status => status === 401).length
  t.true(tried > 10 && tried <= 10 + maxDelayedAttempts(started), `${tried} tried`)
  t.true(many.includes(429))
})

test('closed registration admits the first user and invited users only', async t => {
  const closed = await startIdentity({ registration: { open: false } })
  t.teardown(() => closed.stop())
  const owner = await closed.register(newEmail('first'))
  const email = newEmail('invited')
  const account = { email, password: TEST_PASSWORD }
  t.is(codeOf(await closed.post('/v1/auth/register', account)), '403 registration_closed')
  const invited = await owner.post<{ link: string }>('/v1/identity/members/invite', {
    email,
    roles: ['tenant.member'],
    sendEmail: false,
  })
  const invitation = new URL(invited.body.link).searchParams.get('token')
  const other = await closed.post('/v1/auth/register', { ...account, email: newEmail(), invitation })
  t.is(codeOf(other), '403 registration_closed')
  t.is((await closed.post('/v1/auth/register', { ...account, invitation })).status, 201)
})

test('registers without a workspace if the recipe disables workspaces', async t => {
  const own = await startIdentity({ registration: { workspace: 'none' }, signIn: { password: { minLength: 12 } } })
  t.teardown(() => own.stop())
  const email = newEmail()
  const short = await own.post('/v1/auth/register', { email, password: 'only eleven' })
  t.deepEqual(fieldErrors(short), ['/password too_short'])
  const { status, body } = await own.post('/v1/auth/register', {
    email,
    password: TEST_PASSWORD,
  })
  t.is(status, 201)
  t.like(body, { workspace: null, membership: null, apiKey: null })
  const me = await own.as(String(body.token)).get('/v1/me')
  t.like(me.body, { workspace: null, role: null })
})

const register = (body: object) =>
  kernel.post('/v1/auth/register', {
    password: TEST_PASSWORD,
    ...body,
  })

test('one account has both spellings of an international domain', async t => {
  const local = newEmail().split('@')[0]
  t.is((await register({ email: `${local}@müller.example` })).status, 201)
  const { status, body } = await register({ email: `${local}@xn--mller-kva.example` })
  t.is(codeOf({ status, body } as never), '409 email_taken')
  for (const domain of ['xn--mller-kva.example', 'MÜLLER.example', 'mu\u0308ller.example'])
    t.is((await login(`${local}@${domain}`)).status, 200, domain)
  for (const email of ['x@mül ler.example', 'x@ü%2e.example', 'x@\u200b', 'ü@example.com'])
    t.is((await register({ email })).status, 422, email)
})

test('refuses names with links and names that show nothing, and cleans others', async t => {
  for (const name of ['Win http://evil.example/login', 'www.evil.example', '\u200b', '\u3164', '\u2800', ' '])
    for (const field of ['name', 'workspaceName'])
      t.is((await register({ email: newEmail(), [field]: name })).status, 422, `${field} ${name}`)
  const { body } = await register({ email: newEmail(), name: ' Ada\r\n\u202eLovelace\t👩‍👩‍👧 ' })
  t.is(body.user.name, 'Ada Lovelace 👩‍👩‍👧')
})

test('matches language tags to the languages of the product', async t => {
  const { status, body } = await register({ email: newEmail(), locale: 'en-US' })
  t.is(status, 201)
  t.is(body.user.locale, 'en')
  t.is((await register({ email: newEmail(), locale: 'fr-FR' })).status, 422)
})
