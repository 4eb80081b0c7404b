import test from 'ava'
import { DAY, MINUTE } from '../../../../../kernel/base/units.ts'
import { type Client, startTestKernel, TEST_PASSWORD, type TestKernel } from '../../../../../testing/index.ts'
import { withPeople } from '../../../../fixtures/with-people.ts'
import { codeOf, fieldErrors, inviteLink, newEmail, startIdentity, sweep } from '../../fixtures.ts'
import { visitor } from '../../pages/forms.ts'
import { tokenIn, verify } from '../../pages/mail-tokens.ts'

const recipe = (signIn: object, identity: object = {}) => ({
  modules: { identity: { signIn, ...identity }, comms: {} },
})

let closed: TestKernel
/** The first person, whom closed registration admits. */
let owner: SignedIn
const { kernel, clock } = withPeople(
  test,
  { recipe: recipe({ password: {}, emailLink: { ttl: '5m' } }), clock: true },
  {},
  async () => {
    closed = await startTestKernel({ recipe: recipe({ emailLink: {} }, { registration: { open: false } }) })
    owner = (await verifyCode(await requestCode(newEmail('first'), {}, closed), closed)).body
  },
)
test.after.always(() => closed?.stop())

interface SignedIn {
  readonly user: { readonly id: string; readonly email: string; readonly emailVerified: boolean }
  readonly token: string
  readonly workspace: { readonly id: string } | null
}
interface Mailed {
  readonly request: string
  /** Undefined if no mail was sent. */
  readonly code: string | undefined
}
const PATH = '/v1/auth/email-code'

/** The code in the newest mail to an address. */
async function codeIn(own: TestKernel, email: string): Promise<string | undefined> {
  await own.settled()
  const inbox = await own.get(`/v1/communications/mailbox?filter[to]=${encodeURIComponent(email)}`)
  for (const { id } of inbox.body.data) {
    const { body } = await own.get(`/v1/communications/mailbox/${id}`)
    const [code] = /\b\d{6}\b/.exec(body.text.replace(/https?:\S+/g, '')) ?? []
    if (code !== undefined) return code
  }
  return undefined
}
async function requestCode(email: string, more: object = {}, own: TestKernel = kernel): Promise<Mailed> {
  const { status, body } = await own.post(PATH, { email, ...more })
  if (status !== 202) throw new Error(`the request was answered ${status}`)
  return { request: body.request, code: await codeIn(own, email) }
}
const verifyCode = (body: object, client: Client = kernel) => client.post(`${PATH}/verify`, body)
/** Another code than this one. */
const wrong = (code: string | undefined, n = 1) => String((Number(code) + n) % 1_000_000).padStart(6, '0')

test('a new address gets an account with a workspace and without a password', async t => {
  const email = newEmail('new')
  const signedIn = await verifyCode(await requestCode(email))
  t.is(signedIn.status, 200)
  t.like(signedIn.body.user, { email, emailVerified: true })
  t.truthy(signedIn.body.workspace)
  const client = kernel.as(signedIn.body.token)
  t.is((await client.get('/v1/auth/me')).status, 200)
  t.deepEqual((await client.get('/v1/auth/me/sign-in-methods')).body.data, [])
  t.is(codeOf(await kernel.post('/v1/auth/login', { email, password: TEST_PASSWORD })), '401 invalid_credentials')
})

test('a person with a verified address keeps the account and its password', async t => {
  const ada = await kernel.register(newEmail('ada'))
  await verify(kernel, ada)
  const signedIn = await verifyCode(await requestCode(ada.email.toUpperCase()))
  t.like(signedIn.body, { user: { id: ada.userId }, workspace: { id: ada.tenantId } })
  t.is((await kernel.post('/v1/auth/login', { email: ada.email, password: TEST_PASSWORD })).status, 200)
})

test('an account that somebody else registered with the address is taken over without their password and logins', async t => {
  const squatter = await kernel.register(newEmail('victim'))
  const signedIn = await verifyCode(await requestCode(squatter.email))
  t.like(signedIn.body.user, { id: squatter.userId, emailVerified: true })
  t.is((await squatter.get('/v1/auth/me')).status, 401)
  t.is(codeOf(await kernel.as(squatter.apiKey).get('/v1/me')), '401 unauthenticated')
  const account = { email: squatter.email, password: TEST_PASSWORD }
  t.is(codeOf(await kernel.post('/v1/auth/login', account)), '401 invalid_credentials')
  t.is((await kernel.as(signedIn.body.token).get('/v1/auth/me')).status, 200)
})

test('a code works once, also for concurrent requests', async t => {
  const mailed = await requestCode(newEmail('once'))
  const answers = await Promise.all(Array.from({ length: 4 }, () => verifyCode(mailed)))
  t.deepEqual(answers.map(codeOf).sort(), ['200', '401 invalid_code', '401 invalid_code', '401 invalid_code'])
  t.is(codeOf(await verifyCode(mailed)), '401 invalid_code')
})

test('a retry of the job does not make a used code work again', async t => {
  const email = newEmail('ada')
  const mailed = await requestCode(email)
  t.is((await verifyCode(mailed)).status, 200)
  await kernel.kernel.ports.jobs.enqueue('identity.email_code', { email, requestId: mailed.request, next: '/' })
  await kernel.settled()
  t.is(codeOf(await verifyCode(mailed)), '401 invalid_code')
})

test('concurrent codes of a new address create one account', async t => {
  const email = newEmail('race')
  const first = await requestCode(email)
  const second = await requestCode(email)
  const [one, two] = await Promise.all([verifyCode(first), verifyCode(second)])
  t.deepEqual([one?.status, two?.status], [200, 200])
  t.is(one?.body.user.id, two?.body.user.id)
})

test('after five wrong codes, the right one is refused, also for concurrent guesses', async t => {
  const mailed = await requestCode(newEmail('guess'))
  const guesses = Array.from({ length: 5 }, (_, n) => verifyCode({ ...mailed, code: wrong(mailed.code, n + 1) }))
  for (const answer of await Promise.all(guesses)) t.is(codeOf(answer), '401 invalid_code')
  t.is(codeOf(await verifyCode(mailed)), '401 invalid_code')
})

test('counts five attempts, however many guesses follow', async t => {
  const mailed = await requestCode(newEmail('many'))
  for (let n = 1; n <= 20; n++) await verifyCode({ ...mailed, code: wrong(mailed.code, n) })
  const { rows } = await kernel.kernel.ports.systemDatabase
    .acrossTenants('a test counts attempts')
    .query<{ attempts: number }>('select attempts from identity_email_codes where id = $1', [mailed.request])
  t.is(rows[0]?.attempts, 5)
})

test("wrong codes of one request don't use up those of another for the same address", async t => {
  const email = newEmail('two')
  const mine = await requestCode(email)
  const theirs = await requestCode(email)
  for (let n = 1; n <= 6; n++) await verifyCode({ ...theirs, code: wrong(theirs.code, n) })
  t.is((await verifyCode(mine)).status, 200)
})

test('a code of another request is refused', async t => {
  const email = newEmail('mixed')
  const [first, second] = [await requestCode(email), await requestCode(email)]
  t.is(codeOf(await verifyCode({ request: first.request, code: second.code })), '401 invalid_code')
})

test.serial('codes and links expire, and the sweep deletes them', async t => {
  const email = newEmail('late')
  const mailed = await requestCode(email)
  const token = await tokenIn(kernel, email, '/sign-in/email-code/link')
  clock.forward(5 * MINUTE)
  t.is(codeOf(await verifyCode(mailed)), '401 invalid_code')
  t.regex((await visitor(kernel).open(`/sign-in/email-code/link?token=${token}`)).body, /has expired/)
  t.is((await visitor(kernel).submit('/sign-in/email-code/link', { token })).status, 410)
  clock.forward(1 * DAY)
  await sweep(kernel)
  const { rowCount } = await kernel.kernel.ports.systemDatabase
    .acrossTenants('a test counts codes')
    .query('select from identity_email_codes where email = $1', [email])
  t.is(rowCount, 0)
})

test('neither the request nor the mail is stored with the code', async t => {
  const email = newEmail('stored')
  const { code = '' } = await requestCode(email)
  const { rows } = await kernel.kernel.ports.systemDatabase
    .acrossTenants('a test reads what is stored')
    .query<{ row: string }>(
      `select row_to_json(c)::text as row from identity_email_codes c where email = $1
       union all select data::text from comms_messages where recipient = $1`,
      [email],
    )
  t.true(rows.length >= 2)
  for (const { row } of rows) t.false(new RegExp(`\\b${code}\\b`).test(row), row)
})

test('answers alike for known, unknown and closed addresses', async t => {
  const known = owner.user.email
  const stranger = newEmail('stranger')
  const answers = [await closed.post(PATH, { email: known })]
  answers.push(await closed.post(PATH, { email: stranger }))
  t.deepEqual(
    answers.map(({ status, body }) => [status, Object.keys(body)]),
    [
      [202, ['request', 'expiresIn']],
      [202, ['request', 'expiresIn']],
    ],
  )
  for (const { body } of answers)
    t.is(codeOf(await verifyCode({ request: body.request, code: '000000' }, closed)), '401 invalid_code')
  await closed.settled()
  t.is(await codeIn(closed, stranger), undefined)
  t.truthy(await codeIn(closed, known))
})

test('an invited address may sign up while registration is closed', async t => {
  const email = newEmail('invited')
  await inviteLink(closed.as(owner.token, owner.workspace?.id), email, ['tenant.member'])
  t.is((await verifyCode(await requestCode(email, {}, closed), closed)).body.user.email, email)
})

test('refuses bodies of the wrong shape, foreign return addresses and unknown fields', async t => {
  const email = newEmail('shape')
  for (const [body, field] of [
    [{}, '/email'],
    [{ email: 'nobody' }, '/email'],
    [{ email, more: 1 }, '/more'],
  ] as const)
    t.true(
      fieldErrors(await kernel.post(PATH, body)).some(found => found.startsWith(field)),
      JSON.stringify(body),
    )
  for (const next of ['https://evil.test/', '//evil.test', '/\\evil.test', 'javascript:alert(1)', '/a\nb', 7])
    t.is(codeOf(await kernel.post(PATH, { email, next })), '422 validation_failed', String(next))
  const { request } = await requestCode(email)
  for (const code of ['12345', '1234567', 123456, 'abcdef', null])
    t.is(codeOf(await verifyCode({ request, code })), '422 validation_failed', String(code))
  t.is(codeOf(await verifyCode({ request: 'scr_1', code: '123456' })), '422 validation_failed')
  t.is(codeOf(await verifyCode({ request: 'scr_00000000000000000000000000', code: '123456' })), '401 invalid_code')
  t.is(codeOf(await kernel.post('/v1/auth/login/email-code', { request, code: '123456' })), '404 not_found')
})

test('limits requests per account and per address', async t => {
  const own = await startIdentity({ signIn: { emailLink: {} } }, { env: { RATE_LIMITS: 'on' } })
  t.teardown(() => own.stop())
  const email = newEmail('limited')
  for (let n = 0; n < 10; n++) t.is((await own.post(PATH, { email })).status, 202)
  const refused = await own.post(PATH, { email })
  t.is(codeOf(refused), '429 rate_limited')
  t.truthy(refused.headers.get('retry-after'))
  let status = 202
  for (let n = 0; n < 45 && status === 202; n++) status = (await own.post(PATH, { email: newEmail('other') })).status
  t.is(status, 429)
})

test('the pages sign in with a code and return to a path of this site', async t => {
  const page = visitor(kernel)
  const email = newEmail('page')
  t.regex((await page.open('/sign-in?next=%2Faccount')).body, /email-code\?next(=|&#x3D;)%2Faccount/)
  const sent = await page.submit('/sign-in/email-code', { email, next: '/account/logins' })
  t.is(sent.status, 200)
  const request = /name="request" value="([^"]+)"/.exec(sent.text)?.[1] ?? ''
  const code = await codeIn(kernel, email)
  const fields = { email, request, next: '/account/logins' }
  const refused = await page.submit('/sign-in/email-code/verify', { ...fields, code: wrong(code) })
  t.is(refused.status, 401)
  t.regex(refused.text, /This code is wrong/)
  const done = await page.submit('/sign-in/email-code/verify', {
    ...fields,
    code: `${code?.slice(0, 3)} ${code?.slice(3)}`,
  })
  t.deepEqual([done.status, done.location], [303, '/account/logins'])
  t.true(done.cookies.some(cookie => cookie.startsWith('platform_session=')))
  const foreign = await page.submit('/sign-in/email-code', { email, next: '//evil.test' })
  t.regex(foreign.text, /name="next" value="\/"/)
})

test('the link asks first, works on another device and only once', async t => {
  const email = newEmail('link')
  const mailed = await requestCode(email, { next: '/account/logins' })
  const token = await tokenIn(kernel, email, '/sign-in/email-code/link')
  const other = visitor(kernel)
  for (let n = 0; n < 3; n++) {
    const opened = await other.open(`/sign-in/email-code/link?token=${token}`)
    t.is(opened.status, 200)
    t.regex(opened.body, new RegExp(`as ${email}\\?`))
  }
  const done = await other.submit('/sign-in/email-code/link', { token })
  t.deepEqual([done.status, done.location], [303, '/account/logins'])
  t.is((await other.submit('/sign-in/email-code/link', { token })).status, 410)
  t.is(codeOf(await verifyCode(mailed)), '401 invalid_code')
  t.is((await other.submit('/sign-in/email-code/link', { token: `${token.slice(0, -3)}AAA` })).status, 410)
})

test('ends the former login of the browser', async t => {
  const eve = await kernel.register(newEmail('eve'))
  const mailed = await requestCode(newEmail('next'))
  t.is(
    (await verifyCode(mailed, kernel.with({ cookie: eve.cookie, origin: kernel.url, 'sec-fetch-site': 'same-origin' })))
      .status,
    200,
  )
  t.is((await kernel.with({ cookie: eve.cookie }).get('/v1/auth/me')).status, 401)
})

test('a product without passwords signs up and in by mail alone', async t => {
  const own = await startTestKernel({ recipe: recipe({ password: false, emailLink: {} }) })
  t.teardown(() => own.stop())
  for (const path of ['/sign-in', '/sign-up']) {
    const { body } = await visitor(own).open(path)
    t.regex(body, /action="\/sign-in\/email-code"/, path)
    t.false(body.includes('type="password"'), path)
  }
  const { body } = await verifyCode(await requestCode(newEmail('mail'), {}, own), own)
  const client = own.as(body.token)
  t.is((await client.post('/v1/auth/email/change', { email: newEmail('changed') })).status, 202)
  t.is((await client.post('/v1/auth/me/delete', {})).status, 204)
})

test('a recipe needs mail for codes, and a time from a minute to an hour', async t => {
  const mail = await t.throwsAsync(
    startTestKernel({ recipe: { modules: { identity: { signIn: { emailLink: {} } } } } }),
  )
  t.regex(String(mail?.message), /No module of this recipe sends mail/)
  for (const ttl of ['10s', '2h']) {
    const long = await t.throwsAsync(startIdentity({ signIn: { emailLink: { ttl } } }))
    t.regex(String(long?.message), /from a minute to an hour/)
  }
})
