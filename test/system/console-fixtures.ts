/** A running console, and checks of its screens. */
import { join } from 'node:path'
import type { ExecutionContext, TestFn } from 'ava'
import type { Logger } from 'pino'
import type { Locator, Page, Request } from 'playwright-core'
import { type Person, TEST_PASSWORD, type TestKernel } from '../../testing/index.ts'
import { freePort } from '../fixtures/free-port.ts'
import { newEmail } from '../fixtures/people.ts'
import { waitFor } from '../fixtures/wait.ts'
import { type PlatformFixture, startFixture } from '../modules/platform/fixtures.ts'
import { COLOR_RULES, findViolations, IS_MATRIX } from './axe.ts'
import { type BrowserKernel, type CleansUp, openBrowser, startBrowserKernel, type TestBrowser } from './fixtures.ts'
import { transitionsEnd } from './site-fixtures.ts'

/** Lines of a recipe with billing. */
export const BILLING = `  billing: { provider: dev, defaultPlan: free }
entitlements:
  identity.seat: { kind: gauge, name: Seats }
  ai.credits: { kind: credit, name: AI credits }
plans:
  free: { name: Free, price: 0, currency: EUR, entitlements: { identity.seat: 3 } }
  pro: { name: Pro, price: 1900, currency: EUR, interval: month, trialDays: 14, entitlements: { identity.seat: 10 } }
`
const MODULES = '  console: { customers: all }\n  webhooks: { allowHosts: 127.0.0.1 }\n'
const SCREENSHOT_FOLDER = process.env.LARDER_SCREENSHOTS

/** Who signs in, and the workspace that the console opens. */
export type Visitor = Pick<Person, 'email' | 'tenantId'>

export interface ConsoleFixture extends PlatformFixture {
  readonly url: string
  open(visitor: Visitor, path: string): Promise<Page>
}

export async function startConsole(t: ExecutionContext, more = '', log?: Logger): Promise<ConsoleFixture> {
  const started = await startPlatform(more, log)
  t.teardown(started.stop)
  return withBrowser(t, started)
}

/**
 * A console that the tests of a file share, as a start costs more CPU time than most screens. Each test has an `ada` with a
 * workspace of her own; the operator is the same for all of them.
 */
export function shareConsole(test: Pick<TestFn, 'after'>, more = ''): (t: ExecutionContext) => Promise<ConsoleFixture> {
  let shared: ReturnType<typeof startPlatform> | undefined
  test.after.always(async () => (await shared)?.stop())
  return async t => {
    shared ??= startPlatform(more)
    const started = await shared
    return withBrowser(t, { ...started, ada: await started.kernel.register(newEmail('ada')) })
  }
}

async function startPlatform(more: string, log?: Logger): Promise<Omit<ConsoleFixture, 'open'>> {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  return { ...(await startFixture({ PORT: String(port), PUBLIC_URL: url }, MODULES + more, log)), url }
}

async function withBrowser(t: CleansUp, started: Omit<ConsoleFixture, 'open'>): Promise<ConsoleFixture> {
  const browser = await openBrowser(t)
  return { ...started, open: (visitor, path) => openPage(browser, started.url, visitor, path) }
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
  t: CleansUp,
  modules: Readonly<Record<string, unknown>>,
  more: Readonly<Record<string, unknown>> = {},
  host?: string,
): Promise<OwnConsole> {
  const started = await startBrowserKernel(recipeOf(modules, more), undefined, host)
  t.teardown(() => started.kernel.stop())
  return ownedBy(t, started, 'ada@example.test')
}

/** `startOwnConsole` for tests that share the kernel: each has an owner with a workspace of her own. */
export function shareOwnConsole(
  test: Pick<TestFn, 'after'>,
  modules: Readonly<Record<string, unknown>>,
  more: Readonly<Record<string, unknown>> = {},
): (t: CleansUp) => Promise<OwnConsole> {
  let shared: Promise<BrowserKernel> | undefined
  test.after.always(async () => (await shared)?.kernel.stop())
  return async t => {
    shared ??= startBrowserKernel(recipeOf(modules, more))
    return ownedBy(t, await shared, newEmail('ada'))
  }
}

const recipeOf = (modules: Readonly<Record<string, unknown>>, more: Readonly<Record<string, unknown>>) => ({
  locales: { default: 'en', available: ['en', 'de'] },
  modules: { identity: {}, comms: { transport: 'mailbox' }, console: { customers: 'all' }, ...modules },
  ...more,
})

async function ownedBy(t: CleansUp, { url, kernel }: BrowserKernel, email: string): Promise<OwnConsole> {
  const ada = await kernel.register(email, { name: 'Ada Lovelace', workspaceName: 'Engines' })
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

/** Opens a screen as a visitor, with a login of their own. */
async function openPage(
  browser: TestBrowser,
  url: string,
  visitor: Visitor,
  path: string,
  watch?: (page: Page) => void,
): Promise<Page> {
  const context = await browser.newContext({ locale: 'en', reducedMotion: 'reduce' })
  const credentials = { email: visitor.email, password: TEST_PASSWORD }
  const login = await context.request.post(`${url}/v1/auth/login`, { data: credentials })
  if (!login.ok()) throw new Error(`the login returned ${login.status()}: ${await login.text()}`)
  const page = await context.newPage()
  watch?.(page)
  recordRequests(page)
  await page.goto(`${url}/console/${visitor.tenantId}${path}`)
  return page
}

/**
 * Types into a search and waits until its answer shows. What the screen showed before may contain the text, too, and moves
 * when the answer arrives: a click in this moment is lost.
 */
export async function searchFor(box: Locator, text: string): Promise<void> {
  const page = box.page()
  const answer = page.waitForResponse(response => new URL(response.url()).searchParams.get('q') === text)
  await box.fill(text)
  await (await answer).finished()
  await page.evaluate(IDLE)
}

export interface HeldRequests {
  /** Until the page has sent the first of them. */
  sent(): Promise<unknown>
  release(): void
}

/** Keeps requests of a page from the server until they are released. */
export async function holdRequests(page: Page, matches: (url: URL) => boolean): Promise<HeldRequests> {
  let release = () => {}
  const released = new Promise<void>(resolve => {
    release = resolve
  })
  const first = page.waitForRequest(request => matches(new URL(request.url())))
  await page.route(matches, async route => {
    await released
    await route.continue()
  })
  return { sent: () => first, release }
}

interface Recorded {
  readonly waiting: Set<Request>
  /** When each address was answered last. */
  readonly answeredAt: Map<string, number>
}
const recorded = new WeakMap<Page, Recorded>()
const addressOf = (request: Request): string => `${request.method()} ${request.url()}`

/** So that `waitForScreen` can wait for them. Call it before the page loads. */
export function recordRequests(page: Page): void {
  const waiting = new Set<Request>()
  const answeredAt = new Map<string, number>()
  recorded.set(page, { waiting, answeredAt })
  page.on('request', request => {
    // The former document doesn't wait for its answers any more.
    if (request.isNavigationRequest() && request.frame() === page.mainFrame()) waiting.clear()
    waiting.add(request)
  })
  page.on('requestfailed', request => waiting.delete(request))
  page.on('requestfinished', request => {
    waiting.delete(request)
    answeredAt.set(addressOf(request), performance.now())
  })
}

/** The navigation of the console, in every language. */
export const navigationOf = (page: Page): Locator => page.locator('nav[aria-busy]')

/** Opens a screen by its link in the navigation, whose group may be closed. */
export async function openFromNavigation(page: Page, name: string): Promise<void> {
  const link = navigationOf(page).getByRole('link', { name, exact: true, includeHidden: true }).first()
  await link.waitFor({ state: 'attached' })
  if (!(await link.isVisible())) await link.locator('xpath=ancestor::ul[@hidden]/preceding-sibling::button').click()
  await link.click()
}
/** The address of the workspace that the console shows; undefined on other pages. */
export const workspaceAddress = (page: Page): string | undefined =>
  /^[^/]+:\/\/[^/]+\/console\/[^/?#]+/.exec(page.url())?.[0]

/**
 * Goes to a screen as the links of the console do. A load of the whole application would cost several times the CPU time
 * of the screen. @param path below the workspace.
 */
export async function goInConsole(page: Page, path: string): Promise<void> {
  const base = new URL(workspaceAddress(page) ?? '').pathname
  await page.evaluate(
    to =>
      new Promise<void>((resolve, reject) => {
        const { __TSR_ROUTER__: router } = globalThis as unknown as { __TSR_ROUTER__: Router }
        const timer = setTimeout(() => reject(new Error(`the console doesn't go to ${to}`)), 60_000)
        const stop = router.subscribe('onRendered', () => {
          clearTimeout(timer)
          stop()
          resolve()
        })
        router.history.push(to)
      }),
    base + path,
  )
}
/** That of the console. */
interface Router {
  readonly history: { push(path: string): void }
  subscribe(event: 'onRendered', listener: () => void): () => void
}

/** Resolves when the page has drawn what it received. On a busy machine, a page may never be idle. */
const IDLE = `new Promise(done => {
  requestAnimationFrame(() => requestIdleCallback(() => requestAnimationFrame(done)))
  setTimeout(done, 2000)
})`

/** Waits for the navigation, and for all answers that the screen needs: parts that are absent then stay absent. */
export async function waitForScreen(page: Page): Promise<void> {
  const requests = recorded.get(page)
  if (!requests) throw new Error('the requests of the page are not recorded')
  const { waiting, answeredAt } = requests
  const start = performance.now()
  // Some screens repeat requests every few seconds: one answer to each is enough.
  const missing = () => [...waiting].map(addressOf).filter(address => (answeredAt.get(address) ?? 0) < start)
  await page.locator('nav[aria-busy=false]').waitFor({ state: 'attached' })
  const read = async () => {
    if (missing().length > 0) return missing()
    // An answer can lead to another request.
    await page.evaluate(IDLE)
    const loading = await page.locator('.spinner, textarea[aria-busy=true]').count()
    return loading > 0 ? ['progress'] : missing()
  }
  await waitFor(read, addresses => addresses.length === 0)
}

const VARIANTS = [
  ['light', 1280],
  ['dark', 1280],
  ['light', 390],
  ['dark', 390],
] as const

/** IDs in texts, where a name belongs. Code and addresses contain them. */
const SHOWN_IDS = `(() => {
  const found = []
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (node.parentElement.closest('code, pre, script, textarea')) continue
    found.push(...(node.data.match(/(?<![\\w/.])[a-z]{2,}(_[a-z]+)*_[0-9a-hjkmnp-tv-z]{26}\\b/g) ?? []))
  }
  return [...new Set(found)]
})()`

export const shownIds = (page: Page): Promise<string[]> => page.evaluate<string[]>(SHOWN_IDS)

/** Texts that are wider than their box, which shows no ellipsis. */
const CUT_TEXTS = `(() => {
  const hasText = node => node.nodeType === Node.TEXT_NODE && node.data.trim() !== ''
  return [...document.querySelectorAll('main *')]
    .filter(each => [...each.childNodes].some(hasText))
    .filter(each => {
      const { display, overflowX } = getComputedStyle(each)
      return display !== 'inline' && overflowX === 'visible' && each.scrollWidth > each.clientWidth + 1
    })
    .map(({ textContent }) => textContent)
})()`

export const cutTexts = (page: Page): Promise<string[]> => page.evaluate<string[]>(CUT_TEXTS)

/** Violations of axe-core rules, screens that are wider than their window, and IDs instead of names. */
export async function checkScreen(page: Page, name: string): Promise<string[]> {
  const found: string[] = []
  await page.locator('h1').first().waitFor({ state: 'attached' })
  if (new URL(page.url()).pathname.startsWith('/console')) await waitForScreen(page)
  const ids = await shownIds(page)
  if (ids.length > 0) found.push(`${name}: ${ids.join(', ')} without a name`)
  for (const [colorScheme, width] of IS_MATRIX ? VARIANTS : VARIANTS.slice(0, 1)) {
    await page.emulateMedia({ colorScheme })
    await page.setViewportSize({ width, height: 860 })
    await transitionsEnd(page)
    if (SCREENSHOT_FOLDER)
      await page.screenshot({ path: join(SCREENSHOT_FOLDER, `${name}-${colorScheme}-${width}.png`) })
    const violations = await findViolations(page, colorScheme === 'dark' ? COLOR_RULES : undefined)
    found.push(...violations.map(({ id, nodes }) => `${name} ${colorScheme} ${width} ${id}: ${nodes[0]?.html}`))
    if (await page.evaluate('document.documentElement.scrollWidth > document.documentElement.clientWidth'))
      found.push(`${name} ${width}: wider than the window`)
  }
  await page.emulateMedia({ colorScheme: 'light' })
  await page.setViewportSize({ width: 1280, height: 860 })
  return found
}
