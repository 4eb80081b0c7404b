/** Screens of the console in every width, theme and language. */
import test from 'ava'
import { promote } from '../modules/platform/fixtures.ts'
import { checkScreen, startConsole, startOwnConsole, waitForScreen } from '../system/console-fixtures.ts'

const MODULES = {
  automations: {},
  collections: {},
  content: {},
  features: {},
  forms: {},
  media: {},
  messaging: {},
  sessions: {},
  streams: {},
  webhooks: {},
  platform: {},
}
interface Listed {
  readonly module: string
  readonly name: string
  readonly key: string
  readonly within: string | null
  readonly operations: Readonly<Partial<Record<'list' | 'get' | 'create' | 'update', { readonly path: string }>>>
}

const ARTICLES = {
  label: 'Article',
  title: 'Articles',
  search: ['title'],
  fields: { title: { type: 'text', required: true }, slug: { type: 'slug' }, body: { type: 'longtext' } },
}

test.serial('rows, modules and the home screen have no accessibility violations', async t => {
  const { ada, open, url } = await startOwnConsole(t, { collections: {} }, { collections: { articles: ARTICLES } })
  await ada.post('/v1/data/articles', { slug: 'first', title: 'First article', body: 'Text' })
  const page = await open(ada, '')
  const found: string[] = []
  for (const [name, path] of [
    ['home', ''],
    ['articles', '/collections/articles'],
    ['new-article', '/collections/articles/new'],
    ['modules', '/platform/modules'],
  ]) {
    await page.goto(`${url}/console${path}`)
    found.push(...(await checkScreen(page, String(name))))
  }
  t.deepEqual(found, [])
})

test.serial('every list, record and form has no accessibility violations in German', async t => {
  t.timeout(900_000)
  const { ada, kernel, open, url } = await startOwnConsole(t, MODULES, { collections: { articles: ARTICLES } })
  const boss = await promote(kernel, await kernel.register('boss@example.test', { name: 'Grace Hopper' }))
  const made = [
    await ada.post('/v1/data/articles', { title: 'First article', body: 'Text' }),
    await ada.post('/v1/content/pages', { slug: 'about', title: 'About', body: 'Us' }),
    await ada.post('/v1/features', { key: 'editor', name: 'Editor', default: false }),
    await ada.post('/v1/forms', {
      name: 'Contact',
      schema: { type: 'object', properties: { name: { type: 'string' } } },
    }),
    await ada.post('/v1/messaging/conversations', { subject: 'Tea', participantIds: [] }),
    await ada.post('/v1/streams', { title: 'Launch' }),
    await ada.post('/v1/sessions', { mode: 'screenshare' }),
    await ada.post('/v1/webhooks/endpoints', { url: 'https://example.test/h', events: ['identity.*'] }),
    await ada.post('/v1/identity/api-keys', { name: 'Till', permissions: ['identity.member.read'] }),
    await ada.post('/v1/identity/roles', {
      key: 'tenant.support',
      name: 'Support',
      permissions: ['identity.member.read'],
    }),
    await ada.post('/v1/communications/suppression', { email: 'blocked@example.test' }),
  ]
  t.deepEqual(
    made.map(({ status }) => status),
    made.map(() => 201),
    JSON.stringify(made.map(({ body }) => body)),
  )
  const found: string[] = []
  const seen = new Set<string>()
  for (const person of [ada, boss]) {
    const page = await open(person, '')
    await page.evaluate(`localStorage.setItem('larder.console.language', '"de"')`)
    const check = async (path: string, name: string) => {
      if (seen.has(name)) return
      seen.add(name)
      await page.goto(`${url}/console${path}`)
      found.push(...(await checkScreen(page, `de${name.replaceAll('/', '-')}`)))
    }
    const { data: resources } = (await person.get<{ data: Listed[] }>('/v1/platform/resources')).body
    for (const { module, name, key, operations } of resources.filter(({ within }) => within === null)) {
      const screen = `/${module}/${name}`
      await check(screen, screen)
      if (operations.create) await check(`${screen}/new`, `${screen}/new`)
      const { status, body } = await person.get<{ data?: Record<string, unknown>[] }>(operations.list?.path ?? '')
      const row = status === 200 ? body.data?.[0] : undefined
      if (!row) continue
      const record = `${screen}/${encodeURIComponent(String(row[key]))}`
      if (operations.get) await check(record, `${screen}/record`)
      if (operations.update) await check(`${record}/edit`, `${screen}/edit`)
    }
    await page.context().close()
  }
  t.true(seen.size > 50, [...seen].join(' '))
  t.deepEqual(found, [])
})

/** Charts of the home screen in a product made today. */
test.serial('charts without rows, with one row, and of many days have no accessibility violations', async t => {
  t.timeout(600_000)
  const { kernel, open, url } = await startOwnConsole(
    t,
    { billing: { provider: 'dev', defaultPlan: 'free' }, collections: {}, forms: {} },
    {
      collections: { articles: ARTICLES },
      entitlements: { 'identity.seat': { kind: 'gauge', name: 'Seats' } },
      plans: { free: { name: 'Free', price: 0, currency: 'EUR', entitlements: { 'identity.seat': 3 } } },
    },
  )
  const boss = await promote(kernel, await kernel.register('boss@example.test', { name: 'Grace Hopper' }))
  const page = await open(boss, '')
  const found: string[] = []
  const texts = {
    en: { figures: 'Shown figures', period: 'Period' },
    de: { figures: 'Angezeigte Zahlen', period: 'Zeitraum' },
  }
  for (const rows of [0, 1]) {
    if (rows > 0) await boss.post('/v1/data/articles', { slug: 'first', title: 'First article', body: 'Text' })
    for (const [language, { figures, period }] of Object.entries(texts)) {
      await page.evaluate(`localStorage.setItem('larder.console.language', '"${language}"')`)
      await page.goto(`${url}/console`)
      await waitForScreen(page)
      const shown = page.getByLabel(figures)
      for (const [at] of (await shown.locator('option').all()).entries()) {
        await shown.selectOption({ index: at })
        await page.getByLabel(period).selectOption({ index: 2 })
        await waitForScreen(page)
        found.push(...(await checkScreen(page, `home-${rows}-${language}-${at}`)))
      }
      // The last choice is the collection.
      const slider = page.getByRole('slider')
      t.is(await slider.count(), rows)
      if (rows > 0) t.is(await slider.getAttribute('aria-valuemax'), '89')
    }
  }
  for (const path of ['/billing/revenue', '/platform/status']) {
    await page.goto(`${url}/console${path}`)
    found.push(...(await checkScreen(page, `new${path.replaceAll('/', '-')}`)))
  }
  t.deepEqual(found, [])
})

test.serial('content has no accessibility violations', async t => {
  const { ada, open, url } = await startOwnConsole(t, { content: {} })
  for (const [slug, path, title] of [
    ['docs', '/docs', 'Documentation'],
    ['start', '/docs/start', 'Getting started'],
  ])
    await ada.post('/v1/content/pages', { slug, path, locale: 'en', title, body: `# ${title}\n\nFirst line` })
  await ada.put('/v1/content/navigation/main', {
    items: [{ label: 'Docs', page: 'docs', items: [{ label: 'Start', page: 'start' }] }],
  })
  await ada.post('/v1/content/redirects', { from: '/old', to: '/docs' })
  const { body } = await ada.get('/v1/content/pages')
  const page = await open(ada, '/content/pages')
  const found: string[] = []
  for (const path of ['pages', `pages/${body.data[0]?.id}`, 'menus/main', 'redirects']) {
    await page.goto(`${url}/console/content/${path}`)
    await page.locator('tbody tr, .cm-content, .menu-row').first().waitFor()
    found.push(...(await checkScreen(page, `content-${path.replace('/', '-')}`)))
  }
  t.deepEqual(found, [])
})

test.serial('flags have no accessibility violations', async t => {
  const { ada, open, url } = await startOwnConsole(t, { features: {} })
  await ada.post('/v1/features', { key: 'new-editor', name: 'New editor', default: false })
  await ada.patch('/v1/features/new-editor', {
    rules: [{ when: { country: { in: ['DE', 'AT'] } }, rollout: 50, value: true }],
  })
  const page = await open(ada, '/features/flags')
  const found: string[] = []
  for (const [name, path] of [
    ['flags', ''],
    ['rules', '/new-editor?tab=rules'],
    ['evaluation', '/new-editor?tab=evaluation'],
    ['usage', '/new-editor?tab=usage'],
    ['history', '/new-editor?tab=history'],
  ]) {
    await page.goto(`${url}/console/features/flags${path}`)
    await page.locator('tbody tr, .flag-condition, .cm-content, .inline-form, .revisions').first().waitFor()
    found.push(...(await checkScreen(page, `features-${name}`)))
  }
  t.deepEqual(found, [])
})

test.serial('people have no accessibility violations in German', async t => {
  const { ada, admin, open } = await startConsole(t)
  const found: string[] = []
  const operator = await open(admin, '')
  await operator.evaluate(`localStorage.setItem('larder.console.language', '"de"')`)
  await operator.goto(`${operator.url().split('/console')[0]}/console/identity/people/${ada.userId}`)
  await operator.getByRole('heading', { name: 'Angemeldete Geräte' }).waitFor()
  found.push(...(await checkScreen(operator, 'de-person')))
  t.deepEqual(found, [])
})
