/** Who keeps an account whose address is confirmed for the first time. */
import { randomUUID } from 'node:crypto'
import test from 'ava'
import { linkToken } from '../../../../modules/identity/domain/links.ts'
import { type Person, TEST_PASSWORD, type TestKernel } from '../../../../testing/index.ts'
import { shareKernel } from '../../../fixtures/shared-kernel.ts'
import { codeOf, newEmail, startIdentity } from '../fixtures.ts'
import { visitor } from '../pages/forms.ts'
import { waitForToken } from '../pages/mail-tokens.ts'

let kernel: TestKernel
const start = () => startIdentity({ signIn: { password: {}, emailLink: {} } })
shareKernel(test, start, own => {
  kernel = own
})

const CONFIRM = '/v1/auth/email/confirm'
const VERIFY = '/v1/auth/verify-email'
const NOTHING = { ended: { logins: 0, apiKeys: 0, invitations: 0 } }
const tokenOf = ({ userId }: Person) =>
  linkToken(kernel.kernel.ports.secrets, 'verify_email', { id: userId, version: 1 })
const signIn = async (email: string) => codeOf(await kernel.post('/v1/auth/login', { email, password: TEST_PASSWORD }))
const isVerified = async (person: Person) => (await person.get('/v1/auth/me')).body.user.emailVerified
/** What of the account still works. */
const works = async (person: Person) => [
  (await person.get('/v1/auth/me')).status === 200,
  (await kernel.as(person.apiKey).get('/v1/me')).status === 200,
  (await signIn(person.email)) === '200',
]
const register = (name = 'ada') => kernel.register(newEmail(name))

test('a confirmation with a login of the account keeps everything', async t => {
  const ada = await register()
  const pending = newEmail('pending')
  await ada.post('/v1/auth/email/change', { email: pending, password: TEST_PASSWORD })
  const { status, body } = await ada.post(VERIFY, { token: tokenOf(ada) })
  t.deepEqual([status, body], [200, NOTHING])
  t.deepEqual(await works(ada), [true, true, true])
  t.true(await isVerified(ada))
  t.like((await ada.get('/v1/auth/email/change')).body, { email: pending })
  await kernel.settled()
  const inbox = await kernel.get(`/v1/communications/mailbox?filter[to]=${encodeURIComponent(ada.email)}`)
  t.false(inbox.body.data.some(({ subject }) => /access/i.test(subject)))
})

test('a confirmation with the password of the registration keeps everything', async t => {
  const ada = await register()
  const { status, body } = await kernel.post(VERIFY, { token: tokenOf(ada), password: TEST_PASSWORD })
  t.deepEqual([status, body], [200, NOTHING])
  t.deepEqual(await works(ada), [true, true, true])
})

test('a confirmation with the link alone ends everything, the password and pending changes included', async t => {
  const squatter = await register('victim')
  const pending = newEmail('accomplice')
  await squatter.post('/v1/auth/email/change', { email: pending, password: TEST_PASSWORD })
  const change = await waitForToken(kernel, pending, '/change-email')
  const { status, body } = await kernel.post(VERIFY, { token: tokenOf(squatter) })
  t.deepEqual([status, body], [200, { ended: { logins: 1, apiKeys: 1, invitations: 0 } }])
  t.deepEqual(await works(squatter), [false, false, false])
  t.is(
    codeOf(await kernel.post('/v1/auth/email/confirm', { token: change, password: TEST_PASSWORD })),
    '410 link_expired',
  )
  t.is((await kernel.post(VERIFY, { token: tokenOf(squatter) })).status, 204)
})

test('a wrong password is refused, and uses nothing up', async t => {
  const ada = await register()
  const token = tokenOf(ada)
  t.is(codeOf(await kernel.post(VERIFY, { token, password: 'another password' })), '401 incorrect_password')
  t.false(await isVerified(ada))
  t.is(codeOf(await kernel.post(VERIFY, { token, password: '' })), '422 validation_failed')
  t.is((await kernel.post(VERIFY, { token, password: TEST_PASSWORD })).status, 200)
  t.deepEqual(await works(ada), [true, true, true])
})

test('tries of the password are limited for each account', async t => {
  const limited = await startIdentity({}, { env: { RATE_LIMITS: 'on' } })
  t.teardown(() => limited.stop())
  const { userId } = await limited.register(newEmail('ada'))
  const token = linkToken(limited.kernel.ports.secrets, 'verify_email', { id: userId, version: 1 })
  const attempt = () => limited.post(VERIFY, { token, password: 'a guess' })
  const answers = []
  for (let tries = 0; tries < 11; tries++) answers.push((await attempt()).status)
  t.deepEqual(answers, [...Array.from({ length: 10 }, () => 401), 429])
})

test('an API key of the account proves nothing', async t => {
  const ada = await register()
  const { body } = await kernel.as(ada.apiKey).post(VERIFY, { token: tokenOf(ada) })
  t.like(body.ended, { logins: 1, apiKeys: 1 })
})

test('two clicks at once end the earlier access once', async t => {
  const squatter = await register('victim')
  const token = tokenOf(squatter)
  const answers = await Promise.all([kernel.post(VERIFY, { token }), kernel.post(VERIFY, { token })])
  t.deepEqual(answers.map(({ status }) => status).sort(), [200, 204])
  t.deepEqual(await works(squatter), [false, false, false])
})

test('of a click with the login and one without it at once, one counts', async t => {
  const ada = await register()
  const token = tokenOf(ada)
  const [own, other] = await Promise.all([ada.post(VERIFY, { token }), kernel.post(VERIFY, { token })])
  // The login ends when the other click counts first, perhaps before its request is authenticated.
  t.true([200, 204, 401].includes(own.status))
  t.is(other.status, own.status === 200 ? 204 : 200)
  const kept = own.status === 200
  t.deepEqual(await works(ada), [kept, kept, kept])
})

test('a code by mail in the browser with a login of the account keeps everything', async t => {
  const ada = await register()
  const asked = await kernel.post('/v1/auth/email-code', { email: ada.email })
  await kernel.settled()
  const code = kernel.kernel.ports.secrets.code('sign_in_code', asked.body.request)
  t.is((await ada.post('/v1/auth/email-code/verify', { request: asked.body.request, code })).status, 200)
  t.deepEqual(await works(ada), [true, true, true])
})

test('the new address of an unverified account confirms it by the same rule', async t => {
  const change = async (person: Person) => {
    const email = newEmail('victim')
    await person.post('/v1/auth/email/change', { email, password: TEST_PASSWORD })
    return { email, token: await waitForToken(kernel, email, '/change-email') }
  }
  const [squatter, ada] = [await register('squatter'), await register()]
  const [victim, own] = [await change(squatter), await change(ada)]
  const confirm = (body: object) => kernel.post('/v1/auth/email/confirm', body)
  t.is(codeOf(await confirm({ token: victim.token, password: randomUUID() })), '401 incorrect_password')
  t.is((await confirm({ token: victim.token })).status, 200)
  t.deepEqual(
    [await signIn(victim.email), (await kernel.as(squatter.apiKey).get('/v1/me')).status],
    ['401 invalid_credentials', 401],
  )
  t.is((await confirm({ token: own.token, password: TEST_PASSWORD })).status, 200)
  t.deepEqual([await signIn(own.email), (await kernel.as(ada.apiKey).get('/v1/me')).status], ['200', 200])
})

/** A person with a verified address asks for another one, and the current one confirms. Returns the link at the new one. */
async function moved(person: Person, body: object = { password: TEST_PASSWORD }) {
  await person.post(VERIFY, { token: tokenOf(person) })
  const email = newEmail('victim')
  await person.post('/v1/auth/email/change', { email, ...body })
  const current = await waitForToken(kernel, person.email, '/change-email')
  await kernel.post(CONFIRM, { token: current })
  return { email, token: await waitForToken(kernel, email, '/change-email') }
}
const pendingOf = async (person: Person) => (await person.get('/v1/auth/email/change')).body.newConfirmed

test('the click at the new address of a verified account counts only with a proof of the account', async t => {
  const [squatter, victim] = [await register('squatter'), await register('other')]
  const { token } = await moved(squatter)
  const refused = await kernel.post<{ errors: object[] }>(CONFIRM, { token })
  t.is(codeOf(refused), '422 validation_failed')
  t.like(refused.body.errors[0], { pointer: '/password', code: 'required' })
  for (const nobody of [victim, kernel.as(victim.apiKey), kernel.as(squatter.apiKey)])
    t.is(codeOf(await nobody.post(CONFIRM, { token })), '422 validation_failed')
  t.is(codeOf(await kernel.post(CONFIRM, { token, password: randomUUID() })), '401 incorrect_password')
  t.false(await pendingOf(squatter))
  t.deepEqual(await works(squatter), [true, true, true])
})

test('the password of the account confirms its new address', async t => {
  const ada = await register()
  const { email, token } = await moved(ada)
  t.like((await kernel.post(CONFIRM, { token, password: TEST_PASSWORD })).body, { complete: true, login: null })
  t.deepEqual([await signIn(email), (await kernel.as(ada.apiKey).get('/v1/me')).status], ['200', 200])
})

test('a person without a password confirms the new address while signed in', async t => {
  const asked = await kernel.post('/v1/auth/email-code', { email: newEmail('grace') })
  await kernel.settled()
  const { request } = asked.body
  const code = kernel.kernel.ports.secrets.code('sign_in_code', request)
  const { body } = await kernel.post('/v1/auth/email-code/verify', {
    request,
    code,
  })
  const [grace, email] = [kernel.as(body.token), newEmail('after')]
  await grace.post('/v1/auth/email/change', { email })
  const current = await waitForToken(kernel, body.user.email, '/change-email')
  await kernel.post(CONFIRM, { token: current })
  const token = await waitForToken(kernel, email, '/change-email')
  const { body: page } = await visitor(kernel).open(`/change-email?token=${token}`)
  t.regex(page, /sign in to it, and you come back/)
  t.notRegex(page, /name="password"/)
  t.is(codeOf(await kernel.post(CONFIRM, { token, password: TEST_PASSWORD })), '401 incorrect_password')
  t.like((await grace.post(CONFIRM, { token })).body, { complete: true })
})

test('the page at the new address of a verified account asks whose account it is', async t => {
  const [ada, other] = [await register(), await register('other')]
  const { email, token } = await moved(ada)
  const page = visitor(kernel)
  const { body } = await page.open(`/change-email?token=${token}`)
  t.regex(body, /close this page, and nothing changes/)
  t.notRegex(body, /end earlier access/)
  t.is((await page.submit('/change-email', { token })).status, 422)
  const foreign = await visitor(kernel, other.cookie).open(`/change-email?token=${token}`)
  t.regex(foreign.body, /href="\/sign-in\?next[^"]*again&#x3D;1"/)
  const right = await page.submit('/change-email', { token, keep: 'yes', password: TEST_PASSWORD })
  t.regex(right.text, /has changed/)
  t.is(await signIn(email), '200')
})

test('the page of a used link to change the address has no form', async t => {
  const ada = await register()
  const { token } = await moved(ada)
  await ada.post(CONFIRM, { token })
  const { body } = await visitor(kernel).open(`/change-email?token=${token}`)
  t.regex(body, /role="alert"/)
  t.notRegex(body, /action="\/change-email"/)
})

test('the page in the browser with the login says that everything stays, and keeps it', async t => {
  const ada = await register()
  const page = visitor(kernel, ada.cookie)
  t.regex((await page.open(`/verify-email?token=${tokenOf(ada)}`)).body, /everything stays as it is/)
  t.regex((await page.submit('/verify-email', { token: tokenOf(ada), keep: 'yes' })).text, /is confirmed/)
  t.deepEqual(await works(ada), [true, true, true])
})

test('the page in another browser asks for the password, and says what ends without it', async t => {
  const ada = await register()
  const page = visitor(kernel)
  const { body } = await page.open(`/verify-email?token=${tokenOf(ada)}`)
  t.regex(body, /name="password"/)
  t.regex(body, /everything that gave access to it before ends/)
  const wrong = await page.submit('/verify-email', { token: tokenOf(ada), keep: 'yes', password: 'another one' })
  t.is(wrong.status, 401)
  t.regex(wrong.text, /The password is incorrect/)
  const right = await page.submit('/verify-email', { token: tokenOf(ada), keep: 'yes', password: TEST_PASSWORD })
  t.regex(right.text, /is confirmed/)
  t.deepEqual(await works(ada), [true, true, true])
})

test('the button without the password ends the earlier access and offers a new password', async t => {
  const squatter = await register('victim')
  const { text } = await visitor(kernel).submit('/verify-email', { token: tokenOf(squatter) })
  t.regex(text, /no longer works: 1 sign-ins, 1 API keys/)
  t.regex(text, /href="\/forgot-password"/)
  t.deepEqual(await works(squatter), [false, false, false])
})

test('a form that promised to keep everything ends nothing after a sign-out', async t => {
  const ada = await register()
  const { status, text } = await visitor(kernel).submit('/verify-email', { token: tokenOf(ada), keep: 'yes' })
  t.is(status, 422)
  t.regex(text, /name="password"/)
  t.deepEqual(await works(ada), [true, true, true])
})
