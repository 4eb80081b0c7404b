/** Fixtures of the system tests: a browser, a server process, streams. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type ExecutionContext, registerCompletionHandler } from 'ava'
import { type Browser, type BrowserContext, type CDPSession, chromium, type Page } from 'playwright-core'
import { createTestDatabase } from '../../services/postgres/testing.ts'
import { startTestKernel, TEST_PASSWORD, type TestKernel } from '../../testing/index.ts'
import { type Env, type RunningCommand, spawnLarder, temporaryFolder } from '../bin/command.ts'
import { freePort } from '../fixtures/free-port.ts'

const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--autoplay-policy=no-user-gesture-required',
  '--use-fake-ui-for-media-stream',
  '--use-fake-device-for-media-stream',
  // Otherwise the browser throttles background pages.
  '--disable-background-timer-throttling',
  '--disable-renderer-backgrounding',
  '--disable-backgrounding-occluded-windows',
]

/** The time limit of each step of a page. A busy machine can take longer than the 30 seconds that Playwright allows. */
const STEP_TIMEOUT_MS = 90_000

/** A test, or a file that shares what it starts among its tests. */
export type CleansUp = Pick<ExecutionContext, 'teardown'>

/** What a test does with the browser, which other tests of its file use, too. */
export type TestBrowser = Pick<Browser, 'newContext' | 'newPage'>

/** Browsers of this process by their flags: a launch costs as much CPU time as two pages. */
const browsers = new Map<string, Promise<Browser>>()
registerCompletionHandler(() => {
  for (const browser of browsers.values()) void browser.then(each => each.close())
})

function browserWith(flags: readonly string[]): Promise<Browser> {
  const key = flags.join(' ')
  const known = browsers.get(key)
  if (known) return known
  const launched = chromium.launch({ executablePath: '/usr/bin/chromium', args: [...flags] }).then(browser => {
    browser.on('context', context => context.setDefaultTimeout(STEP_TIMEOUT_MS))
    browser.on('disconnected', () => browsers.delete(key))
    return browser
  })
  browsers.set(key, launched)
  return launched
}

/** Opens contexts in the browser that all tests of the file share. They close when the test ends. */
export async function openBrowser(t: CleansUp, more: readonly string[] = []): Promise<TestBrowser> {
  const browser = await browserWith([...FLAGS, ...more])
  const opened = new Set<BrowserContext>()
  t.teardown(async () => {
    // A handler that still works with its page when the context closes would reject outside of any test.
    const pages = [...opened].flatMap(context => context.pages())
    await Promise.all(pages.map(page => page.unrouteAll({ behavior: 'ignoreErrors' })))
    await Promise.all([...opened].map(context => context.close()))
  })
  return {
    async newContext(options) {
      const context = await browser.newContext(options)
      opened.add(context)
      return context
    },
    async newPage(options) {
      const page = await browser.newPage(options)
      opened.add(page.context())
      return page
    },
  }
}

export interface BrowserKernel {
  readonly url: string
  readonly kernel: TestKernel
}

/** A kernel whose public URL has its port. @param recipe without `product`. */
export async function startBrowserKernel(
  recipe: Readonly<Record<string, unknown>>,
  knownPort?: number,
  host = '127.0.0.1',
): Promise<BrowserKernel> {
  const port = knownPort ?? (await freePort())
  const url = `http://${host}:${port}`
  const kernel = await startTestKernel({
    env: { PORT: String(port), PUBLIC_URL: url },
    recipe: { product: { key: 'acme', name: 'Acme', publicUrl: url }, ...recipe },
  })
  return { url, kernel }
}

/**
 * An authenticator for passkeys that confirms every request.
 * @param suggests whether the browser suggests passkeys in fields; the authenticator confirms that request, too, at once.
 */
export async function addAuthenticator(
  page: Page,
  more: object = {},
  suggests = false,
): Promise<{ readonly cdp: CDPSession; readonly authenticatorId: string }> {
  if (!suggests) await page.addInitScript('PublicKeyCredential.isConditionalMediationAvailable = async () => false')
  const cdp = await page.context().newCDPSession(page)
  await cdp.send('WebAuthn.enable')
  const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
      ...more,
    },
  })
  return { cdp, authenticatorId }
}

/** Fills the form of the page `/sign-in`. */
export async function submitSignIn(page: Page, email: string): Promise<void> {
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(TEST_PASSWORD)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}

export interface ServerProcess {
  readonly url: string
  start(): Promise<RunningCommand>
}

/** A server process that can be restarted with the same port and database. @param more modules. */
export async function createServerProcess(
  t: ExecutionContext,
  sessions: object = {},
  streams: object = {},
  more: object = {},
): Promise<ServerProcess> {
  const cwd = await temporaryFolder(t)
  const port = await freePort()
  const url = `http://localhost:${port}`
  const recipe = {
    recipe: 1,
    product: { key: 'acme', name: 'Acme', publicUrl: url },
    modules: { identity: {}, comms: { transport: 'mailbox' }, sessions, streams, ...more },
  }
  await writeFile(join(cwd, 'recipe.yaml'), JSON.stringify(recipe))
  const database = await createTestDatabase({ migrations: [] })
  t.teardown(() => database.drop())
  const env: Env = {
    DATABASE_URL: database.ownerUrl,
    LARDER_SECRET: 'a secret that only tests may know of',
    PORT: String(port),
    HOST: 'localhost',
    RATE_LIMITS: 'off',
  }
  return {
    url,
    async start() {
      const running = spawnLarder(t, ['start'], cwd, env, 600_000)
      await running.waitForOutput(/ready in/)
      return running
    },
  }
}

export interface CreatedStream {
  readonly id: string
  readonly join_token: string
  end(): Promise<void>
}
export async function createStream(url: string, more: object = {}): Promise<CreatedStream> {
  const post = async (path: string, body: object, token?: string) => {
    const headers = { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) }
    const response = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) })
    if (!response.ok) throw new Error(`${path} returned ${response.status}: ${await response.text()}`)
    return (await response.json()) as Record<string, string>
  }
  const account = { email: `ada${Date.now()}@example.test`, password: 'correct horse battery staple' }
  const { token } = await post('/v1/auth/register', account)
  const { id, join_token } = await post('/v1/streams', { title: 'Final', ...more }, token)
  const end = () => post(`/v1/sessions/${id}/end`, {}, token)
  return { id: String(id), join_token: String(join_token), end: async () => void (await end()) }
}

interface Stats {
  readonly state: string
  readonly framesDecoded: number
  readonly framesSent: number
  readonly candidateType: string | null
}
export interface StreamPage {
  readonly page: Page
  stats(): Promise<Stats[]>
  /** Waits until the page has decoded this many more video frames. */
  waitForFrames(count: number): Promise<void>
}

/** Opens a page and exposes the statistics of its stream client. */
/** Shares a source on the page `/broadcast/:id`: its preview, and then live. */
export async function goLive(page: Page, source: 'Camera' | 'Test pattern'): Promise<void> {
  await page.getByRole('button', { name: source }).click()
  await page.getByRole('button', { name: 'Go live' }).click()
}

export async function openStreamPage(browser: TestBrowser, url: string, root: string): Promise<StreamPage> {
  const context = await browser.newContext()
  const page = await context.newPage()
  const problems: string[] = []
  page.on('pageerror', error => problems.push(error.message))
  await page.goto(url)
  const stats = () =>
    page.evaluate(
      selector =>
        (
          globalThis as unknown as {
            document: { querySelector(s: string): { room?: { stats(): Promise<Stats[]> } } | null }
          }
        ).document
          .querySelector(selector)
          ?.room?.stats() ?? [],
      root,
    )
  const decoded = async () => (await stats()).reduce((sum, { framesDecoded }) => sum + framesDecoded, 0)
  return {
    page,
    stats,
    async waitForFrames(count) {
      // A new connection restarts the counter at 0.
      let last = await decoded()
      let seen = 0
      for (const until = Date.now() + STEP_TIMEOUT_MS; seen < count; ) {
        if (Date.now() > until)
          throw new Error(`${seen} of ${count} frames: ${JSON.stringify(await stats())} ${problems}`)
        await page.waitForTimeout(200)
        const now = await decoded()
        seen += now < last ? now : now - last
        last = now
      }
    },
  }
}
