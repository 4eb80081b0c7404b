/** A site with content on every page, and accessibility checks in a browser. */
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { BrowserContext, Page } from 'playwright-core'
import { linkToken } from '../../modules/identity/domain/links.ts'
import type { Person, TestKernel } from '../../testing/index.ts'
import { inviteLink, operator } from '../modules/identity/fixtures.ts'
import { COLOR_RULES, findViolations, IS_MATRIX } from './axe.ts'
import { startBrowserKernel, submitSignIn } from './fixtures.ts'

const VAULT = fileURLToPath(new URL('./vault/module.js', import.meta.url))

const HOME = `Everything that a small team needs to ship its product, in one file.

- [Create an account](/sign-up) or [sign in](/sign-in)
- [Read about us](/about)
`
const ABOUT = `We are *here*, and this is what a page of prose looks like: **bold**, \`code\`, and [a link](/).

## What we do

> Good tools vanish into the work.

| what | how long |
|---|---|
| Drafts | as long as you like |
| Versions | the last hundred |

\`\`\`yaml
pages:
  about: { title: About }
\`\`\`

1. First
2. Second
`

export interface TestSite {
  readonly url: string
  readonly kernel: TestKernel
  readonly ada: Person
  /** Holds platform.admin. */
  readonly admin: Person & { readonly operatorId: string }
  /** Paths by name: public pages, and pages for signed-in users. */
  readonly publicPages: Readonly<Record<string, string>>
  readonly userPages: Readonly<Record<string, string>>
  readonly operatorPages: Readonly<Record<string, string>>
}

/** @param modules in place of those of the site, and beside them. @param more sections of the recipe. */
export async function startSite(
  theme: string,
  modules: Readonly<Record<string, object>> = {},
  more: object = {},
): Promise<TestSite> {
  const { url, kernel } = await startBrowserKernel({
    theme: { use: theme },
    locales: { default: 'en', available: ['en', 'de'] },
    modules: {
      identity: {},
      comms: { transport: 'mailbox' },
      content: {},
      sessions: {},
      streams: {},
      vault: { use: VAULT },
      ...modules,
    },
    pages: {
      home: {
        path: '/',
        title: { en: 'Ship it in an afternoon', de: 'An einem Nachmittag fertig' },
        template: 'landing',
        body: HOME,
      },
      about: { title: 'About us', body: ABOUT },
      terms: { title: 'Terms', body: 'Be kind.' },
    },
    navigation: {
      main: [
        { label: { en: 'Home', de: 'Start' }, page: 'home' },
        {
          label: 'Company',
          items: [
            { label: 'About us', page: 'about' },
            { label: 'Terms', page: 'terms' },
          ],
        },
        { label: 'Streams', path: '/streams' },
      ],
      footer: [
        { label: 'Terms', page: 'terms' },
        { label: 'API', path: '/docs' },
      ],
    },
    redirects: [{ from: '/us', to: '/about' }],
    ...more,
  })
  const ada = await kernel.register('ada@example.test', { name: 'Ada Lovelace', workspaceName: 'Engines' })
  const admin = await operator(kernel)
  const stream = await ada.post('/v1/streams', {
    title: 'Tea with the engine',
    description: 'A quiet hour in which nothing breaks.',
    visibility: 'public',
    tags: ['tea', 'engines'],
  })
  await ada.post('/v1/streams', { title: 'Night shift', visibility: 'public' })
  await ada.post('/v1/identity/tenants', { name: 'A second workspace' })
  const invitation = await inviteLink(ada, 'guest@example.test', ['tenant.member'])
  const { secrets } = kernel.kernel.ports
  const link = (purpose: 'verify_email' | 'password_reset') =>
    encodeURIComponent(linkToken(secrets, purpose, { id: ada.userId, version: 1 }))
  await kernel.settled()
  return {
    url,
    kernel,
    ada,
    admin,
    publicPages: {
      home: '/',
      about: '/about',
      'sign-in': '/sign-in',
      'sign-up': '/sign-up',
      forgot: '/forgot-password',
      goodbye: '/account/deleted',
      reset: `/reset-password?token=${link('password_reset')}`,
      verify: `/verify-email?token=${link('verify_email')}`,
      accept: `/invitations/accept?token=${encodeURIComponent(invitation)}`,
      streams: '/streams',
      watch: `/watch/${stream.body.id}`,
      broadcast: `/broadcast/${stream.body.id}`,
      missing: '/nothing-here',
      problems: '/problems',
    },
    userPages: {
      account: '/account',
      password: '/account/password',
      logins: '/account/logins',
      workspaces: '/account/workspaces',
      'new-workspace': '/account/workspaces/new',
      welcome: '/welcome',
      'own-data': '/account/data',
      'sign-out': '/sign-out',
      forbidden: '/vault',
    },
    operatorPages: { mailbox: '/mailbox' },
  }
}

/** Signs in with the form. */
export async function signIn(context: BrowserContext, url: string, email: string): Promise<Page> {
  const page = await context.newPage()
  await page.goto(`${url}/sign-in`)
  await submitSignIn(page, email)
  await page.waitForURL(`${url}/`)
  return page
}

/** Saves a screenshot of every page to this folder, if set. */
const SCREENSHOT_FOLDER = process.env.LARDER_SCREENSHOTS
const WIDE = { width: 1280, height: 860 }
const SMALL = { width: 360, height: 740 }

const VARIANTS = [
  { variant: 'light', colorScheme: 'light', viewport: WIDE, rules: undefined },
  { variant: 'dark', colorScheme: 'dark', viewport: WIDE, rules: COLOR_RULES },
  { variant: 'small', colorScheme: 'light', viewport: SMALL, rules: undefined },
  { variant: 'small-dark', colorScheme: 'dark', viewport: SMALL, rules: COLOR_RULES },
] as const

/** Waits until the page shows its new colors and size: an axe run before that reads the old ones. */
export async function nextFrame(page: Page): Promise<void> {
  await page.evaluate('new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))')
}

/** Until the colors of a new scheme have faded in: what is measured before is a mixture of both. */
export async function transitionsEnd(page: Page): Promise<void> {
  await nextFrame(page)
  await page.evaluate(`Promise.allSettled(
    document.getAnimations().filter(each => each instanceof CSSTransition).map(({ finished }) => finished),
  ).then(() => undefined)`)
}

/** Violations of axe-core rules, all by default, and pages that are wider than their window. */
export async function accessibilityProblems(page: Page, name: string, only?: readonly string[]): Promise<string[]> {
  const problems: string[] = []
  for (const { variant, colorScheme, viewport, rules } of IS_MATRIX ? VARIANTS : VARIANTS.slice(0, 1)) {
    await page.emulateMedia({ colorScheme })
    await page.setViewportSize(viewport)
    await transitionsEnd(page)
    const label = `${name}-${variant}`
    if (SCREENSHOT_FOLDER) await page.screenshot({ path: join(SCREENSHOT_FOLDER, `${label}.png`), fullPage: true })
    const violations = await findViolations(page, rules ?? only)
    const wide = await page.evaluate('document.documentElement.scrollWidth > document.documentElement.clientWidth')
    if (wide) problems.push(`${label}: wider than the window`)
    for (const { id, nodes } of violations)
      problems.push(...nodes.map(node => `${label}: ${id} ${node.html} ${node.failureSummary}`))
  }
  return problems
}
