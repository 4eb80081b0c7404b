import test from 'ava'
import { Secret, TOTP } from 'otpauth'
import { MINUTE, SECOND } from '../../../../../kernel/base/units.ts'
import { type Person, TEST_PASSWORD, type TestKernel } from '../../../../../testing/index.ts'
import { createTestClock, newEmail, requestReset, startIdentity } from '../../fixtures.ts'
import { type Submitted, visitor } from '../../pages/forms.ts'
import { verify } from '../../pages/mail-tokens.ts'

const clock = createTestClock({ runs: false })
let kernel: TestKernel
test.before(async () => {
  const secondFactor = { totp: true, requiredFor: ['tenant.owner'] }
  kernel = await startIdentity({ signIn: { passkeys: {}, secondFactor, trustedDevices: '30d' } }, { clock })
})
test.after.always(() => kernel?.stop())

const PATH = '/sign-in/second-factor'
const SETTINGS = '/account/second-factor'

/** The key and the hidden setup on a page. */
function setupIn(html: string) {
  const [, secret = ''] = /<code class="key">([A-Z2-7]{32})<\/code>/.exec(html) ?? []
  const [, enrollment = ''] = /name="enrollment" value="([^"]+)"/.exec(html) ?? []
  return { secret, enrollment }
}
const recoveryCodesIn = (html: string): string[] => html.match(/[0-9A-Z]{4}(-[0-9A-Z]{4}){3}/g) ?? []
const codeOfApp = (secret: string): string =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: clock.now() })
const nextPeriod = () => clock.forward(30 * SECOND)

const signIn = ({ email }: Person, next = '/account'): Promise<Submitted> =>
  visitor(kernel).submit('/sign-in', { email, password: TEST_PASSWORD, next })
const cookieNamed = ({ cookies }: Submitted, name: string) => cookies.find(cookie => cookie.startsWith(`${name}=`))

/** Enrolls at the sign-in, as a role requires. */
async function enrollAtSignIn(person: Person) {
  const first = await signIn(person)
  const browser = visitor(kernel, cookieNamed(first, 'platform_pending'))
  const setup = setupIn((await browser.open(PATH)).body)
  const done = await browser.submit(PATH, { next: '/account', ...setup, code: codeOfApp(setup.secret) })
  nextPeriod()
  return { first, done, secret: setup.secret }
}

test.serial('a role that requires it leads to the setup at sign-in, which shows recovery codes once', async t => {
  const { first, done } = await enrollAtSignIn(await kernel.register(newEmail('owner')))
  t.is(first.location, `${PATH}?next=%2Faccount`)
  t.is(cookieNamed(first, 'platform_session'), undefined)
  t.is(done.status, 200)
  t.is(new Set(recoveryCodesIn(done.text)).size, 10)
  const session = cookieNamed(done, 'platform_session')
  t.is((await visitor(kernel, session).open('/account')).status, 200)
  t.deepEqual(recoveryCodesIn((await visitor(kernel, session).open(SETTINGS)).body), [])
})

test.serial('a wrong first code shows the same QR code again', async t => {
  const first = await signIn(await kernel.register(newEmail('owner')))
  const browser = visitor(kernel, cookieNamed(first, 'platform_pending'))
  const setup = setupIn((await browser.open(PATH)).body)
  const wrong = await browser.submit(PATH, { next: '/', enrollment: setup.enrollment, code: '000000' })
  t.is(wrong.status, 403)
  t.is(setupIn(wrong.text).secret, setup.secret)
})

test.serial('the second step asks for a code, and goes on to the page that was asked for', async t => {
  const person = await kernel.register(newEmail('owner'))
  const { secret } = await enrollAtSignIn(person)
  const first = await signIn(person, '/account/logins')
  const pending = cookieNamed(first, 'platform_pending')
  t.is((await visitor(kernel, pending).open('/account')).status, 303)
  const browser = visitor(kernel, pending)
  t.regex((await browser.open(PATH)).body, /autocomplete="one-time-code"/)
  const wrong = await browser.submit(PATH, { next: '/account/logins', code: 'ABCD-ABCD-ABCD-ABCD' })
  t.is(wrong.status, 403)
  const done = await browser.submit(PATH, { next: '/account/logins', code: codeOfApp(secret) })
  t.is(done.location, '/account/logins')
  t.truthy(cookieNamed(done, 'platform_session'))
  t.is(cookieNamed(done, 'platform_pending'), 'platform_pending=')
  nextPeriod()
})

test.serial('a passkey that a role requires stays when a reset with mail revokes other access', async t => {
  const ada = await kernel.register(newEmail('owner'))
  await verify(kernel, ada)
  await kernel.kernel.ports.systemDatabase.acrossTenants('a test adds a passkey').query(
    `insert into identity_sign_in_identities (id, user_id, method, provider, subject, label, created_at, last_used_at)
       values ('sid_test', $1, 'passkey', 'localhost', 'credential', 'Laptop', now(), now())`,
    [ada.userId],
  )
  const password = 'another correct horse battery staple'
  const token = await requestReset(kernel, ada.email)
  await kernel.post('/v1/auth/password/reset', { token, password, revokeAccess: true })
  const { body } = await kernel.post('/v1/auth/login', { email: ada.email, password })
  t.like(body, { code: 'second_factor_required', methods: ['passkey'], enroll: false })
})

test.serial('without a pending sign-in, the second step leads back to the sign-in', async t => {
  t.is((await visitor(kernel).open(`${PATH}?next=/account`)).location, '/sign-in?next=%2Faccount')
  const posted = await visitor(kernel, 'platform_pending=slp_unknown').submit(PATH, {
    next: '/account',
    code: '123456',
  })
  t.is(posted.location, '/sign-in?next=%2Faccount')
})

test.serial(
  'the account page sets up another app, shows new recovery codes, and refuses to remove what a role requires',
  async t => {
    const person = await kernel.register(newEmail('owner'))
    const browser = visitor(kernel, person.cookie)
    t.regex((await browser.open(SETTINGS)).body, /Your role requires a second factor/)
    const setup = setupIn((await browser.submit(SETTINGS, { intent: 'start' })).text)
    const enabled = await browser.submit(SETTINGS, { intent: 'enable', ...setup, code: codeOfApp(setup.secret) })
    t.is(new Set(recoveryCodesIn(enabled.text)).size, 10)
    const again = await browser.submit(SETTINGS, { intent: 'codes' })
    t.notDeepEqual(recoveryCodesIn(again.text), recoveryCodesIn(enabled.text))
    t.is((await browser.submit(SETTINGS, { intent: 'remove' })).status, 409)
    t.regex((await browser.open('/account/sign-in-methods')).body, /href="\/account\/second-factor"/)
  },
)

test.serial('a setup that is refused starts no other one without a recent proof', async t => {
  const person = await kernel.register(newEmail('owner'))
  const browser = visitor(kernel, person.cookie)
  const { enrollment } = setupIn((await browser.submit(SETTINGS, { intent: 'start' })).text)
  clock.forward(15 * MINUTE)
  for (const given of [enrollment, 'forged', '']) {
    const refused = await browser.submit(SETTINGS, { intent: 'enable', code: '123456', enrollment: given })
    t.is(refused.status, given === '' ? 422 : 410)
    t.deepEqual(setupIn(refused.text), { secret: '', enrollment: '' })
  }
})

test.serial('a wrong first code on the account page shows the same QR code again', async t => {
  const browser = visitor(kernel, (await kernel.register(newEmail('owner'))).cookie)
  const { secret, enrollment } = setupIn((await browser.submit(SETTINGS, { intent: 'start' })).text)
  const wrong = await browser.submit(SETTINGS, { intent: 'enable', enrollment, code: '000000' })
  t.is(setupIn(wrong.text).secret, secret)
})

test.serial('wrong codes do not extend the 15 minutes of a setup', async t => {
  const browser = visitor(kernel, (await kernel.register(newEmail('owner'))).cookie)
  const { secret, enrollment } = setupIn((await browser.submit(SETTINGS, { intent: 'start' })).text)
  clock.forward(9 * MINUTE)
  const wrong = await browser.submit(SETTINGS, { intent: 'enable', enrollment, code: '000000' })
  const shown = setupIn(wrong.text)
  t.is(shown.secret, secret)
  clock.forward(7 * MINUTE)
  const late = await browser.submit(SETTINGS, { intent: 'enable', ...shown, code: codeOfApp(secret) })
  t.is(late.status, 410)
})

test.serial('the second step offers a trust of less than two days in hours', async t => {
  const own = await startIdentity({ signIn: { secondFactor: { totp: true }, trustedDevices: '36h' } }, { clock })
  t.teardown(() => own.stop())
  const person = await own.register(newEmail('ada'))
  const settings = visitor(own, person.cookie)
  const setup = setupIn((await settings.submit(SETTINGS, { intent: 'start' })).text)
  await settings.submit(SETTINGS, { intent: 'enable', ...setup, code: codeOfApp(setup.secret) })
  const signedIn = await visitor(own).submit('/sign-in', { email: person.email, password: TEST_PASSWORD })
  const pending = cookieNamed(signedIn, 'platform_pending')
  t.regex((await visitor(own, pending).open(PATH)).body, /on this device for 36 hours</)
})

test.serial('a browser that its person trusts signs in without the second step, until they forget it', async t => {
  const person = await kernel.register(newEmail('owner'))
  const { secret } = await enrollAtSignIn(person)
  const pending = visitor(kernel, cookieNamed(await signIn(person), 'platform_pending'))
  t.regex((await pending.open(PATH)).body, /on this device for 30 days/)
  const done = await pending.submit(PATH, { next: '/account', code: codeOfApp(secret), trust: '1' })
  const trusted = visitor(kernel, cookieNamed(done, 'platform_trusted'))
  const signInAgain = () =>
    trusted.submit('/sign-in', { email: person.email, password: TEST_PASSWORD, next: '/account' })
  const again = await signInAgain()
  t.is(again.location, '/account')
  const browser = visitor(kernel, cookieNamed(again, 'platform_session'))
  t.regex((await browser.open(SETTINGS)).body, /Trusted devices/)
  t.is((await browser.submit(SETTINGS, { intent: 'forget' })).location, `${SETTINGS}?done=forgotten`)
  t.is((await signInAgain()).location, `${PATH}?next=%2Faccount`)
})
