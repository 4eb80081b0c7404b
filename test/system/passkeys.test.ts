import test, { type ExecutionContext } from 'ava'
import type { CDPSession, Page } from 'playwright-core'
import { type Person, startTestKernel, type TestKernel } from '../../testing/index.ts'
import { freePort } from '../fixtures/free-port.ts'
import { codeOf, newEmail } from '../modules/identity/fixtures.ts'
import { findViolations } from './axe.ts'
import { addAuthenticator, openBrowser, submitSignIn } from './fixtures.ts'

interface Site {
  readonly url: string
  readonly kernel: TestKernel
}
let site: Site
test.before(async () => {
  const port = await freePort()
  const url = `http://localhost:${port}`
  const recipe = {
    product: { key: 'acme', name: 'Acme', publicUrl: url },
    locales: { default: 'en', available: ['en', 'de'] },
    modules: { identity: { signIn: { password: {}, emailLink: {}, passkeys: {} } }, comms: { transport: 'mailbox' } },
  }
  site = { url, kernel: await startTestKernel({ env: { PORT: String(port), PUBLIC_URL: url }, recipe }) }
})
test.after.always(() => site?.kernel.stop())

interface Authenticator {
  readonly page: Page
  readonly cdp: CDPSession
  readonly authenticatorId: string
}
/** A browser with an authenticator that confirms every request. */
async function openWithAuthenticator(t: ExecutionContext, more: object = {}, suggests = false): Promise<Authenticator> {
  const context = await (await openBrowser(t)).newContext({ locale: 'en' })
  const page = await context.newPage()
  return { page, ...(await addAuthenticator(page, more, suggests)) }
}
/** Opens the list of sign-in methods, signed in with the password. */
async function openMethods({ page }: Authenticator, { email, password }: Person): Promise<void> {
  const login = await page.context().request.post(`${site.url}/v1/auth/login`, { data: { email, password } })
  if (!login.ok()) throw new Error(`the login returned ${login.status()}`)
  await page.goto(`${site.url}/account/sign-in-methods`)
}
async function addPasskey({ page }: Authenticator, name: string): Promise<void> {
  await page.getByLabel('Name').fill(name)
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  await page.waitForURL('**/account/sign-in-methods?done=added')
}
async function signInWithPasskey({ page }: Authenticator): Promise<void> {
  await page.context().clearCookies()
  await page.goto(`${site.url}/sign-in?next=%2Faccount%2Flogins`)
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
}
/** A person with a passkey in this browser. */
async function withPasskey(t: ExecutionContext, more: object = {}, suggests = false) {
  const person = await site.kernel.register(newEmail('passkey'))
  const browser = await openWithAuthenticator(t, more, suggests)
  await openMethods(browser, person)
  await addPasskey(browser, 'Laptop')
  return { person, browser }
}
const ways = async (person: Person) => (await person.get('/v1/auth/me/sign-in-methods')).body.data

test('a person adds a passkey and signs in with it, without an address or password', async t => {
  const { person, browser } = await withPasskey(t)
  t.deepEqual(
    (await ways(person)).map(({ method, label }) => [method, label]),
    [
      ['password', 'Password'],
      ['passkey', 'Laptop'],
    ],
  )
  t.deepEqual(await findViolations(browser.page), [])
  await browser.page.locator('summary', { hasText: 'Rename' }).click()
  await browser.page.locator('.confirm-box input[name=label]').fill('Work laptop')
  await browser.page.getByRole('button', { name: 'Save changes' }).click()
  await browser.page.waitForURL('**/account/sign-in-methods?done=renamed')
  t.true((await ways(person)).some(({ label }) => label === 'Work laptop'))
  await signInWithPasskey(browser)
  await browser.page.waitForURL('**/account/logins')
  await browser.page.goto(`${site.url}/account`)
  t.true((await browser.page.content()).includes(person.email))
})

test('a passkey beyond the limit is refused, also when its registration began below it', async t => {
  const person = await site.kernel.register(newEmail('passkey'))
  const browser = await openWithAuthenticator(t)
  await openMethods(browser, person)
  const { systemDatabase } = site.kernel.kernel.ports
  await browser.page.route('**/v1/auth/me/passkeys', async route => {
    await systemDatabase.acrossTenants('a test adds passkeys during a registration').query(
      `insert into identity_sign_in_identities (id, user_id, method, provider, subject, created_at)
         select 'sid_' || n || $1, $1, 'passkey', 'localhost', n || $1, now() from generate_series(1, 20) n`,
      [person.userId],
    )
    await route.continue()
  })
  await browser.page.getByLabel('Name').fill('One more')
  const answer = browser.page.waitForResponse('**/v1/auth/me/passkeys')
  await browser.page.getByRole('button', { name: 'Add a passkey' }).click()
  t.is((await (await answer).json()).code, 'too_many_passkeys')
  t.is((await ways(person)).filter(({ method }) => method === 'passkey').length, 20)
})

test('a browser offers the passkey in the field of the address, and it signs in without a click', async t => {
  const { browser } = await withPasskey(t, {}, true)
  const { page } = browser
  await page.context().clearCookies()
  await page.goto(`${site.url}/sign-in?next=%2Faccount%2Flogins`)
  await page.waitForURL('**/account/logins')
  t.pass()
})

test('a suggested passkey whose challenge has expired is refused with a sentence, and the next one signs in', async t => {
  const { browser } = await withPasskey(t, {}, true)
  const { page } = browser
  const { systemDatabase } = site.kernel.kernel.ports
  let verified = 0
  await page.route('**/v1/auth/passkey/verify', async route => {
    verified += 1
    const { challenge } = route.request().postDataJSON() as { challenge: string }
    const end = `update identity_passkey_challenges set expires_at = now() where id = $1`
    if (verified === 1) await systemDatabase.acrossTenants('a test ends a challenge').query(end, [challenge])
    await route.continue()
  })
  let offers = 0
  let offerAgain = () => {}
  const wasRead = new Promise<void>(resolve => {
    offerAgain = resolve
  })
  await page.route('**/v1/auth/passkey/options', async route => {
    offers += 1
    if (offers > 1) await wasRead
    await route.continue()
  })
  await page.context().clearCookies()
  await page.goto(`${site.url}/sign-in?next=%2Faccount%2Flogins`)
  t.regex((await page.getByRole('alert').textContent()) ?? '', /couldn't sign you in with a passkey/)
  offerAgain()
  await page.waitForURL('**/account/logins')
  t.is(verified, 2)
})

test('a passkey that the server refuses each time is offered three times, and not without end', async t => {
  const { person, browser } = await withPasskey(t, {}, true)
  const { page } = browser
  const id = (await ways(person)).find(({ method }) => method === 'passkey')?.id
  t.is((await person.delete(`/v1/auth/me/sign-in-methods/${id}`)).status, 204)
  const refused: number[] = []
  page.on('response', response => {
    if (response.url().endsWith('/v1/auth/passkey/verify')) refused.push(response.status())
  })
  await page.context().clearCookies()
  await page.goto(`${site.url}/sign-in`)
  await page.getByRole('alert').waitFor()
  await page.waitForLoadState('networkidle')
  t.deepEqual(refused, [401, 401, 401])
})

test('the suggestion of passkeys gets a new challenge before the former one expires', async t => {
  const { page } = await openWithAuthenticator(t, {}, true)
  await page.clock.install()
  let challenges = 0
  page.on('request', request => {
    if (request.url().endsWith('/v1/auth/passkey/options')) challenges += 1
  })
  const first = page.waitForResponse('**/v1/auth/passkey/options')
  await page.goto(`${site.url}/sign-in`)
  await (await first).finished()
  await page.waitForLoadState('networkidle')
  t.is(challenges, 1)
  const next = page.waitForRequest('**/v1/auth/passkey/options')
  await page.clock.fastForward('04:59')
  await next
  t.is(challenges, 2)
})

test('after a canceled sign-in with the button, passkeys are suggested again', async t => {
  const { browser } = await withPasskey(t, {}, true)
  const { cdp, authenticatorId, page } = browser
  // The authenticator refuses, so that a suggestion ends at once and asks nobody.
  await cdp.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: false })
  await page.context().clearCookies()
  const offered = page.waitForRequest('**/v1/auth/passkey/options')
  await page.goto(`${site.url}/sign-in`)
  await offered
  await page.waitForLoadState('networkidle')
  let asked = 0
  page.on('request', request => {
    if (request.url().endsWith('/v1/auth/passkey/options')) asked += 1
  })
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await page.getByRole('alert').waitFor()
  await page.waitForLoadState('networkidle')
  t.is(asked, 2, 'that of the button, and that of the next suggestion')
})

test('a security key with storage works, too', async t => {
  const { browser } = await withPasskey(t, { transport: 'usb' })
  await signInWithPasskey(browser)
  await browser.page.waitForURL('**/account/logins')
  t.pass()
})

test('a removed passkey is refused, with a sentence on the page', async t => {
  const { person, browser } = await withPasskey(t)
  const id = (await ways(person)).find(({ method }) => method === 'passkey')?.id
  t.is((await person.delete(`/v1/auth/me/sign-in-methods/${id}`)).status, 204)
  await signInWithPasskey(browser)
  await browser.page.getByRole('alert').waitFor()
  t.regex((await browser.page.getByRole('alert').textContent()) ?? '', /couldn't sign you in with a passkey/)
})

test('a copy of a passkey with an older counter is refused', async t => {
  const { browser } = await withPasskey(t)
  const { cdp, authenticatorId, page } = browser
  const { credentials } = await cdp.send('WebAuthn.getCredentials', { authenticatorId })
  const [copy] = credentials
  if (!copy) throw new Error('the authenticator has no passkey')
  await signInWithPasskey(browser)
  await page.waitForURL('**/account/logins')
  await cdp.send('WebAuthn.removeCredential', { authenticatorId, credentialId: copy.credentialId })
  await cdp.send('WebAuthn.addCredential', { authenticatorId, credential: { ...copy, signCount: 0 } })
  await signInWithPasskey(browser)
  await page.getByRole('alert').waitFor()
  const { rowCount } = await site.kernel.kernel.ports.systemDatabase
    .acrossTenants('a test reads the audit log')
    .query("select from identity_audit where action = 'sign_in_method.cloned'")
  t.is(rowCount, 1)
})

test('a response works once, and only for the challenge that it signed', async t => {
  const { browser } = await withPasskey(t)
  const sent: string[] = []
  browser.page.on('request', request => {
    if (request.url().endsWith('/v1/auth/passkey/verify')) sent.push(request.postData() ?? '')
  })
  await signInWithPasskey(browser)
  await browser.page.waitForURL('**/account/logins')
  const body = JSON.parse(sent[0] ?? '') as { challenge: string; response: object }
  const { kernel } = site
  t.is(codeOf(await kernel.post('/v1/auth/passkey/verify', body)), '401 invalid_passkey')
  const other = await kernel.post('/v1/auth/passkey/options', {})
  const mixed = { ...body, challenge: other.body.challenge }
  t.is(codeOf(await kernel.post('/v1/auth/passkey/verify', mixed)), '401 invalid_passkey')
})

test('a browser that cancels shows a sentence and can try again', async t => {
  const { browser } = await withPasskey(t)
  const { cdp, authenticatorId, page } = browser
  await cdp.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: false })
  await signInWithPasskey(browser)
  await page.getByRole('alert').waitFor()
  await cdp.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: true })
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await page.waitForURL('**/account/logins')
  t.pass()
})

for (const [title, host, without, reason] of [
  ['an IP address', '127.0.0.1', '', 'Passkeys need a domain name.'],
  ['an address without HTTPS', 'localhost', 'isSecureContext', 'Passkeys need HTTPS.'],
  ['a browser without passkeys', 'localhost', 'PublicKeyCredential', "This browser doesn't support passkeys."],
] as const)
  test(`${title} gives the reason why no passkey can be added, and no button`, async t => {
    const person = await site.kernel.register(newEmail('passkey'))
    const context = await (await openBrowser(t)).newContext({ locale: 'en' })
    if (without) await context.addInitScript(`Object.defineProperty(globalThis, '${without}', { value: undefined })`)
    const page = await context.newPage()
    await page.goto(`${site.url.replace('localhost', host)}/sign-in?next=%2Faccount%2Fsign-in-methods`)
    await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor()
    t.is(await page.getByRole('button', { name: 'Sign in with a passkey' }).count(), 0)
    await submitSignIn(page, person.email)
    await page.waitForURL('**/account/sign-in-methods')
    await page.getByText(reason).waitFor()
    t.is(await page.getByRole('button', { name: 'Add a passkey' }).count(), 0)
    t.is(await page.locator('[data-passkey-reason]:visible').count(), 1)
    t.deepEqual(await findViolations(page), [])
  })
