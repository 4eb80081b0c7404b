/** A running console, and checks of its screens. */
import { join } from 'node:path'
import { AxeBuilder } from '@axe-core/playwright'
import type { ExecutionContext } from 'ava'
import type { Logger } from 'pino'
import type { Browser, Page } from 'playwright-core'
import type { Person, TestKernel } from '../../testing/index.ts'
import { type PlatformFixture, startFixture } from '../modules/platform/fixtures.ts'
import { freePort, openBrowser, startBrowserKernel, submitSignIn } from './fixtures.ts'
import { nextFrame } from './site-fixtures.ts'

/** Lines of a recipe with billing. */
export const BILLING = `  billing: { provider: dev, defaultPlan: free }
entitlements:
  identity.seat: { kind: gauge, name: Seats }
  ai.credits: { kind: credit, name: AI credits }
plans:
  free: { name: Free, price: 0, currency: EUR, entitlements: { identity.seat: 3 } }
  pro: { name: Pro, price: 1900, currency: EUR, interval: month, trialDays: 14, entitlements: { identity.seat: 10 } }
`
const MODULES = '  console: {}\n  webhooks: { allowHosts: 127.0.0.1 }\n'
const SCREENSHOT_FOLDER = process.env.LARDER_SCREENSHOTS

/** Who signs in, and the workspace that the console opens. */
export type Visitor = Pick<Person, 'email' | 'tenantId'>

export interface ConsoleFixture extends PlatformFixture {
  readonly url: string
  open(visitor: Visitor, path: string): Promise<Page>
}

export async function startConsole(t: ExecutionContext, more = '', log?: Logger): Promise<ConsoleFixture> {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const fixture = await startFixture({ PORT: String(port), PUBLIC_URL: url }, MODULES + more, log)
  t.teardown(fixture.stop)
  const browser = await openBrowser(t)
  return {
    ...fixture,
    url,
    open: (visitor, path) => openPage(browser, url, visitor, path),
  }
}

export interface OwnConsole {
  readonly url: string
  readonly kernel: TestKernel
  /** Owns the workspace. */
  readonly ada: Person
  /** Errors of scripts, and violations of the content security policy. */
  readonly problems: readonly string[]
  open(visitor: Visitor, path: string): Promise<Page>
}

/** A console with these modules, and the owner of a workspace. */
export async function startOwnConsole(
  t: ExecutionContext,
  modules: Readonly<Record<string, unknown>>,
  more: Readonly<Record<string, unknown>> = {},
): Promise<OwnConsole> {
  const { url, kernel } = await startBrowserKernel({
    locales: { default: 'en', available: ['en', 'de'] },
    modules: { identity: {}, comms: { transport: 'mailbox' }, console: {}, ...modules },
    ...more,
  })
  t.teardown(() => kernel.stop())
  const ada = await kernel.register('ada@example.test', { name: 'Ada Lovelace', workspaceName: 'Engines' })
  const browser = await openBrowser(t)
  const problems: string[] = []
  const open = (visitor: Visitor, path: string) =>
    openPage(browser, url, visitor, path, page => {
      page.on('pageerror', error => problems.push(error.message))
      page.on('console', message => {
        if (/content security policy/i.test(message.text())) problems.push(message.text())
      })
    })
  return { url, kernel, ada, problems, open }
}

/** Opens a screen as a visitor who is signed out: the sign-in leads to it. */
async function openPage(
  browser: Browser,
  url: string,
  visitor: Visitor,
  path: string,
  watch?: (page: Page) => void,
): Promise<Page> {
  const page = await (await browser.newContext({ locale: 'en', reducedMotion: 'reduce' })).newPage()
  watch?.(page)
  // Before the application starts: it would choose the person's own workspace.
  await page.addInitScript(id => localStorage.setItem('larder.console.tenant', JSON.stringify(id)), visitor.tenantId)
  await page.goto(`${url}/console${path}`)
  await submitSignIn(page, visitor.email)
  await page.waitForURL(`${url}/console${path}`)
  return page
}

/** Dark mode differs only in its colors. */
const COLOR_RULES = ['color-contrast', 'link-in-text-block'] as const

/** axe violations and overflow, light and dark, wide and narrow. */
export async function checkScreen(page: Page, name: string): Promise<string[]> {
  const found: string[] = []
  await page.locator('h1').first().waitFor({ state: 'attached' })
  for (const [colorScheme, width] of [
    ['light', 1280],
    ['dark', 1280],
    ['light', 390],
    ['dark', 390],
  ] as const) {
    await page.emulateMedia({ colorScheme })
    await page.setViewportSize({ width, height: 860 })
    await nextFrame(page)
    if (SCREENSHOT_FOLDER)
      await page.screenshot({ path: join(SCREENSHOT_FOLDER, `${name}-${colorScheme}-${width}.png`) })
    const axe = new AxeBuilder({ page }).exclude('iframe')
    const { violations } = await (colorScheme === 'dark' ? axe.withRules([...COLOR_RULES]) : axe).analyze()
    found.push(...violations.map(({ id, nodes }) => `${name} ${colorScheme} ${width} ${id}: ${nodes[0]?.html}`))
    if (await page.evaluate('document.documentElement.scrollWidth > document.documentElement.clientWidth'))
      found.push(`${name} ${width}: wider than the window`)
  }
  await page.emulateMedia({ colorScheme: 'light' })
  await page.setViewportSize({ width: 1280, height: 860 })
  return found
}
