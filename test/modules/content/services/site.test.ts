import { once } from 'node:events'
import { request } from 'node:http'
import test from 'ava'
import type { NewPage } from '../../../../modules/content/records/page.ts'
import { startTestKernel, type TestKernel } from '../../../../testing/index.ts'
import { waitFor } from '../../../fixtures/wait.ts'
import { withPeople } from '../../../fixtures/with-people.ts'
import { contentRecipe } from '../fixtures.ts'

const { kernel, people } = withPeople(test, {
  recipe: contentRecipe({
    modules: { content: { redirects: { allowHosts: ['docs.test'] } } },
    pages: {
      home: {
        path: '/',
        title: { en: 'Welcome', de: 'Willkommen' },
        template: 'landing',
        body: { en: '# Hello', de: '# Hallo' },
      },
      about: {
        title: 'About us',
        body: 'We are *here*.\n\n<script>alert(1)</script>',
        seo: { title: 'About', description: 'Who "we" are', noindex: true },
      },
      hidden: { title: 'Hidden', status: 'draft' },
      promise: {
        title: 'Promise',
        template: 'landing',
        sections: [{ hero: { text: { en: 'One line', de: 'Eine Zeile' } } }],
      },
      kept: { title: 'Kept', body: 'Still *here*.' },
    },
    navigation: {
      main: [
        { label: { en: 'Home', de: 'Start' }, page: 'home' },
        { label: 'About', page: 'about' },
        { label: 'Secret', path: '/secret', permission: 'identity.member.read' },
        { label: 'Hidden', page: 'hidden' },
      ],
    },
    redirects: [
      { from: '/old/*', to: '/new/:splat', status: 308 },
      { from: '/moved', to: '/about' },
      { from: '/docs/*', to: 'https://docs.test/:splat', status: 302 },
      { from: '/gone', status: 410 },
      { from: '/about', to: '/nowhere' },
      { from: '/rest/*', to: '/:splat', status: 307 },
    ],
  }),
  clock: true,
  alone: true,
})

const get = (path: string, language = 'en') =>
  kernel.get<string>(path, { headers: { accept: 'text/html', 'accept-language': language } })

/** Most clients normalize paths before they send them. Attackers do not. */
async function asWritten(path: string): Promise<{ status: number | undefined; location: string | undefined }> {
  const { hostname, port } = new URL(kernel.url)
  const sent = request({ hostname, port, path, headers: { accept: 'text/html' } }).end()
  const [answer] = await once(sent, 'response')
  answer.resume()
  return { status: answer.statusCode, location: answer.headers.location }
}

test('serves a page of the recipe at its path, in the theme, sanitized', async t => {
  const { status, headers, body } = await get('/about')
  t.is(status, 200)
  t.regex(headers.get('content-type') ?? '', /^text\/html/)
  t.regex(body, /<title>About · Test<\/title>/)
  t.regex(body, /<meta name="description" content="Who &quot;we&quot; are">/)
  t.is(headers.get('x-robots-tag'), 'noindex')
  t.regex(body, /<h1>About us<\/h1>[\s\S]*<p>We are <em>here<\/em>\.<\/p>/)
  t.notRegex(body, /alert\(1\)/)
})

const descriptionOf = (body: string) => /<meta name="description" content="([^"]*)">/.exec(body)?.[1]

test('search engines show the first paragraph of a page that has no description, as text', async t => {
  const operator = await people.operator()
  const words = 'Tea & *cake* "daily" for 5 > 4 people, '
  const { body: page } = await operator.post('/v1/content/pages', {
    slug: 'described',
    title: 'Described',
    body: `## Heading\n\n${words.repeat(10)}\n\nSecond paragraph.`,
  })
  t.is((await operator.post(`/v1/content/pages/${page.id}/publish`, {})).status, 200)
  const found = descriptionOf((await get('/described')).body) ?? ''
  t.regex(found, /^Tea &amp; cake &quot;daily&quot; for 5 &gt; 4 people, Tea /)
  t.true(found.endsWith(' …'))
  t.true(found.replace(/&\w+;/g, '.').length <= 162, found)
})

test('a landing page is described by the text of its hero, in the language of the page', async t => {
  t.is(descriptionOf((await get('/promise')).body), 'One line')
  t.is(descriptionOf((await get('/promise', 'de')).body), 'Eine Zeile')
})

test('a page of the product is described by its title', async t => {
  t.is(descriptionOf((await get('/sign-in')).body), 'Sign in · Test')
})

for (const [path, to] of [
  ['/about/', '/about'],
  ['//about', '/about'],
  ['///about//', '/about'],
  ['/about/.', '/about'],
  ['/./about', '/about'],
  ['/%61bout', '/about'],
  ['/about/?tab=1', '/about?tab=1'],
  ['//', '/'],
] as const)
  test(`redirects ${path} to the one address of the page`, async t => {
    t.deepEqual(await asWritten(path), { status: 301, location: to })
  })

test('a path with repeated slashes never leads to another host', async t => {
  for (const path of ['//evil.example/', '/\\evil.example/', '//evil.example//about']) {
    const { location } = await asWritten(path)
    t.regex(location ?? '/', /^\/(?![/\\])/, path)
  }
})

test('serves a page and its menu in the reader’s language', async t => {
  const german = (await get('/', 'de-AT, en;q=0.5')).body
  t.regex(german, /<html lang="de"/)
  t.regex(german, /<h1>Hallo<\/h1>/)
  t.regex(german, /<a href="\/" aria-current="page">Start<\/a>/)
  t.notRegex(german, /Willkommen<\/h1>/, 'a body with a heading of its own needs no second one')
  const english = (await get('/', 'fr')).body
  t.regex(english, /<h1>Hello<\/h1>/)
  t.regex((await get('/about', 'de')).body, /<html lang="en"/, 'what is not translated is shown as it is')
})

test('shows the menu in the language of the page if the page has no translation', async t => {
  for (const path of ['/about', '/about?again']) {
    const { body } = await get(path, 'de')
    t.regex(body, /<html lang="en"/)
    t.regex(body, />Home</)
    t.notRegex(body, />Start</)
  }
})

test('the menu omits items that the reader may not see', async t => {
  const { body } = await get('/about')
  t.regex(body, /<a href="\/about" aria-current="page">About<\/a>/)
  t.notRegex(body, /Secret|Hidden/)
})

test('drafts and unknown paths return 404, as a page or as JSON', async t => {
  t.is((await get('/hidden')).status, 404)
  t.is((await get('/nothing')).status, 404)
  const { status, body } = await kernel.get<{ code: string }>('/nothing')
  t.is(status, 404)
  t.is(body.code, 'not_found')
  t.is((await kernel.post('/about', {})).status, 404)
  t.is((await kernel.get('/v1/about')).status, 404)
})

test('serves redirects with the visitor’s query, and pages before redirects', async t => {
  const location = async (path: string) => {
    const { status, headers } = await get(path)
    return `${status} ${headers.get('location')}`
  }
  t.is(await location('/moved'), '301 /about')
  t.is(await location('/moved?a=1&b=2'), '301 /about?a=1&b=2')
  t.is(await location('/old/x/y'), '308 /new/x/y')
  t.is(await location('/docs/start?x=1'), '302 https://docs.test/start?x=1')
  t.is((await get('/about')).status, 200)
  const gone = await get('/gone')
  t.is(gone.status, 410)
  t.regex(gone.body, /permanently removed/)
})

test('no path makes a redirect lead to another host', async t => {
  for (const path of [
    '/rest//evil.test',
    '/rest/%2f%2fevil.test',
    '/rest/\\evil.test',
    '/rest/..//evil.test',
    '/rest/%5cevil.test',
    '//evil.test/%2e%2e',
  ]) {
    const { location } = await asWritten(path)
    if (location !== undefined) t.is(new URL(location, 'http://localhost:8080').host, 'localhost:8080', path)
  }
  t.is((await get('/rest/x')).headers.get('location'), '/x')
})

test('answers HEAD like GET, without the body', async t => {
  const { status, headers, body } = await kernel.call<string>('HEAD', '/about')
  t.is(status, 200)
  t.true(Number(headers.get('content-length')) > 100)
  t.falsy(body)
})

test('a changed, renamed or unpublished page shows at once', async t => {
  const admin = await people.operator()
  const page: NewPage = { slug: 'news', title: 'News', body: 'one' }
  const { body: made } = await admin.post('/v1/content/pages', page)
  t.is((await get('/news')).status, 404)
  await admin.post(`/v1/content/pages/${made.id}/publish`)
  t.regex((await get('/news')).body, /<p>one<\/p>/)
  await admin.patch(`/v1/content/pages/${made.id}`, { body: 'two' })
  t.regex((await get('/news')).body, /<p>one<\/p>/, 'a draft shows nothing')
  await admin.post(`/v1/content/pages/${made.id}/publish`)
  t.regex((await get('/news')).body, /<p>two<\/p>/)
  await admin.patch(`/v1/content/pages/${made.id}`, { slug: 'latest' })
  t.is((await get('/news')).headers.get('location'), '/latest')
  t.regex((await get('/latest')).body, /<p>two<\/p>/)
  await admin.post(`/v1/content/pages/${made.id}/unpublish`)
  t.is((await get('/latest')).status, 404)
})

test('rejects a page at a path that a module serves', async t => {
  const [admin, other] = [await people.operator(), await people.person()]
  for (const path of ['/sign-in', '/account/', '/docs']) {
    const answer = await admin.post<{ code: string; detail: string }>('/v1/content/pages', {
      slug: 'in',
      title: 'x',
      path,
    })
    t.is(`${answer.status} ${answer.body.code}`, '409 page_path_fixed', path)
    t.regex(answer.body.detail, path === '/docs' ? /^larder already serves/ : /^identity already serves/)
  }
  t.is(
    (await other.post('/v1/content/pages', { slug: 'in', title: 'x', path: '/sign-in' })).status,
    201,
    'shown elsewhere',
  )
  const { body: made } = await admin.post('/v1/content/pages', { slug: 'free', title: 'x' })
  t.is((await admin.patch(`/v1/content/pages/${made.id}`, { path: '/sign-up' })).status, 409)
  t.is((await admin.patch(`/v1/content/pages/${made.id}`, { slug: 'sign-up' })).status, 409)
  t.is((await admin.patch(`/v1/content/pages/${made.id}`, { title: 'y' })).status, 200)
})

test('content of the recipe is read-only in the API', async t => {
  const admin = await people.operator()
  const { body } = await admin.get('/v1/content/pages?filter[slug]=about')
  const [page] = body.data
  t.is(page?.managedBy, 'recipe')
  const redirects = await admin.get('/v1/content/redirects')
  const moved = redirects.body.data.find(({ from }) => from === '/moved')
  for (const [method, path, sent] of [
    ['PATCH', `/v1/content/pages/${page?.id}`, { title: 'x' }],
    ['DELETE', `/v1/content/pages/${page?.id}`],
    ['POST', `/v1/content/pages/${page?.id}/publish`, {}],
    ['POST', `/v1/content/pages/${page?.id}/unpublish`],
    ['POST', `/v1/content/pages/${page?.id}/versions/1/restore`],
    ['PUT', '/v1/content/navigation/main', { items: [] }],
    ['PATCH', `/v1/content/redirects/${moved?.id}`, { to: '/x' }],
    ['DELETE', `/v1/content/redirects/${moved?.id}`],
  ] as const) {
    const answer = await admin.call<{ code: string }>(method, path, sent)
    t.is(`${answer.status} ${answer.body.code}`, '409 managed_by_recipe', `${method} ${path}`)
  }
})

test('answers 304 until the page or the menu changes in any process', async t => {
  const admin = await people.operator()
  const page: NewPage = { slug: 'held', title: 'Held', body: 'one' }
  const { body: made } = await admin.post('/v1/content/pages', page)
  await admin.post(`/v1/content/pages/${made.id}/publish`)
  const other = await startTestKernel({
    recipe: kernel.kernel.checked.file,
    database: kernel.databaseUrl,
    role: 'web',
  })
  t.teardown(() => other.stop())
  const tagAt = async (kernel: TestKernel) =>
    (await kernel.get('/held', { headers: { accept: 'text/html' } })).headers.get('etag') ?? ''
  const statusAt = async (kernel: TestKernel, tag: string) =>
    (await kernel.get('/held', { headers: { accept: 'text/html', 'if-none-match': tag } })).status
  const [here, there] = [await tagAt(kernel), await tagAt(other)]
  t.is(here, there, 'the same bytes on every node')
  t.deepEqual([await statusAt(kernel, here), await statusAt(other, there)], [304, 304])
  await admin.patch(`/v1/content/pages/${made.id}`, { body: 'two' })
  await admin.post(`/v1/content/pages/${made.id}/publish`)
  t.is(await statusAt(kernel, here), 200)
  await waitFor(
    () => statusAt(other, there),
    status => status === 200,
  )
  const menued = await tagAt(kernel)
  await admin.put('/v1/content/navigation/footer', { items: [{ label: 'Held', page: 'held' }] })
  t.is(await statusAt(kernel, menued), 200)
  t.regex((await get('/held')).body, /<footer[\s\S]*<a href="\/held" aria-current="page">Held<\/a>/)
})

test('pages of other modules have the menu, too', async t => {
  const owner = await people.person()
  const look = async (path: string, cookie = '') =>
    (await kernel.get<string>(path, { headers: { accept: 'text/html', cookie } })).body
  t.regex(await look('/nowhere'), /<a href="\/about">About<\/a>/)
  t.notRegex(await look('/nowhere'), /Secret/)
  t.regex(await look('/about', owner.cookie), /<a href="\/secret">Secret<\/a>/)
  t.regex(await look('/account', owner.cookie), /<a href="\/secret">Secret<\/a>/)
  t.regex(await look('/about', owner.cookie), /<a href="\/account">Account settings<\/a>/)
})

test('a link changes the language permanently', async t => {
  const { body, headers } = await get('/?lang=de')
  t.regex(body, /<h1>Hallo<\/h1>/)
  t.regex(body, /<a href="\/\?lang&#x3D;en" lang="en" hreflang="en" rel="nofollow">English<\/a>/)
  const cookie = headers.getSetCookie()[0]?.split(';')[0] ?? ''
  const later = await kernel.get<string>('/', { headers: { accept: 'text/html', 'accept-language': 'en', cookie } })
  t.regex(later.body, /<h1>Hallo<\/h1>/)
})

test('never serves a page of another tenant', async t => {
  const bob = await people.person()
  const { body } = await bob.post('/v1/content/pages', { slug: 'bobs', title: 'Bob' })
  await bob.post(`/v1/content/pages/${body.id}/publish`)
  t.is((await get('/bobs')).status, 404)
})

test('shows a page with a template that only a newer process knows in the default one', async t => {
  const { rows } = await kernel.kernel.ports.systemDatabase
    .acrossTenants('a test plays a newer process')
    .query<{ id: string }>(
      `update content_versions v set template = 'brochure' from content_pages p
        where p.id = v.page_id and p.path = '/kept' returning v.page_id as id`,
    )
  t.is(rows.length, 1)
  const { status, body } = await get('/kept')
  t.is(status, 200)
  t.regex(body, /Still <em>here<\/em>/)
})
