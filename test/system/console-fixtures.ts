/** A running console, and checks of its screens. */
import { join } from 'node:path'
import { AxeBuilder } from '@axe-core/playwright'
import type { ExecutionContext } from 'ava'
import type { Page } from 'playwright-core'
import { type Person, TEST_PASSWORD } from '../../testing/index.ts'
import { type PlatformFixture, startFixture } from '../modules/platform/fixtures.ts'
import { freePort, openBrowser } from './fixtures.ts'

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

export interface ConsoleFixture extends PlatformFixture {
  readonly url: string
  open(person: Person, path: string): Promise<Page>
}

export async function startConsole(t: ExecutionContext, more = ''): Promise<ConsoleFixture> {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const fixture = await startFixture({ PORT: String(port), PUBLIC_URL: url }, MODULES + more)
  t.teardown(fixture.stop)
  const browser = await openBrowser(t)
  return {
    ...fixture,
    url,
    async open(person, path) {
      const page = await (await browser.newContext({ locale: 'en' })).newPage()
      // Before the application starts: it would choose the person's own workspace.
      await page.addInitScript(id => localStorage.setItem('larder.console.tenant', JSON.stringify(id)), person.tenantId)
      await page.goto(`${url}/console`)
      await page.getByLabel('Email').fill(person.email)
      await page.getByLabel('Password', { exact: true }).fill(TEST_PASSWORD)
      await page.getByRole('button', { name: 'Sign in' }).click()
      await page.waitForURL(`${url}/console`)
      await page.goto(`${url}/console${path}`)
      return page
    },
  }
}

/** axe violations and overflow, light and dark, wide and narrow. */
export async function checkScreen(page: Page, name: string): Promise<string[]> {
  const found: string[] = []
  for (const [colorScheme, width] of [
    ['light', 1280],
    ['dark', 1280],
    ['light', 390],
  ] as const) {
    await page.emulateMedia({ colorScheme })
    await page.setViewportSize({ width, height: 860 })
    if (SCREENSHOT_FOLDER)
      await page.screenshot({ path: join(SCREENSHOT_FOLDER, `${name}-${colorScheme}-${width}.png`) })
    const { violations } = await new AxeBuilder({ page }).exclude('iframe').analyze()
    found.push(...violations.map(({ id, nodes }) => `${name} ${colorScheme} ${width} ${id}: ${nodes[0]?.html}`))
    if (await page.evaluate('document.documentElement.scrollWidth > document.documentElement.clientWidth'))
      found.push(`${name} ${width}: wider than the window`)
  }
  await page.emulateMedia({ colorScheme: 'light' })
  await page.setViewportSize({ width: 1280, height: 860 })
  return found
}
