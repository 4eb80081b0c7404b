/** Single sign-on in a browser, by keyboard: an owner sets it up, and a person of the domain signs in. */
import { randomUUID } from 'node:crypto'
import test, { type ExecutionContext } from 'ava'
import type { Page } from 'playwright-core'
import { startTestKernel } from '../../testing/index.ts'
import { freePort } from '../fixtures/free-port.ts'
import { newEmail } from '../modules/identity/fixtures.ts'
import { CLIENT, startIssuer } from '../modules/identity/sign-in/providers/issuer.ts'
import { newSigningKey, startIdentityProvider } from '../modules/identity/sign-in/sso/identity-provider.ts'
import { startNameServer } from '../modules/identity/sign-in/sso/name-server.ts'
import { openBrowser, submitSignIn } from './fixtures.ts'
import { fill, press, tabTo } from './keyboard.ts'
import { accessibilityProblems } from './site-fixtures.ts'

const SETTINGS = '/workspace/sso'
const DOMAIN = 'acme-single-sign-on.com'
interface Saml {
  readonly issuer: string
  readonly saml: { readonly signInUrl: string }
}
/** Continues on the page of the provider of SAML. */
async function continueAs(page: Page, name: string): Promise<void> {
  const button = `Continue as ${name}`
  await page.getByRole('button', { name: button }).waitFor()
  await press(page, button)
}

/** A product with single sign-on, and a browser whose pages record what their policy refuses. */
async function start(t: ExecutionContext) {
  const port = await freePort()
  const url = `http://localhost:${port}`
  const names = await startNameServer()
  t.teardown(() => names.stop())
  const signIn = { password: {}, emailLink: {}, enterprise: { dnsServers: [names.address] } }
  const kernel = await startTestKernel({
    env: { PORT: String(port), PUBLIC_URL: url },
    recipe: {
      product: { key: 'acme', name: 'Acme', publicUrl: url },
      locales: { default: 'en', available: ['en', 'de'] },
      modules: { identity: { signIn }, comms: { transport: 'mailbox' } },
    },
  })
  t.teardown(() => kernel.stop())
  const owner = await kernel.register(newEmail('owner'))
  const browser = await openBrowser(t)
  const refused: string[] = []
  const problems: string[] = []
  const open = async (path: string, locale = 'en'): Promise<Page> => {
    const page = await (await browser.newContext({ locale })).newPage()
    page.on('console', message => message.text().includes('Content Security Policy') && refused.push(message.text()))
    await page.goto(url + path)
    return page
  }
  const check = async (page: Page, name: string) => problems.push(...(await accessibilityProblems(page, name)))
  /** Signs the owner in and verifies the domain. */
  async function openSettings(): Promise<Page> {
    const settings = await open(`/sign-in?next=${encodeURIComponent(SETTINGS)}`)
    await check(settings, 'sso-sign-in')
    await submitSignIn(settings, owner.email)
    await settings.waitForURL(url + SETTINGS)
    await check(settings, 'sso-empty')
    await fill(settings, { Domain: DOMAIN })
    await settings.getByText('Domain added.').waitFor()
    names.records.set(DOMAIN, [(await settings.locator('code[id^=record]').textContent()) ?? ''])
    await press(settings, `Verify ${DOMAIN}`)
    await settings.getByText('Domain verified.').waitFor()
    return settings
  }
  return { url, owner, open, check, openSettings, noProblems: () => t.deepEqual([refused, problems], [[], []]) }
}

test('an owner sets up single sign-on and a person signs in, by keyboard', async t => {
  const { url, open, check, openSettings, noProblems } = await start(t)
  // At 127.0.0.1, which is another site than localhost for browsers.
  const issuer = await startIssuer(/\/sign-in\/sso\/ten_[^/]+\/callback$/)
  t.teardown(() => issuer.stop())
  const settings = await openSettings()
  await fill(settings, { Issuer: issuer.url, 'Client ID': CLIENT.clientId, 'Client secret': CLIENT.clientSecret })
  await settings.getByText('Changes saved.').waitFor()
  issuer.person = { sub: randomUUID(), email: `tester@${DOMAIN}` }
  await press(settings, 'Test single sign-on')
  await settings.waitForURL(`${url}${SETTINGS}?done=tested`)
  await settings.getByText('The test succeeded.').waitFor()
  await press(settings, 'Turn on')
  await settings.getByRole('button', { name: 'Require single sign-on' }).waitFor()
  await press(settings, 'Require single sign-on')
  await settings.getByText('Required', { exact: true }).waitFor()
  await check(settings, 'sso-required')

  const email = `ada@${DOMAIN}`
  issuer.person = { sub: randomUUID(), email, name: 'Ada' }
  const person = await open('/sign-in?next=%2Faccount')
  await tabTo(person, 'Email')
  await person.keyboard.type(email)
  await press(person, 'Use single sign-on')
  await person.waitForURL(`${url}/account`)
  t.true((await person.content()).includes(email))

  issuer.failing = 503
  const refusedPerson = await open('/sign-in/single-sign-on?next=%2Faccount')
  await check(refusedPerson, 'sso-address')
  await fill(refusedPerson, { Email: email })
  await refusedPerson.waitForURL('**/sign-in?failed=sso**')
  await refusedPerson.getByText("isn't available at the moment").waitFor()
  await check(refusedPerson, 'sso-unavailable')
  noProblems()
})

test('an owner sets up SAML and a person signs in, by keyboard', async t => {
  const { url, owner, open, check, openSettings, noProblems } = await start(t)
  // At 127.0.0.1, too.
  const [provider, expired] = await Promise.all([startIdentityProvider(), newSigningKey([-30, -1])])
  t.teardown(() => provider.stop())
  const personOf = (name: string) => ({ nameId: name, attributes: { email: [`${name}@${DOMAIN}`] } })
  const settings = await openSettings()
  await press(settings, 'SAML')
  await settings.getByText('Metadata document').waitFor()
  await check(settings, 'saml-empty')
  await tabTo(settings, 'Metadata document')
  await settings.keyboard.insertText('<html/>')
  await press(settings, 'Save changes')
  await settings.getByText('Metadata document describes no identity provider.').waitFor()
  await check(settings, 'saml-refused')
  await tabTo(settings, 'Metadata document')
  await settings.keyboard.press('Control+A')
  await settings.keyboard.insertText(provider.metadata())
  await press(settings, 'Save changes')
  await settings.getByText('Changes saved.').waitFor()
  provider.person = personOf('tester')
  await press(settings, 'Test single sign-on')
  await continueAs(settings, 'tester')
  await settings.waitForURL(`${url}${SETTINGS}?done=tested`)
  await settings.getByText('The test succeeded.').waitFor()
  await settings.getByText(`tester@${DOMAIN}`, { exact: true }).waitFor()
  await press(settings, 'Turn on')
  await settings.getByRole('button', { name: 'Require single sign-on' }).waitFor()
  await check(settings, 'saml-on')

  provider.person = personOf('ada')
  const person = await open('/sign-in?next=%2Faccount')
  await tabTo(person, 'Email')
  await person.keyboard.type(`ada@${DOMAIN}`)
  await press(person, 'Use single sign-on')
  await continueAs(person, 'ada')
  await person.waitForURL(`${url}/account`)
  t.true((await person.content()).includes(`ada@${DOMAIN}`))

  const { issuer, saml } = (await owner.get<Saml>('/v1/identity/sso/connection')).body
  const parts = { issuer, signInUrl: saml.signInUrl, certificates: [expired.certificate] }
  t.is((await owner.put('/v1/identity/sso/connection/saml', parts)).status, 200)
  const german = await open('/sign-in/single-sign-on?next=%2Faccount', 'de')
  await check(german, 'saml-german')
  await fill(german, { 'E-Mail': `ada@${DOMAIN}` })
  await german.getByText('Das Zertifikat des Anbieters Ihrer Organisation ist abgelaufen.').waitFor()
  await check(german, 'saml-german-expired')
  await settings.goto(url + SETTINGS)
  await settings.getByText('Expired', { exact: true }).waitFor()
  await check(settings, 'saml-expired')
  noProblems()
})
