import { once } from 'node:events'
import { createServer } from 'node:net'
import test from 'ava'
import { chromium, type Page } from 'playwright-core'
import { TEST_PASSWORD } from '../../testing/index.ts'
import { startFixture } from '../modules/platform/fixtures.ts'

const FLAGS = ['--no-sandbox', '--disable-gpu', '--disable-background-networking']
const MAX_TAB_PRESSES = 60

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  await once(server, 'close')
  return port
}

/** Moves the focus with the keyboard only. */
async function tabTo(page: Page, selector: string): Promise<void> {
  for (let pressed = 0; pressed < MAX_TAB_PRESSES; pressed++) {
    if ((await page.locator(`${selector}:focus`).count()) > 0) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`${selector} on ${page.url()} is not reachable with Tab`)
}

test('an operator can sign in and retry a dead letter with the keyboard only, without JavaScript', async t => {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const { admin, ada, fail, kernel, stop } = await startFixture({ PORT: String(port), PUBLIC_URL: url })
  t.teardown(stop)
  await fail(ada)
  await kernel.post('/v1/flaky/mended')
  const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: FLAGS })
  t.teardown(() => browser.close())
  const page = await (await browser.newContext({ javaScriptEnabled: false })).newPage()

  await page.goto(`${url}/console`)
  t.regex(page.url(), /\/sign-in\?next=/)
  await tabTo(page, 'input[name=email]')
  await page.keyboard.type(admin.email)
  await tabTo(page, 'input[type=password]')
  await page.keyboard.type(TEST_PASSWORD)
  await page.keyboard.press('Enter')
  await page.waitForURL(`${url}/console`)

  t.is(await page.locator('h1').count(), 1)
  const buttons = page.getByRole('button', { name: /^Retry / })
  t.is(await buttons.count(), 2)
  await tabTo(page, 'form[action="/console"] button')
  await page.keyboard.press('Enter')
  await page.getByRole('status').filter({ hasText: 'Retrying' }).waitFor()
  t.is(await buttons.count(), 1)
  const { status } = await ada.get('/v1/platform/dead-letters')
  t.is(status, 200)
})
