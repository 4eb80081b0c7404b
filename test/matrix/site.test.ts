/** Every page of the site and of a workspace in every theme, language, width and color scheme. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test, { type ExecutionContext } from 'ava'
import type { BrowserContext, Page } from 'playwright-core'
import { role } from '../modules/identity/fixtures.ts'
import { png } from '../modules/media/files.ts'
import { COLOR_RULES } from '../system/axe.ts'
import { openBrowser } from '../system/fixtures.ts'
import { accessibilityProblems, signIn, startSite, type TestSite } from '../system/site-fixtures.ts'

const THEMES = ['default', 'studio']
const LOCALES = ['en', 'de']
/** A chat is beside streams, and a workspace has a plan and single sign-on. */
const MODULES = { identity: { signIn: { password: {}, enterprise: {} } }, billing: {}, messaging: {} }
const PLANS = {
  entitlements: {
    'identity.seat': { kind: 'gauge', name: { en: 'Seats', de: 'Plätze' } },
    'api.calls': { kind: 'meter', period: 'month', name: { en: 'API calls', de: 'API-Aufrufe' } },
    'ai.credits': { kind: 'credit', name: { en: 'AI credits', de: 'KI-Guthaben' } },
  },
  plans: {
    free: { name: { en: 'Free', de: 'Kostenlos' }, price: 0, entitlements: { 'identity.seat': 9, 'api.calls': 100 } },
    pro: {
      name: 'Pro',
      price: 2900,
      currency: 'EUR',
      interval: 'month',
      trialDays: 14,
      entitlements: { 'identity.seat': -1, 'api.calls': 5000 },
      credits: { 'ai.credits': 100 },
    },
  },
}
const LONG_NAME = 'Donaudampfschifffahrtsgesellschaftskapitänsmützenfabrik 🚢 مرحبا '.repeat(2).slice(0, 100)

/** A mail is no page: it has no landmarks. */
const MAIL_RULES = [...COLOR_RULES, 'html-has-lang', 'image-alt', 'link-name']

type Paths = Readonly<Record<string, string>>

const workspacePages = async ({ ada }: TestSite): Promise<Paths> => {
  await role(ada, 'tenant.support', ['identity.member.read'])
  const { body } = await ada.get('/v1/identity/members')
  return {
    settings: '/workspace/settings',
    members: '/workspace/members',
    invite: '/workspace/members?invite=1',
    member: `/workspace/members/${body.data[0]?.id}`,
    roles: '/workspace/roles',
    'new-role': '/workspace/roles/new',
    role: '/workspace/roles/tenant.support',
    keys: '/workspace/api-keys',
    sso: '/workspace/sso',
    saml: '/workspace/sso?protocol=saml',
    audit: '/workspace/audit',
    plan: '/billing',
    messages: '/messages',
    claim: '/claim',
  }
}

const inLanguage = (context: BrowserContext, url: string, locale: string) =>
  context.addCookies([{ name: 'platform_locale', value: locale, url }])

/** Who sees which pages: a visitor, the owner of a workspace, and the operator. */
async function visitAll(
  t: ExecutionContext,
  s: TestSite,
  locale: string,
  inspect: (page: Page, name: string) => Promise<void>,
  options: object = {},
): Promise<void> {
  const browser = await openBrowser(t)
  const visits: [email: string | null, paths: Paths][] = [
    [null, s.publicPages],
    [s.ada.email, { ...s.userPages, ...(await workspacePages(s)), ownWatch: s.publicPages.watch ?? '' }],
    [s.admin.email, s.operatorPages],
  ]
  for (const [email, paths] of visits) {
    const context = await browser.newContext({ locale: 'en', ...options })
    const page = email === null ? await context.newPage() : await signIn(context, s.url, email)
    await inLanguage(context, s.url, locale)
    for (const [name, path] of Object.entries(paths)) {
      const response = await page.goto(s.url + path)
      t.is(response?.status(), { forbidden: 403, missing: 404 }[name] ?? 200, path)
      // Nobody has translated the page about the product.
      t.is(await page.locator('html').getAttribute('lang'), name === 'about' ? 'en' : locale, path)
      await inspect(page, name)
    }
    await context.close()
  }
}

for (const theme of THEMES)
  for (const locale of LOCALES)
    test.serial(`every page in the theme ${theme} passes axe-core in every width and scheme, in ${locale}`, async t => {
      t.timeout(900_000)
      const s = await startSite(theme, MODULES, PLANS)
      t.teardown(() => s.kernel.stop())
      const problems: string[] = []
      await visitAll(t, s, locale, async (page, name) => {
        problems.push(...(await accessibilityProblems(page, `${theme}-${locale}-${name}`)))
      })
      const page = await signIn(await (await openBrowser(t)).newContext({ locale: 'en' }), s.url, s.ada.email)
      for (const name of ['Workspace Engines', 'Account of Ada Lovelace']) await page.getByLabel(name).click()
      problems.push(...(await accessibilityProblems(page, `${theme}-menus`)))
      t.deepEqual(problems, [])
    })

/** Buttons that only a script could answer, and contents that wait for one. */
const DEAD = `[...document.querySelectorAll('button, [aria-busy=true]')]
  .filter(element => element.checkVisibility() && element.type !== 'submit')
  .filter(element => !element.popoverTargetElement && !element.hasAttribute('commandfor'))
  .map(element => element.outerHTML.slice(0, 200))`

test.serial('every page has its heading and no dead button without JavaScript', async t => {
  t.timeout(600_000)
  const s = await startSite('default', MODULES, PLANS)
  t.teardown(() => s.kernel.stop())
  const problems: string[] = []
  const inspect = async (page: Page, name: string) => {
    if (!(await page.locator('h1').first().isVisible())) problems.push(`${name}: no heading`)
    problems.push(...(await page.evaluate<string[]>(DEAD)).map(html => `${name}: dead: ${html}`))
  }
  await visitAll(t, s, 'de', inspect, { javaScriptEnabled: false })
  t.deepEqual(problems, [])
})

for (const theme of THEMES)
  test.serial(
    `a logo of 4,000 pixels, a long name and a pale accent fit the theme ${theme}, console and mail`,
    async t => {
      t.timeout(600_000)
      const folder = await mkdtemp(join(tmpdir(), 'larder-logo-'))
      t.teardown(() => rm(folder, { recursive: true }))
      const logo = join(folder, 'logo.png')
      await writeFile(logo, await png(4000, 400))
      const s = await startSite(
        theme,
        { ...MODULES, console: { customers: 'all' } },
        {
          ...PLANS,
          theme: { use: theme, tokens: { accent: '#fff8a0' }, logo },
          product: { key: 'acme', name: LONG_NAME, publicUrl: 'http://127.0.0.1' },
        },
      )
      t.teardown(() => s.kernel.stop())
      const browser = await openBrowser(t)
      const problems: string[] = []
      const visit = async (page: Page, paths: Paths) => {
        for (const [name, path] of Object.entries(paths)) {
          await page.goto(s.url + path)
          await page.locator('h1').first().waitFor()
          problems.push(...(await accessibilityProblems(page, `logo-${theme}-${name}`)))
        }
      }
      const { home = '', streams = '', missing = '' } = s.publicPages
      const visitor = await (await browser.newContext({ locale: 'de' })).newPage()
      await visit(visitor, { home, signIn: '/sign-in', signUp: '/sign-up', streams, missing })
      const member = await signIn(await browser.newContext({ locale: 'en' }), s.url, s.ada.email)
      await visit(member, { account: '/account', members: '/workspace/members', plan: '/billing', console: '/console' })
      const { body } = await s.kernel.get('/v1/communications/mailbox')
      const mail = (await s.kernel.get(`/v1/communications/mailbox/${body.data[0]?.id}`)).body
      await visitor.route(`${s.url}/a-mail`, route => route.fulfill({ contentType: 'text/html', body: mail.html }))
      await visitor.goto(`${s.url}/a-mail`)
      problems.push(...(await accessibilityProblems(visitor, `logo-${theme}-mail`, MAIL_RULES)))
      t.deepEqual(problems, [])
    },
  )
