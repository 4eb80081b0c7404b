/** The second factor in a browser: the QR code, codes, recovery codes, a passkey, and the page that asks again. */
import { readFile } from 'node:fs/promises'
import test from 'ava'
import { Secret, TOTP } from 'otpauth'
import type { Page } from 'playwright-core'
import { startTestKernel } from '../../testing/index.ts'
import { freePort } from '../fixtures/free-port.ts'
import { newEmail } from '../modules/identity/fixtures.ts'
import { addAuthenticator, openBrowser, submitSignIn } from './fixtures.ts'
import { accessibilityProblems } from './site-fixtures.ts'

const PERIOD_MS = 30_000

test('a person sets up an app, signs in with its code, a recovery code and a passkey, and proves again', async t => {
  const port = await freePort()
  const url = `http://localhost:${port}`
  const signIn = { password: {}, passkeys: {}, secondFactor: { totp: true, requiredFor: ['tenant.owner'] } }
  let ahead = 0
  const kernel = await startTestKernel({
    clock: { now: () => Date.now() + ahead },
    env: { PORT: String(port), PUBLIC_URL: url },
    recipe: {
      product: { key: 'acme', name: 'Acme', publicUrl: url },
      modules: { identity: { signIn }, comms: { transport: 'mailbox' } },
    },
  })
  t.teardown(() => kernel.stop())
  const { email } = await kernel.register(newEmail('factor'))
  const context = await (await openBrowser(t)).newContext({ locale: 'en' })
  await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: url })
  await context.addInitScript('window.print = () => document.documentElement.setAttribute("data-printed", "")')
  const page = await context.newPage()
  await addAuthenticator(page)
  const problems: string[] = []
  const check = async (name: string) => problems.push(...(await accessibilityProblems(page, `second-factor-${name}`)))
  const passFirstFactor = async () => {
    await context.clearCookies()
    await page.goto(`${url}/sign-in?next=%2Faccount%2Fsign-in-methods`)
    await submitSignIn(page, email)
    await page.waitForURL('**/sign-in/second-factor?**')
  }
  const isSignedIn = () => page.waitForURL('**/account/sign-in-methods')

  await passFirstFactor()
  t.true(await isDrawn(page))
  await check('setup')
  const app = new TOTP({ secret: Secret.fromBase32((await page.locator('code').textContent()) ?? '') })
  const code = () => app.generate({ timestamp: Date.now() + ahead })
  await page.getByLabel('Six-digit code').fill(code())
  await page.getByRole('button', { name: 'Set up and sign in' }).click()
  await page.getByRole('heading', { name: 'Your recovery codes' }).waitFor()
  const recoveryCodes = await page.locator('ul.codes li').allTextContents()
  const [recoveryCode = ''] = recoveryCodes
  await check('recovery-codes')
  t.deepEqual(await takeCodes(page), [recoveryCodes, recoveryCodes])
  await page.getByRole('link', { name: 'I have saved the codes' }).click()
  await isSignedIn()
  await page.getByLabel('Name').fill('Laptop')
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  await page.waitForURL('**/account/sign-in-methods?done=added')

  ahead += PERIOD_MS
  await passFirstFactor()
  await check('code')
  await page.getByLabel('Code or recovery code').fill('000000')
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByRole('alert').waitFor()
  await page.getByLabel('Code or recovery code').fill(code())
  await page.keyboard.press('Enter')
  await isSignedIn()

  await passFirstFactor()
  await page.getByLabel('Code or recovery code').fill(recoveryCode)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await isSignedIn()

  await passFirstFactor()
  await page.getByRole('button', { name: 'Use a passkey' }).click()
  await isSignedIn()

  ahead += 10 * 2 * PERIOD_MS
  await page.goto(`${url}/account/second-factor`)
  await page.getByRole('button', { name: 'New recovery codes' }).click()
  await page.waitForURL('**/sign-in/confirm?**')
  await check('proof')
  await page.getByRole('button', { name: 'Use a passkey' }).click()
  await page.waitForURL('**/account/second-factor')
  await page.getByRole('button', { name: 'New recovery codes' }).click()
  await page.getByRole('heading', { name: 'Your recovery codes' }).waitFor()
  await check('new-codes')
  const newCodes = await page.locator('ul.codes li').allTextContents()
  t.false(newCodes.includes(recoveryCode))
  t.deepEqual(await takeCodes(page), [newCodes, newCodes])
  t.deepEqual(problems, [])
})

/** Copies, downloads and prints the codes. Returns what was copied and what was downloaded. */
async function takeCodes(page: Page): Promise<[copied: string[], downloaded: string[]]> {
  await page.getByRole('button', { name: 'Copy' }).click()
  await page.getByRole('button', { name: 'Copied' }).waitFor()
  const copied = await page.evaluate<string>('navigator.clipboard.readText()')
  const saved = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download' }).click()
  const file = await saved
  if (file.suggestedFilename() !== 'recovery-codes.txt') throw new Error(`the file is ${file.suggestedFilename()}`)
  const downloaded = await readFile(await file.path(), 'utf8')
  await page.getByRole('button', { name: 'Print' }).click()
  await page.locator('html[data-printed]').waitFor()
  return [copied.split('\n'), downloaded.trimEnd().split('\n')]
}

/** Whether the QR code is large enough to scan. */
async function isDrawn(page: Page): Promise<boolean> {
  const box = await page.getByRole('img', { name: 'QR code for an authenticator app' }).locator('svg').boundingBox()
  return box !== null && box.width >= 200 && box.height >= 200
}
