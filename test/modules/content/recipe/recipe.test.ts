import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test, { type ExecutionContext } from 'ava'
import pino from 'pino'
import { stringify } from 'yaml'
import { checkRecipe } from '../../../../bin/composition.ts'
import { RecipeError } from '../../../../kernel/recipe/index.ts'
import { readRecipe } from '../../../../kernel/recipe/read.ts'
import { startTestKernel, type TestKernel } from '../../../../testing/index.ts'

interface Row {
  slug: string
  locale: string
  path: string
  title: string
  body: string
  version: number
  published: boolean
  managed: boolean
}

test('a page of the recipe at a path of Larder is hidden', async t => {
  const pages = { docs: { path: '/docs', title: 'Manual' }, health: { path: '/healthz', title: 'Health' } }
  const { pages: stored, get } = await series(t, { pages })
  t.deepEqual(
    (await stored()).map(({ path }) => path),
    ['/docs', '/healthz'],
  )
  t.notRegex((await get('/docs')).body, /Manual/)
})

/** Starts kernels one after the other on one database, each with its own recipe. */
async function series(t: ExecutionContext, first: object) {
  const folder = mkdtempSync(join(tmpdir(), 'larder-content-'))
  const base = { locales: { default: 'en', available: ['en', 'de'] }, modules: { identity: {}, content: {} } }
  const write = (name: string, text: string) => writeFileSync(join(folder, name), text)
  write('home.md', '# Hello')
  const holder = await startTestKernel({ recipe: { ...base, ...first }, folder })
  let current: TestKernel = holder
  t.teardown(async () => {
    if (current !== holder) await current.stop()
    await holder.stop()
    rmSync(folder, { recursive: true, force: true })
  })
  const unit = () => current.kernel.ports.database.tenant(current.kernel.ports.operator.tenantId)
  return {
    write,
    unit,
    async next(recipe: object) {
      if (current !== holder) await current.stop()
      current = await startTestKernel({ recipe: { ...base, ...recipe }, folder, database: holder.databaseUrl })
    },
    get: (path: string, language = 'en') => current.get<string>(path, { headers: { 'accept-language': language } }),
    async pages() {
      const { rows } = await unit().query<Row>(
        `select slug, locale, path, title, body, version, published_version = version as published,
           managed_by is not null as managed
         from content_pages p join content_versions v on v.page_id = p.id and v.number = p.version order by slug, locale`,
      )
      return rows
    },
    async count() {
      const { rows } = await unit().query<{ count: string }>(
        `select (select count(*) from larder_events where type like 'content.%') || ' events, ' ||
           (select count(*) from content_versions) || ' versions, ' ||
           (select sum(revision) from content_pages) || ' revisions' as count`,
      )
      return rows[0]?.count
    },
  }
}

const PAGES = {
  home: { path: '/', title: { en: 'Welcome', de: 'Willkommen' }, template: 'landing', body: './home.md' },
  about: { title: 'About', body: 'Us' },
}

test.serial('the same recipe changes nothing, and a changed recipe only its differences', async t => {
  const recipe = {
    pages: PAGES,
    navigation: { main: [{ label: 'Home', page: 'home' }] },
    redirects: [{ from: '/old/*', to: '/new/:splat' }],
  }
  const s = await series(t, recipe)
  const before = await s.pages()
  t.deepEqual(
    before.map(({ slug, locale, path, title, published }) => [slug, locale, path, title, published]),
    [
      ['about', 'en', '/about', 'About', true],
      ['home', 'de', '/', 'Willkommen', true],
      ['home', 'en', '/', 'Welcome', true],
    ],
  )
  const counted = await s.count()
  await s.next(recipe)
  t.is(await s.count(), counted)
  t.deepEqual(await s.pages(), before)

  s.write('home.md', '# Changed')
  await s.next({ ...recipe, pages: { ...PAGES, about: { title: 'About', body: 'Us', path: '/us' } }, redirects: [] })
  t.regex((await s.get('/')).body, /<h1>Changed<\/h1>/)
  t.is((await s.get('/about')).headers.get('location'), '/us')
  t.is((await s.get('/old/x')).status, 404)
  t.is((await s.pages()).find(({ slug }) => slug === 'home')?.version, 2)

  await s.next({ pages: { about: { title: 'About', body: 'Us', path: '/us', status: 'draft' } } })
  t.deepEqual(
    (await s.pages()).map(({ slug, published }) => [slug, published]),
    [['about', null as unknown as boolean]],
  )
  t.is((await s.get('/us')).status, 404)
  t.is((await s.unit().query('select 1 from content_navigation')).rowCount, 0)
})

test.serial('keeps a renamed page and redirects from its old path', async t => {
  const s = await series(t, { pages: PAGES })
  const id = async (slug: string) =>
    (await s.unit().query<{ id: string }>('select id from content_pages where slug = $1', [slug])).rows[0]?.id
  const before = await id('about')
  const renamed = { pages: { home: PAGES.home, company: { ...PAGES.about, was: 'about' } } }
  await s.next(renamed)
  t.is(await id('company'), before)
  t.is(await id('about'), undefined)
  t.is((await s.get('/about')).headers.get('location'), '/company')
  t.is((await s.get('/company')).status, 200)
  const counted = await s.count()
  await s.next(renamed)
  t.is(await s.count(), counted)
})

test.serial('a start warns of a hidden page of the recipe', async t => {
  const lines: string[] = []
  const log = pino({ level: 'warn' }, { write: line => void lines.push(line) })
  const kernel = await startTestKernel({
    recipe: {
      modules: { identity: {}, content: {} },
      pages: { in: { path: '/sign-in', title: 'In' }, out: { title: 'Out' } },
    },
    log,
  })
  t.teardown(() => kernel.stop())
  const warnings = lines.map(line => JSON.parse(line)).filter(({ msg }) => /is hidden/.test(msg))
  t.deepEqual(
    warnings.map(({ page, path, owner }) => [page, path, owner]),
    [['in', '/sign-in', 'identity']],
  )
})

test.serial('two pages of the recipe swap paths', async t => {
  const s = await series(t, { pages: { a: { path: '/x', title: 'A' }, b: { path: '/y', title: 'B' } } })
  await s.next({ pages: { a: { path: '/y', title: 'A' }, b: { path: '/x', title: 'B' } } })
  t.deepEqual(
    (await s.pages()).map(({ slug, path }) => [slug, path]),
    [
      ['a', '/y'],
      ['b', '/x'],
    ],
  )
  t.regex((await s.get('/x')).body, /<h1>B<\/h1>/)
})

test.serial('an edited page keeps its text, and stays when it leaves the recipe', async t => {
  const note = (body: string) => ({ pages: { note: { title: 'Note', body, editable: true } } })
  const s = await series(t, note('one'))
  await s.unit().query(
    `insert into content_versions select tenant_id, page_id, 2, 'Mine', 'mine', '<p>mine</p>', template, seo, null, created_at
     from content_versions`,
  )
  await s.unit().query('update content_pages set version = 2, published_version = 2')
  await s.next(note('two'))
  t.like((await s.pages())[0], { title: 'Mine', managed: true, version: 2 })
  await s.next({})
  t.like((await s.pages())[0], { title: 'Mine', managed: false })
  t.regex((await s.get('/note')).body, /<p>mine<\/p>/)
  await s.next(note('three'))
  t.like((await s.pages())[0], { title: 'Note', body: 'three', managed: true, version: 3 })
})

test.serial('skips a page whose path belongs to a page of the tenant', async t => {
  const s = await series(t, { pages: { own: { title: 'Own', path: '/taken', editable: true } } })
  await s.unit().query('update content_pages set managed_by = null')
  await s.next({ pages: { new: { title: 'New', path: '/taken' }, other: { title: 'Other' } } })
  t.deepEqual(
    (await s.pages()).map(({ slug }) => slug),
    ['other', 'own'],
  )
  t.regex((await s.get('/taken')).body, /<h1>Own<\/h1>/)
})

/** The problems that the check of a recipe reports, as `path message`. */
async function problemsOf(t: ExecutionContext, recipe: object): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'larder-content-'))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, 'recipe.yaml')
  const product = { key: 'test', name: 'Test', publicUrl: 'http://localhost:8080' }
  writeFileSync(file, stringify({ recipe: 1, product, modules: { content: {} }, ...recipe }))
  const error = await t.throwsAsync(checkRecipe(readRecipe(file, {})), { instanceOf: RecipeError })
  if (!(error instanceof RecipeError)) return []
  t.true(
    error.problems.every(({ line }) => line > 5),
    'each has its own line',
  )
  return error.problems.map(({ path, message }) => `${path} ${message}`)
}

test('pages whose paths differ only in the names of parameters match the same addresses', async t => {
  const pages = { tea: { path: '/x/:id', title: 'Tea' }, mate: { path: '/x/:name', title: 'Mate' } }
  t.deepEqual(await problemsOf(t, { pages }), ["pages.mate.path '/x/:name' is already the path of page 'tea'"])
})

test('reports all errors of pages, menus and redirects at once, with their paths', async t => {
  const found = await problemsOf(t, {
    pages: {
      home: { path: '/', title: 'Home', body: './nowhere.md' },
      start: { path: '/', title: { en: 'Start', fr: 'Départ' } },
      api: { path: '/v1/x', title: 'Api', template: 'nowhere' },
      out: { title: 'Out', body: '../../../etc/passwd' },
    },
    navigation: {
      main: [
        { label: 'x', page: 'nobody' },
        { label: 'y', items: [{ label: 'z', page: 'home', path: '/z' }] },
      ],
    },
    redirects: [
      { from: '/a', to: '/b' },
      { from: '/b', to: '/a' },
      { from: '/c', to: 'https://evil.test/' },
      { from: '/a', to: '/d' },
      { from: '/e' },
      { from: '/f*', to: '/g' },
    ],
  })
  const assertFound = (start: string) =>
    t.true(
      found.some(line => line.startsWith(start)),
      `${start}\n${found.join('\n')}`,
    )
  assertFound('pages.home.body ./nowhere.md: File not found')
  assertFound("pages.start.path '/' is already the path of page 'home'")
  assertFound("pages.start.title.fr 'fr' is not a language")
  assertFound("pages.api.path '/v1/x' can't be the path of a page")
  assertFound("pages.api.template unknown page template 'nowhere'")
  assertFound('pages.out.body ../../../etc/passwd: ')
  assertFound('navigation.main[0].page names an unknown page: nobody')
  assertFound('navigation.main[1].items[0].path is not allowed beside page')
  assertFound("redirects[1].to '/b' creates a loop")
  assertFound("redirects[2].to 'https://evil.test/' leads to evil.test")
  assertFound("redirects[3].from '/a' already has a redirect")
  assertFound("redirects[4].to '' is required")
  assertFound("redirects[5].from '/f*' must be a path")
  t.is(found.length, 13)
})

test('the schemas check the shape of the sections', async t => {
  const found = await problemsOf(t, {
    pages: { 'Not A Slug': { title: 'x' }, a: {}, b: { title: 'x', colour: 'red' } },
    navigation: { main: [{ page: 'a' }] },
    redirects: [{ to: '/x' }],
  })
  for (const start of ['pages', 'pages.a', 'pages.b.colour', 'navigation.main[0]', 'redirects[0]'])
    t.true(
      found.some(line => line.startsWith(start)),
      `${start}\n${found.join('\n')}`,
    )
})
