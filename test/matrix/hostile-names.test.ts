/** Names that contain markup, template expressions, quotes, emoji, direction overrides and no spaces, on all screens and pages. */
import { fileURLToPath } from 'node:url'
import test from 'ava'
import pg from 'pg'
import type { Page } from 'playwright-core'
import { packageRoot } from '../../kernel/base/package-root.ts'
import { type Client, startTestKernel, type TestKernel } from '../../testing/index.ts'
import { freePort } from '../fixtures/free-port.ts'
import { peopleOf } from '../fixtures/people.ts'
import { newSigningKey } from '../modules/identity/sign-in/sso/identity-provider.ts'
import { png } from '../modules/media/files.ts'
import { startOwnConsole, waitForScreen } from '../system/console-fixtures.ts'
import { openBrowser } from '../system/fixtures.ts'
import { accessibilityProblems, nextFrame, signIn } from '../system/site-fixtures.ts'

const MARKUP = `👩‍👧'"><img src=x onerror="globalThis.hostile=1"><script>globalThis.hostile=1</script>`
const TEMPLATE = `{{constructor.constructor('globalThis.hostile=1')()}}\${globalThis.hostile=1}`
const NAME = `${MARKUP}${TEMPLATE}\u202Egnp.exe`
/** A name of this length without a space. */
const hostile = (length: number) => (NAME + 'W'.repeat(Math.max(0, length - NAME.length))).slice(0, length)
const LONG = 10_000

const ARTICLES = {
  label: 'Article',
  title: hostile(60),
  search: ['title'],
  fields: {
    title: { type: 'text', required: true },
    body: { type: 'longtext' },
    state: { type: 'enum', values: ['open'], label: hostile(60), labels: { open: hostile(100) } },
  },
}
const PROFILE = {
  user: { fields: { nickname: { type: 'text', label: hostile(60) } } },
  member: { fields: { position: { type: 'text', label: hostile(60) } } },
}
const MODULES = {
  identity: {
    signIn: { password: {}, passkeys: {}, enterprise: {}, secondFactor: { totp: true }, trustedDevices: '30d' },
  },
  collections: {},
  content: {},
  features: {},
  forms: {},
  media: { wait: '1m' },
  messaging: {},
  sessions: {},
  streams: {},
  webhooks: {},
  platform: {},
}
/** Titles of the greatest length: markup, right to left, emoji, and a word that can't be broken. */
const TITLES = [hostile(200), 'كتاب '.repeat(40), '👩🏽‍🚀'.repeat(28), 'W'.repeat(200)]
const WORKSPACE_PAGES = ['settings', 'members', 'roles', 'api-keys', 'sso', 'audit'].map(name => `/workspace/${name}`)
const ACCOUNT_PAGES = ['/account', '/account/sign-in-methods', '/account/second-factor', '/account/logins']
const PAGES = ['/', ...ACCOUNT_PAGES, '/files', '/messages', '/streams', ...WORKSPACE_PAGES]

interface ListedResource {
  readonly module: string
  readonly name: string
  readonly key: string
  readonly within: string | null
  readonly operations: { readonly list: { readonly path: string }; readonly update?: object }
}

/** What is wrong with the page that is open. */
const STATE = `({
  ran: globalThis.hostile !== undefined,
  markup: document.querySelectorAll('img[src="x"]').length,
  isTooWide: document.documentElement.scrollWidth > document.documentElement.clientWidth,
})`

async function inspect(page: Page, path: string): Promise<string[]> {
  await page.goto(path)
  await page.locator('h1').first().waitFor()
  if (new URL(path).pathname.startsWith('/console')) await waitForScreen(page)
  return problemsOf(page, path)
}

const WIDTHS = [1280, 390]

/** In both widths; the page is narrow afterwards. */
async function problemsOf(page: Page, name: string): Promise<string[]> {
  const found: string[] = []
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 844 })
    await nextFrame(page)
    const { ran, markup, isTooWide } = await page.evaluate<{ ran: boolean; markup: number; isTooWide: boolean }>(STATE)
    if (ran) found.push(`${name}: a script ran`)
    if (markup > 0) found.push(`${name}: contains the markup`)
    if (isTooWide) found.push(`${name}: wider than ${width}`)
  }
  return found
}

/** A passkey, which only an authenticator can add, and a device, whose name comes from the browser. */
async function storePasskeyAndDevice({ databaseUrl }: TestKernel, userId: string): Promise<void> {
  const client = new pg.Client(databaseUrl)
  client.on('error', () => undefined)
  await client.connect()
  try {
    await client.query(
      `insert into identity_sign_in_identities (id, user_id, method, provider, subject, label, created_at)
       values ('idn_hostile', $1, 'passkey', 'localhost', 'hostile', $2, now())`,
      [userId, hostile(60)],
    )
    await client.query(
      `insert into identity_trusted_devices (id, user_id, secret_hash, user_agent, created_at, expires_at)
       values ('tdv_hostile', $1, 'hostile', $2, now(), now() + interval '1 day')`,
      [userId, hostile(200)],
    )
  } finally {
    await client.end()
  }
}

test.serial('hostile names run no markup and fit into a narrow window, on every screen and page', async t => {
  t.timeout(600_000)
  const more = { collections: { articles: ARTICLES }, profile: PROFILE }
  // Browsers allow passkeys at localhost only.
  const { ada, open, kernel, url } = await startOwnConsole(t, MODULES, more, 'localhost')
  const make = async <T = { id: string }>(path: string, body: object, method: 'post' | 'patch' | 'put' = 'post') => {
    const answer = await ada[method]<T>(path, body)
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(answer.body)}`)
    return answer.body
  }
  await make('/v1/data/articles', { title: hostile(500), body: hostile(LONG), state: 'open' })
  for (const title of TITLES) await make('/v1/data/articles', { title, body: title, state: 'open' })
  await make('/v1/identity/tenants', { name: hostile(80) })
  await make('/v1/content/pages', {
    slug: 'tea',
    title: hostile(200),
    body: hostile(LONG),
    seo: { title: hostile(200), description: hostile(500) },
  })
  await make('/v1/content/navigation/main', { items: [{ label: hostile(100), path: '/tea' }] }, 'put')
  await make('/v1/content/redirects', { from: '/old', to: `/${'w'.repeat(300)}` })
  await make('/v1/features', {
    key: 'flag',
    name: hostile(100),
    description: hostile(500),
    default: false,
    rules: [{ when: { [hostile(64)]: hostile(200) }, value: true, variant: hostile(100) }],
  })
  await make('/v1/console/views', {
    list: 'collections.articles',
    name: hostile(60),
    shared: true,
    state: { filters: { 'filter[state]': 'open' } },
  })
  await make('/v1/identity/sso/domains', { domain: `${'w'.repeat(60)}.${'w'.repeat(60)}.test` })
  await make(
    '/v1/identity/sso/connection/saml',
    {
      issuer: hostile(1024),
      signInUrl: `https://example.test/${'w'.repeat(200)}`,
      certificates: [(await newSigningKey()).certificate],
      groupsClaim: hostile(256),
      roleMappings: [{ group: hostile(256), role: 'tenant.member' }],
    },
    'put',
  )
  const form = await make('/v1/forms', {
    name: hostile(100),
    schema: {
      type: 'object',
      properties: { plan: { type: 'string', title: hostile(200), description: hostile(500) } },
    },
  })
  await make(`/v1/forms/${form.id}/submit`, { data: { plan: hostile(1000) }, meta: {} })
  const talk = await make('/v1/messaging/conversations', { subject: hostile(200), participantIds: [] })
  await make(`/v1/messaging/conversations/${talk.id}/messages`, { body: hostile(4000) })
  await make('/v1/streams', { title: hostile(120) })
  await make('/v1/sessions', { mode: 'screenshare' })
  await make('/v1/webhooks/endpoints', {
    url: 'https://example.test/h',
    events: ['identity.*'],
    description: hostile(200),
  })
  await make('/v1/identity/api-keys', { name: hostile(100), permissions: ['identity.member.read'] })
  await make('/v1/identity/roles', { key: 'tenant.hostile', name: hostile(80), permissions: ['identity.member.read'] })
  await make('/v1/communications/suppression', { email: `${'w'.repeat(60)}@example.test` })
  const upload = new FormData()
  upload.set('folder', hostile(250).replace(/[/\\\u202E]/g, ''))
  const fileName = `${hostile(150).replace(/[/\\\u202E]/g, '')}.png`
  upload.set('file', new Blob([new Uint8Array(await png())], { type: 'image/png' }), fileName)
  const headers = { authorization: `Bearer ${ada.token}`, 'x-tenant-id': ada.tenantId }
  await fetch(`${kernel.url}/v1/media`, { method: 'POST', headers, body: upload })
  await make('/v1/auth/me', { name: hostile(100), profile: { nickname: hostile(500) } }, 'patch')
  await make(`/v1/identity/tenants/${ada.tenantId}`, { name: hostile(80) }, 'patch')
  await storePasskeyAndDevice(kernel, ada.userId)

  const page = await open(ada, '')
  await page.setViewportSize({ width: 390, height: 844 })
  const found = await inspect(page, `${url}/console`)
  await page.keyboard.press('Control+k')
  await page.getByRole('dialog').getByRole('combobox').fill('www')
  await page.getByRole('option').filter({ hasText: 'WWW' }).first().waitFor()
  found.push(...(await problemsOf(page, 'palette')))
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: /^Workspace: / }).click()
  await page.getByRole('menuitemradio').first().waitFor()
  found.push(...(await problemsOf(page, 'switcher')))
  await page.keyboard.press('Escape')
  const { data: resources } = (await ada.get<{ data: ListedResource[] }>('/v1/platform/resources')).body
  for (const { module, name, key, operations } of resources.filter(({ within }) => within === null)) {
    const screen = `${url}/console/${module}/${name}`
    found.push(...(await inspect(page, screen)))
    const { body } = await ada.get<{ data?: Record<string, unknown>[] }>(operations.list.path)
    const id = body.data?.[0]?.[key]
    if (id === undefined) continue
    found.push(...(await inspect(page, `${screen}/${encodeURIComponent(String(id))}`)))
    if (operations.update) found.push(...(await inspect(page, `${screen}/${encodeURIComponent(String(id))}/edit`)))
  }
  const { data: members } = (await ada.get<{ data: { id: string }[] }>('/v1/identity/members')).body
  const records = [`/forms/${form.id}`, `/messages/${talk.id}`, `/workspace/members/${members[0]?.id}`]
  for (const path of [...PAGES, ...records]) {
    found.push(...(await inspect(page, url + path)))
  }
  t.deepEqual(found, [])
})

test.serial('hostile titles fit the list, the offers and the enrollments of the marketplace', async t => {
  t.timeout(600_000)
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const kernel = await startTestKernel({
    recipe: fileURLToPath(new URL('starters/marketplace/recipe.yaml', packageRoot)),
    env: { PORT: String(port), PUBLIC_URL: url },
  })
  t.teardown(() => kernel.stop())
  const operator = await peopleOf(kernel).operator()
  const student = await kernel.register('sam@example.test', { name: hostile(100) })
  const make = async (person: Client, path: string, body: object) => {
    const answer = await person.post<{ id: string; slug: string }>(path, body)
    if (answer.status !== 201) throw new Error(`${path}: ${JSON.stringify(answer.body)}`)
    return answer.body
  }
  const category = await make(operator, '/v1/data/categories', { name: hostile(100) })
  const offer = (title: string) => ({
    title,
    summary: hostile(2000),
    outline: [hostile(300)],
    category: category.id,
    startsAt: '2027-01-11T18:00:00Z',
    published: true,
  })
  const courses = await Promise.all(TITLES.map(title => make(operator, '/v1/data/courses', offer(title))))
  const { body: account } = await student.get('/v1/auth/me')
  for (const { id } of courses.slice(0, 2))
    await make(student, '/v1/data/enrollments', { course: id, student: account.memberships[0]?.id })
  const page = await signIn(await (await openBrowser(t)).newContext({ locale: 'en' }), url, student.email)
  const found: string[] = []
  for (const path of [
    '/',
    '/?q=onerror',
    '/my-courses',
    '/billing',
    ...courses.map(({ slug }) => `/courses/${slug}`),
  ]) {
    found.push(...(await inspect(page, url + path)))
    found.push(...(await accessibilityProblems(page, path)))
  }
  t.deepEqual(found, [])
})
