/** Sign-in at a provider on another site, in a browser. */
import test, { type ExecutionContext } from 'ava'
import type { Page } from 'playwright-core'
import { startTestKernel, type TestKernel } from '../../testing/index.ts'
import { freePort } from '../fixtures/free-port.ts'
import { newEmail } from '../modules/identity/fixtures.ts'
import { CLIENT, startIssuer, type TestIssuer } from '../modules/identity/sign-in/providers/issuer.ts'
import { findViolations } from './axe.ts'
import { openBrowser, submitSignIn } from './fixtures.ts'

const METHODS = '/account/sign-in-methods'
let url: string
/** At 127.0.0.1, which is another site than localhost for browsers. */
let issuer: TestIssuer
let kernel: TestKernel
test.before(async () => {
  const port = await freePort()
  url = `http://localhost:${port}`
  issuer = await startIssuer([`${url}/sign-in/acme/callback`])
  const providers = { acme: { ...CLIENT, issuer: issuer.url, label: 'Acme ID' } }
  const recipe = {
    product: { key: 'acme', name: 'Acme', publicUrl: url },
    modules: { identity: { signIn: { password: {}, providers } }, comms: { transport: 'mailbox' } },
  }
  kernel = await startTestKernel({ env: { PORT: String(port), PUBLIC_URL: url }, recipe })
})
test.after.always(async () => {
  await kernel?.stop()
  await issuer?.stop()
})

async function open(t: ExecutionContext, path: string): Promise<Page> {
  const page = await (await (await openBrowser(t)).newContext({ locale: 'en' })).newPage()
  await page.goto(`${url}${path}?next=${encodeURIComponent(METHODS)}`)
  return page
}
const choose = (page: Page, name: string) =>
  page.getByRole('link', { name }).or(page.getByRole('button', { name })).click()

test.serial('a person signs up with a provider, which is then their only way to sign in', async t => {
  issuer.person = { sub: 'new', email: newEmail('new'), email_verified: true, name: 'Ada' }
  const page = await open(t, '/sign-up')
  await choose(page, 'Continue with Acme ID')
  await page.waitForURL(`${url}${METHODS}`)
  await page.getByText('Your only way to sign in').waitFor()
  t.is(await page.getByRole('button', { name: 'Connect Acme ID' }).count(), 0)
  t.deepEqual(await findViolations(page), [])
})

test.serial('a person connects a provider, signs in with its form post, and removes it', async t => {
  const { email } = await kernel.register(newEmail('known'))
  issuer.person = { sub: 'known', email, email_verified: false }
  const page = await open(t, '/sign-in')
  await submitSignIn(page, email)
  await choose(page, 'Connect Acme ID')
  await page.waitForURL(`${url}${METHODS}?done=connected`)
  t.deepEqual(await findViolations(page), [])

  issuer.postsForms = true
  await page.context().clearCookies({ domain: 'localhost' })
  const posted = page.waitForRequest(request => request.method() === 'POST' && request.url().startsWith(url))
  await page.goto(`${url}/sign-in?next=${encodeURIComponent(METHODS)}`)
  await choose(page, 'Continue with Acme ID')
  await page.waitForURL(`${url}${METHODS}`)
  const { cookie } = await (await posted).allHeaders()
  t.is(cookie, undefined, 'a post from another site has no cookie')

  // A sign-in at the provider is no recent proof, which the removal needs.
  await page.context().clearCookies({ domain: 'localhost' })
  await page.goto(`${url}/sign-in?next=${encodeURIComponent(METHODS)}`)
  await submitSignIn(page, email)
  await page.waitForURL(`${url}${METHODS}`)
  await page.locator('summary', { hasText: 'Remove' }).last().click()
  await page.locator('details[open] button').click()
  await page.waitForURL(`${url}${METHODS}?done=removed`)
  t.is(await page.getByRole('button', { name: 'Connect Acme ID' }).count(), 1)
})

test.serial('a person whose address the provider has not verified proves the account first', async t => {
  const { email } = await kernel.register(newEmail('proves'))
  issuer.person = { sub: 'proves', email, email_verified: false }
  const page = await open(t, '/sign-in')
  await choose(page, 'Continue with Acme ID')
  await page.waitForURL(`${url}/sign-in?connect=acme**`)
  await submitSignIn(page, email)
  await page.waitForURL(`${url}/sign-in/connect`)
  t.deepEqual(await findViolations(page), [])
  await choose(page, 'Connect Acme ID')
  await page.waitForURL(`${url}${METHODS}`)
  await page.getByText('Acme ID').first().waitFor()
  t.is(await page.getByRole('button', { name: 'Connect Acme ID' }).count(), 0)
})
