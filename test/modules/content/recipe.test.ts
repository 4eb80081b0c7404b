import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test, { type ExecutionContext } from 'ava'
import pino from 'pino'
import { stringify } from 'yaml'
import { checkRecipe } from '../../../bin/composition.ts'
import { RecipeError } from '../../../kernel/recipe/index.ts'
import { readRecipe } from '../../../kernel/recipe/read.ts'
import { startTestKernel, type TestKernel } from '../../../testing/index.ts'

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

/** Starts kernels one after the other on one database, each with the recipe that it is given. */
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

test.serial('the same recipe twice changes nothing, a changed one what it changes', async t => {
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
  const told = await s.count()
  await s.next(recipe)
  t.is(await s.count(), told)
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

test.serial('a start warns of a page of the recipe that nobody can see', async t => {
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
  const told = lines.map(line => JSON.parse(line)).filter(({ msg }) => /never seen/.test(msg))
  t.deepEqual(
    told.map(({ page, path, owner }) => [page, path, owner]),
    [['in', '/sign-in', 'identity']],
  )
})

test.serial('two pages of the recipe change places', async t => {
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

test.serial('what editors may change stays as they left it, and theirs when the recipe lets go of it', async t => {
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

test.serial('a page whose path belongs to a page of the tenant is left out, and the rest starts', async t => {
  const s = await series(t, { pages: { own: { title: 'Own', path: '/taken', editable: true } } })
  await s.unit().query('update content_pages set managed_by = null')
  await s.next({ pages: { new: { title: 'New', path: '/taken' }, other: { title: 'Other' } } })
  t.deepEqual(
    (await s.pages()).map(({ slug }) => slug),
    ['other', 'own'],
  )
  t.regex((await s.get('/taken')).body, /<h1>Own<\/h1>/)
})

/** `place message` of everything that is wrong. */
async function faults(t: ExecutionContext, recipe: object): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'larder-content-'))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, 'recipe.yaml')
  const product = { key: 'test', name: 'Test', publicUrl: 'http://localhost:8080' }
  writeFileSync(file, stringify({ recipe: 1, product, modules: { content: {} }, ...recipe }))
  const error = await t.throwsAsync(checkRecipe(readRecipe(file, {})), { instanceOf: RecipeError })
  if (!(error instanceof RecipeError)) return []
  t.true(
    error.problems.every(({ line }) => line > 5),
    'each names its own line',
  )
  return error.problems.map(({ path, message }) => `${path} ${message}`)
}

test('everything that is wrong with pages, menus and redirects is told at once, with its place', async t => {
  const told = await faults(t, {
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
  const seen = (start: string) =>
    t.true(
      told.some(line => line.startsWith(start)),
      `${start}\n${told.join('\n')}`,
    )
  seen('pages.home.body ./nowhere.md: there is no such file')
  seen("pages.start.path '/' is the path of the page 'home' already")
  seen("pages.start.title.fr 'fr' is not among the languages")
  seen("pages.api.path '/v1/x' cannot be the path of a page")
  seen("pages.api.template there is no page template 'nowhere'")
  seen('pages.out.body ../../../etc/passwd: ')
  seen('navigation.main[0].page names no page: nobody')
  seen('navigation.main[1].items[0].path the page says the path already')
  seen("redirects[1].to '/b' leads round in a circle")
  seen("redirects[2].to 'https://evil.test/' leads to evil.test")
  seen("redirects[3].from '/a' has a redirect already")
  seen("redirects[4].to '' is required")
  seen("redirects[5].from '/f*' must be a path")
  t.is(told.length, 13)
})

test('the shapes of the sections are checked by their schemas', async t => {
  const told = await faults(t, {
    pages: { 'Not A Slug': { title: 'x' }, a: {}, b: { title: 'x', colour: 'red' } },
    navigation: { main: [{ page: 'a' }] },
    redirects: [{ to: '/x' }],
  })
  for (const start of ['pages', 'pages.a', 'pages.b.colour', 'navigation.main[0]', 'redirects[0]'])
    t.true(
      told.some(line => line.startsWith(start)),
      `${start}\n${told.join('\n')}`,
    )
})
