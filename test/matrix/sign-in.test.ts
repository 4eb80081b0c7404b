/** Every way to sign in, by keyboard alone, in each language: where the focus lands, what it can reach, and what is read out. */
import { readFile } from 'node:fs/promises'
import test, { type ExecutionContext } from 'ava'
import { Secret, TOTP } from 'otpauth'
import type { Page } from 'playwright-core'
import { parse } from 'yaml'
import { MINUTE, SECOND } from '../../kernel/base/units.ts'
import { startTestKernel, TEST_PASSWORD, type TestKernel } from '../../testing/index.ts'
import { freePort } from '../fixtures/free-port.ts'
import { colleague, newEmail } from '../modules/identity/fixtures.ts'
import { verify } from '../modules/identity/pages/mail-tokens.ts'
import { CLIENT, startIssuer, type TestIssuer } from '../modules/identity/sign-in/providers/issuer.ts'
import { addAuthenticator, openBrowser } from '../system/fixtures.ts'
import { fill, focused, focusProblems, press, tabTo } from '../system/keyboard.ts'
import { accessibilityProblems } from '../system/site-fixtures.ts'

const METHODS = '/account/sign-in-methods'
const FACTOR = '/account/second-factor'
const TOTP_PERIOD = 30 * SECOND
const PROVIDER = 'Acme ID'

type Texts = Readonly<Record<string, string>>
const german: Texts = Object.assign(
  {},
  ...(await Promise.all(
    ['themes/default', 'modules/identity'].map(async folder =>
      parse(await readFile(`${folder}/locales/de.yaml`, 'utf8')),
    ),
  )),
)
/** Words that no German sentence has. */
const ENGLISH = /\b(the|your|you|with|and|this|that|are|is|of|or|for|has|on|by|to|from|not|password|account)\b/i

/** The texts of the page with those of its attributes. */
const TEXTS = `(() => {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  const texts = [document.title]
  while (walker.nextNode()) {
    if (!walker.currentNode.parentElement.closest('script, style')) texts.push(walker.currentNode.data)
  }
  for (const element of document.querySelectorAll('[aria-label], [title], [placeholder], [alt]'))
    for (const name of ['aria-label', 'title', 'placeholder', 'alt']) texts.push(element.getAttribute(name) ?? '')
  return texts.map(text => text.trim()).filter(Boolean)
})()`

interface Product {
  readonly url: string
  readonly kernel: TestKernel
  readonly issuer: TestIssuer
  forward(milliseconds: number): void
  now(): number
}

async function startProduct(t: ExecutionContext): Promise<Product> {
  const port = await freePort()
  const url = `http://localhost:${port}`
  // At 127.0.0.1, which is another site than localhost for browsers.
  const issuer = await startIssuer([`${url}/sign-in/acme/callback`])
  t.teardown(() => issuer.stop())
  let ahead = 0
  const now = () => Date.now() + ahead
  const signIn = {
    password: {},
    emailLink: {},
    passkeys: {},
    challenge: { after: 1 },
    trustedDevices: '30d',
    secondFactor: { totp: true, requiredFor: ['tenant.member'] },
    providers: { acme: { ...CLIENT, issuer: issuer.url, label: PROVIDER } },
  }
  const kernel = await startTestKernel({
    clock: { now },
    env: { PORT: String(port), PUBLIC_URL: url },
    recipe: {
      product: { key: 'acme', name: 'Acme', publicUrl: url },
      locales: { default: 'en', available: ['en', 'de'] },
      modules: { identity: { signIn }, comms: { transport: 'mailbox' } },
    },
  })
  t.teardown(() => kernel.stop())
  return {
    url,
    kernel,
    issuer,
    now,
    forward(milliseconds) {
      ahead += milliseconds
    },
  }
}

/** A person with a browser in one language. */
function createVisitor(t: ExecutionContext, { url, kernel }: Product, locale: string, page: Page) {
  const problems: string[] = []
  const isEnglish = locale === 'en'
  /** The text in the language of the browser. */
  function words(text: string, ...values: readonly string[]): string {
    const found = isEnglish ? text : german[text]
    if (found === undefined) throw new Error(`"${text}" has no German text`)
    return values.reduce<string>((filled, value, index) => filled.replaceAll(`{${index}}`, value), found)
  }
  const isLeftInEnglish = (text: string) =>
    (german[text] ?? text) !== text || ENGLISH.test(text.replace(/\S+@\S+/g, ''))

  return {
    page,
    words,
    /** Checks the page in every width and theme. */
    async check(name: string) {
      const label = `${name}-${locale}`
      if ((await page.getAttribute('html', 'lang')) !== locale) problems.push(`${label}: wrong language`)
      if (!isEnglish) {
        const left = (await page.evaluate<string[]>(TEXTS)).filter(isLeftInEnglish)
        problems.push(...left.map(text => `${label}: English: ${text}`))
      }
      problems.push(...(await focusProblems(page)).map(problem => `${label}: ${problem}`))
      problems.push(...(await accessibilityProblems(page, label)))
    },
    press: (text: string, ...values: readonly string[]) => press(page, words(text, ...values)),
    fill: (values: Texts) =>
      fill(page, Object.fromEntries(Object.entries(values).map(([text, value]) => [words(text), value]))),
    tabTo: (text: string, ...values: readonly string[]) => tabTo(page, words(text, ...values)),
    /** The page starts at this field or text, which says what happened. */
    async startsAt(text: string, ...values: readonly string[]) {
      const expected = words(text, ...values)
      await page.locator(':focus').waitFor()
      t.is(await focused(page), expected)
    },
    /** The error belongs to the focused field. */
    async isToldAtField(text: string, ...values: readonly string[]) {
      const told = await page.evaluate<string>(
        `document.getElementById(document.activeElement.getAttribute('aria-describedby'))?.textContent.trim() ?? ''`,
      )
      t.true(told.includes(words(text, ...values)), told)
    },
    arrive: (path: string) => page.waitForURL(url + path),
    open: (path: string) => page.goto(url + path),
    async signOut(name: string) {
      await press(page, words('Account of {0}', name))
      await press(page, words('Sign out'))
      await page.waitForURL(`${url}/sign-in`)
    },
    /** The code in the newest mail to the address. */
    async codeInMail(email: string): Promise<string> {
      await kernel.settled()
      const inbox = await kernel.get(`/v1/communications/mailbox?filter[to]=${encodeURIComponent(email)}`)
      const mail = await kernel.get(`/v1/communications/mailbox/${inbox.body.data[0]?.id}`)
      return /\b\d{6}\b/.exec(mail.body.text)?.[0] ?? ''
    },
    async checkMails(email: string) {
      await kernel.settled()
      const inbox = await kernel.get(`/v1/communications/mailbox?filter[to]=${encodeURIComponent(email)}`)
      for (const { id, subject } of isEnglish ? [] : inbox.body.data) {
        const { text } = (await kernel.get(`/v1/communications/mailbox/${id}`)).body
        const lines = [subject, ...text.replace(/https?:\S+/g, '').split('\n')].filter(line => ENGLISH.test(line))
        problems.push(...lines.map(line => `mail "${subject}": English: ${line}`))
      }
    },
    noProblems: () => t.deepEqual(problems, []),
  }
}
type Visitor = ReturnType<typeof createVisitor>

async function openVisitor(t: ExecutionContext, product: Product, locale: string, more: object = {}): Promise<Visitor> {
  const context = await (await openBrowser(t)).newContext({ locale, ...more })
  return createVisitor(t, product, locale, await context.newPage())
}

const appOf = async ({ page }: Visitor): Promise<TOTP> =>
  new TOTP({ secret: Secret.fromBase32((await page.locator('code').textContent()) ?? '') })

for (const locale of ['en', 'de']) {
  test.serial(
    `a person signs in in every way and changes the ways, by keyboard, in the language ${locale}`,
    async t => {
      t.timeout(600_000)
      const product = await startProduct(t)
      const { kernel, issuer } = product
      const name = 'Ada'
      const ada = await kernel.register(newEmail('keys'), { name, locale })
      // Otherwise the first proof of the address takes away the other ways.
      await verify(kernel, ada)
      const { email } = ada
      const v = await openVisitor(t, product, locale)
      const { cdp, authenticatorId } = await addAuthenticator(v.page)
      issuer.person = { sub: 'ada', email, email_verified: true, name }

      await v.open(`/sign-in?next=${encodeURIComponent(METHODS)}`)
      await v.startsAt('Email')
      await v.check('sign-in')
      await v.fill({ Email: email, Password: 'a wrong password' })
      await v.page.getByText(v.words('Your browser has solved the task. Enter your password and sign in.')).waitFor()
      await v.startsAt('Password')
      await v.isToldAtField('Incorrect email or password.')
      await v.check('sign-in-challenge')
      await v.fill({ Password: TEST_PASSWORD })
      await v.arrive(METHODS)
      await v.check('methods')

      await cdp.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: false })
      await v.fill({ Name: 'Laptop' })
      await v.page.getByRole('alert').waitFor()
      await v.startsAt('Add a passkey')
      await v.check('passkey-refused')
      await cdp.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: true })
      await v.press('Add a passkey')
      await v.arrive(`${METHODS}?done=added`)
      await v.startsAt('The passkey is added.')
      await v.press('Rename {0}', 'Laptop')
      await v.check('passkey-rename')
      await v.fill({ Name: 'Notebook' })
      await v.arrive(`${METHODS}?done=renamed`)
      await v.startsAt('Changes saved.')
      await v.press('Connect {0}', PROVIDER)
      await v.arrive(`${METHODS}?done=connected`)
      await v.startsAt('The sign-in method is added.')
      await v.check('methods-all')

      await v.press('Second factor')
      await v.arrive(FACTOR)
      await v.check('factor-off')
      await v.press('Set up an authenticator app')
      await v.startsAt('Set up an authenticator app')
      await v.check('factor-setup')
      const app = await appOf(v)
      const code = () => app.generate({ timestamp: product.now() })
      await v.fill({ 'Six-digit code': '000000' })
      await v.page.getByRole('alert').waitFor()
      await v.startsAt('Six-digit code')
      await v.check('factor-setup-refused')
      await v.fill({ 'Six-digit code': code() })
      await v.page.locator('ul.codes').waitFor()
      await v.startsAt(
        'Keep these codes in a safe place. Each one signs you in once if you lose your device. They are shown only now.',
      )
      const [recoveryCode = ''] = await v.page.locator('ul.codes li').allTextContents()
      await v.check('factor-codes')
      await v.open(FACTOR)
      await v.check('factor-on')

      await v.signOut(name)
      await v.check('signed-out')
      await v.open(`/sign-in?next=${encodeURIComponent(METHODS)}`)
      await cdp.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: false })
      await v.press('Sign in with a passkey')
      await v.page.getByRole('alert').waitFor()
      await v.startsAt('Sign in with a passkey')
      await v.check('sign-in-passkey-refused')
      await cdp.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: true })
      await v.press('Sign in with a passkey')
      await v.arrive(METHODS)

      await v.signOut(name)
      await v.open(`/sign-in?next=${encodeURIComponent(METHODS)}`)
      issuer.failing = 503
      await v.press('Continue with {0}', PROVIDER)
      await v.page.waitForURL('**/sign-in?failed=acme**')
      await v.startsAt('Email')
      await v.check('sign-in-provider-fails')
      issuer.failing = undefined
      product.forward(5 * MINUTE)
      await v.press('Continue with {0}', PROVIDER)
      await v.page.waitForURL('**/sign-in/second-factor?**')
      await v.startsAt('Code or recovery code')
      await v.check('second-step')
      await v.fill({ 'Code or recovery code': '000000' })
      await v.page.getByRole('alert').waitFor()
      await v.startsAt('Code or recovery code')
      await v.check('second-step-refused')
      await v.fill({ 'Code or recovery code': recoveryCode })
      await v.arrive(METHODS)

      await v.signOut(name)
      await v.open(`/sign-in?next=${encodeURIComponent(FACTOR)}`)
      await v.press('Email me a code')
      await v.startsAt('Email')
      await v.check('email-code')
      await v.fill({ Email: email })
      await v.page.getByText(email).waitFor()
      await v.startsAt('Six-digit code')
      await v.check('email-code-sent')
      await v.fill({ 'Six-digit code': '000000' })
      await v.page.getByRole('alert').waitFor()
      await v.startsAt('Six-digit code')
      await v.check('email-code-refused')
      await v.fill({ 'Six-digit code': await v.codeInMail(email) })
      await v.page.waitForURL('**/sign-in/second-factor?**')
      await v.startsAt('Code or recovery code')
      await v.page.keyboard.type(code())
      await v.tabTo("Don't ask for a code on this device for {0} days", '30')
      await v.page.keyboard.press('Space')
      await v.press('Sign in')
      await v.arrive(FACTOR)
      await v.check('factor-trusted')
      await v.signOut(name)
      await v.open(`/sign-in?next=${encodeURIComponent(FACTOR)}`)
      await v.fill({ Email: email, Password: TEST_PASSWORD })
      await v.arrive(FACTOR)

      product.forward(20 * MINUTE)
      await v.press('New recovery codes')
      await v.page.waitForURL('**/sign-in/confirm?**')
      await v.startsAt('Code of your authenticator app, or a recovery code')
      await v.check('confirm')
      await v.fill({ 'Code of your authenticator app, or a recovery code': '000000' })
      await v.page.getByRole('alert').waitFor()
      await v.startsAt('Code of your authenticator app, or a recovery code')
      await v.check('confirm-refused')
      await v.fill({ 'Code of your authenticator app, or a recovery code': code() })
      await v.arrive(FACTOR)
      product.forward(20 * MINUTE)
      await v.press('New recovery codes')
      await v.page.waitForURL('**/sign-in/confirm?**')
      await v.press('Use a passkey')
      await v.arrive(FACTOR)
      await v.press('New recovery codes')
      await v.page.locator('ul.codes').waitFor()
      await v.press('Forget these devices')
      await v.arrive(`${FACTOR}?done=forgotten`)
      await v.startsAt('Your devices ask for the second step again.')
      await v.press('Remove the authenticator app')
      await v.check('factor-remove')
      await v.press('Remove')
      await v.arrive(`${FACTOR}?done=removed`)
      await v.startsAt('The authenticator app is removed.')

      await v.open(METHODS)
      for (const label of ['Notebook', PROVIDER]) {
        await v.press('Remove {0}', label)
        await v.check(`remove-${label.slice(0, 4)}`)
        await v.press('Remove')
        await v.page.waitForURL('**?done=removed')
        await v.startsAt('The sign-in method is removed.')
        await v.open(METHODS)
      }
      product.forward(20 * MINUTE)
      await v.press('Connect {0}', PROVIDER)
      await v.page.waitForURL('**/sign-in/confirm?**')
      await v.startsAt('Password')
      await v.check('confirm-password')
      await v.fill({ Password: 'a wrong password' })
      await v.page.getByRole('alert').waitFor()
      await v.startsAt('Password')
      await v.fill({ Password: TEST_PASSWORD })
      await v.arrive(METHODS)
      await v.press('Connect {0}', PROVIDER)
      await v.arrive(`${METHODS}?done=connected`)
      await v.press('Remove {0}', v.words('Password'))
      await v.press('Remove')
      await v.arrive(`${METHODS}?done=removed`)
      await v.check('methods-without-password')
      await v.checkMails(email)
      v.noProblems()
    },
  )

  test.serial(`a role asks for an app and a provider for a proof, by keyboard, in the language ${locale}`, async t => {
    t.timeout(600_000)
    const product = await startProduct(t)
    const { kernel, issuer } = product
    const owner = await kernel.register(newEmail('owner'))
    const { person } = await colleague(kernel, owner, ['tenant.member'])
    const v = await openVisitor(t, product, locale)
    await v.open('/sign-in?next=%2Faccount')
    await v.fill({ Email: person.email, Password: TEST_PASSWORD })
    await v.page.waitForURL('**/sign-in/second-factor?**')
    await v.startsAt('Set up an authenticator app')
    await v.check('enroll')
    const app = await appOf(v)
    await v.fill({ 'Six-digit code': '000000' })
    await v.page.getByRole('alert').waitFor()
    await v.startsAt('Six-digit code')
    await v.check('enroll-refused')
    await v.fill({ 'Six-digit code': app.generate({ timestamp: product.now() }) })
    await v.page.locator('ul.codes').waitFor()
    await v.startsAt('You are signed in, and the authenticator app is set up.')
    await v.check('enroll-codes')
    await v.press('I have saved the codes')
    await v.arrive('/account')

    issuer.person = { sub: 'owner', email: owner.email, email_verified: false }
    const other = await openVisitor(t, product, locale)
    await other.open(`/sign-in?next=${encodeURIComponent(METHODS)}`)
    await other.press('Continue with {0}', PROVIDER)
    await other.page.waitForURL('**/sign-in?connect=acme**')
    await other.startsAt('Email')
    await other.isToldAtField(
      "{0} doesn't belong to an account here yet. Sign in to your account, then you can connect it.",
      PROVIDER,
    )
    await other.check('connect-sign-in')
    await other.fill({ Email: owner.email, Password: TEST_PASSWORD })
    await other.arrive('/sign-in/connect')
    await other.check('connect')
    await other.press('Connect {0}', PROVIDER)
    await other.page.waitForURL(`**${METHODS}**`)
    v.noProblems()
    other.noProblems()
  })

  test.serial(
    `codes, providers and the second step work without JavaScript, by keyboard, in the language ${locale}`,
    async t => {
      t.timeout(600_000)
      const product = await startProduct(t)
      const { kernel, issuer } = product
      const ada = await kernel.register(newEmail('plain'), { locale })
      await verify(kernel, ada)
      const { email } = ada
      issuer.person = { sub: 'plain', email, email_verified: true }
      const v = await openVisitor(t, product, locale, { javaScriptEnabled: false })
      const passwordSignIn = async (next: string) => {
        await v.page.context().clearCookies()
        await v.open(`/sign-in?next=${encodeURIComponent(next)}`)
        await v.fill({ Email: email, Password: TEST_PASSWORD })
      }
      await passwordSignIn(METHODS)
      await v.arrive(METHODS)
      t.true(await v.page.locator('noscript').isVisible())
      await v.press('Connect {0}', PROVIDER)
      await v.arrive(`${METHODS}?done=connected`)
      await v.startsAt('The sign-in method is added.')
      await v.press('Second factor')
      await v.arrive(FACTOR)
      await v.press('Set up an authenticator app')
      await v.startsAt('Set up an authenticator app')
      const app = await appOf(v)
      const code = () => {
        product.forward(TOTP_PERIOD)
        return app.generate({ timestamp: product.now() })
      }
      await v.fill({ 'Six-digit code': code() })
      await v.page.locator('ul.codes').waitFor()

      await passwordSignIn(FACTOR)
      await v.startsAt('Code or recovery code')
      await v.fill({ 'Code or recovery code': code() })
      await v.arrive(FACTOR)
      product.forward(20 * MINUTE)
      await v.press('New recovery codes')
      await v.startsAt('Code of your authenticator app, or a recovery code')
      await v.fill({ 'Code of your authenticator app, or a recovery code': code() })
      await v.arrive(FACTOR)

      await v.page.context().clearCookies()
      await v.open(`/sign-in?next=${encodeURIComponent(METHODS)}`)
      await v.press('Continue with {0}', PROVIDER)
      await v.page.waitForURL('**/sign-in/second-factor?**')
      await v.fill({ 'Code or recovery code': code() })
      await v.arrive(METHODS)

      await v.page.context().clearCookies()
      await v.open(`/sign-in/email-code?next=${encodeURIComponent(METHODS)}`)
      await v.fill({ Email: email })
      await v.page.getByText(email).waitFor()
      await v.fill({ 'Six-digit code': await v.codeInMail(email) })
      await v.page.waitForURL('**/sign-in/second-factor?**')
      await v.fill({ 'Code or recovery code': code() })
      await v.arrive(METHODS)

      await v.page.context().clearCookies()
      await v.open('/sign-in')
      await v.fill({ Email: email, Password: 'a wrong password' })
      await v.page
        .getByText(
          v.words(
            'After failed sign-ins, your browser must solve a small task, which needs JavaScript and HTTPS. You can also reset your password.',
          ),
        )
        .waitFor()
      v.noProblems()
    },
  )
}
