import { createHash } from 'node:crypto'
import anyTest, { type TestFn } from 'ava'
import { common, Problem } from '../../../../kernel/base/problem.ts'
import { page } from '../../../../kernel/contract/route.ts'
import type { LayoutData, Site, SiteAnswer, SiteVisit } from '../../../../kernel/contract/site.ts'
import type { ProblemDocument } from '../../../../services/http/problems.ts'
import type { Theme } from '../../../../services/http/theme.ts'
import type { PageData } from '../../../../services/http/types.ts'
import { TemplateError } from '../../../../services/templates/engine.ts'
import { ada, startTestServer, type TestServer, useTestServer } from '../fixtures.ts'

const test = anyTest as TestFn<{ server: TestServer }>
const html = { accept: 'text/html' }
const visits: SiteVisit[] = []
/** Tests replace this to change the content. */
let kept: SiteAnswer = keptAnswer(1)
let frame: LayoutData = { menu: 'one' }
function keptAnswer(version: number): SiteAnswer {
  return { name: 'notes.shown', title: 'Kept', path: '/kept', cacheable: true, data: { version } }
}

const site: Site = {
  async find(visit) {
    visits.push(visit)
    if (visit.path.startsWith('/kept')) return kept
    if (visit.path === '/template')
      throw new TemplateError([{ file: 'a.hbs', line: 3, column: 7, message: 'it is <broken>' }])
    if (visit.path === '/moved') return { redirect: '/here', status: 308 }
    if (visit.path === '/gone') throw new Problem('gone', 410, 'It is gone.')
    if (visit.path === '/broken') throw new Error('a bug of the site')
    if (visit.path === '/closed') throw common.unavailable({ seconds: 1 })
    if (visit.path !== '/here') return null
    return { name: 'notes.shown', title: 'Here', locale: 'fr', data: { a: 1 }, headers: { vary: 'accept-language' } }
  },
  layoutData: async ({ caller }) => (caller ? { menu: 'theirs' } : frame),
}

useTestServer(test, () =>
  startTestServer({
    site,
    pages: [
      {
        page: page({
          name: 'notes.own',
          path: '/own',
          title: 'Own',
          allow: 'public',
          load: async () => ({ data: {} }),
        }),
      },
    ],
  }),
)

test.serial('redirects a page of a module to its address without surplus slashes', async t => {
  const { server } = t.context
  for (const path of ['/own/', '//own', '//own/']) {
    const { status, headers } = await server.get(`${path}?a=b`, html)
    t.deepEqual([status, headers.get('location')], [301, '/own?a=b'], path)
  }
})

test.serial('sites serve undeclared paths in the locale of the content', async t => {
  const { status, text, headers } = await t.context.server.get('/here?a=b', html)
  t.is(status, 200)
  t.regex(text, /^<h1>Here<\/h1>\{"a":1,"menu":"one"\} fr /)
  t.is(headers.get('vary'), 'accept-language')
  t.regex(headers.get('content-security-policy') ?? '', /'nonce-/)
  t.like(
    visits.find(({ path }) => path === '/here'),
    { search: 'a=b', caller: undefined },
  )
})

test.serial('sites can redirect', async t => {
  const { status, headers } = await t.context.server.get('/moved', html)
  t.is(status, 308)
  t.is(headers.get('location'), '/here')
})

test.serial('sends problems of sites as pages or documents, and bugs as 500', async t => {
  const gone = await t.context.server.get('/gone', html)
  t.is(gone.status, 410)
  t.is(gone.text, '<h1>problem gone</h1>')
  const document = await t.context.server.get('/gone')
  t.is(document.headers.get('content-type'), 'application/problem+json; charset=utf-8')
  t.is((await t.context.server.get('/broken', html)).status, 500)
  t.is((await t.context.server.get('/closed', html)).status, 503)
})

test.serial("sites aren't called for declared or API paths", async t => {
  visits.length = 0
  t.is((await t.context.server.get('/own', html)).status, 200)
  t.is((await t.context.server.get('/v1/nothing')).status, 404)
  t.is((await t.context.server.get('/v1')).status, 404)
  t.is((await t.context.server.send('POST', '/here', {})).status, 404)
  t.deepEqual(visits, [])
  t.is((await t.context.server.get('/nothing', html)).status, 404)
  t.is(visits.length, 1)
})

test.serial('renders cacheable pages once for anonymous visitors and returns 304', async t => {
  const { server } = t.context
  const first = await server.get('/kept?a=b', html)
  t.regex(first.text, /^<h1>Kept<\/h1>\{"version":1,"menu":"one"\} en /)
  t.is(first.headers.get('cache-control'), 'no-cache')
  t.is(first.headers.get('vary'), 'accept-language, cookie')
  const tag = first.headers.get('etag') ?? ''
  const again = await server.get('/kept/', html)
  t.is(again.text, first.text)
  const held = await server.get('/kept', { ...html, 'if-none-match': tag })
  t.deepEqual([held.status, held.text, held.headers.get('etag')], [304, '', tag])

  kept = keptAnswer(2)
  const changed = await server.get('/kept', { ...html, 'if-none-match': tag })
  t.is(changed.status, 200)
  t.regex(changed.text, /"version":2/)
  frame = { menu: 'two' }
  const framed = await server.get('/kept', { ...html, 'if-none-match': changed.headers.get('etag') ?? '' })
  t.is(framed.status, 200)
  t.regex(framed.text, /"menu":"two"/)
  frame = { menu: 'one' }
})

test.serial('runs the queries of a template for each visitor, and shows their problems', async t => {
  const theme: Partial<Theme> = {
    render: (_page, data, { path }) => `${path} ${JSON.stringify(data)}`,
    queries: () => ({ rows: { collection: 'courses' } }),
    problemPage: problem => (problem as ProblemDocument).code,
    assetAt: () => undefined,
  }
  let loads = 0
  const pageData: PageData = {
    async load(query, { caller, params }) {
      if (loads++ > 1) throw common.not_found({ what: 'course' })
      return { query, caller: caller?.userId, params }
    },
    form: async () => ({}),
    challenge: async () => null,
    submit: async () => {},
  }
  kept = { ...keptAnswer(1), params: { slug: 'chess' } }
  const server = await startTestServer({ site }, { theme, pageData })
  t.teardown(async () => {
    kept = keptAnswer(1)
    await server.stop()
  })
  const rows = { query: { collection: 'courses' }, params: { slug: 'chess' } }
  t.is((await server.get('/kept', html)).text, `/kept ${JSON.stringify({ version: 1, rows })}`)
  const mine = await server.get('/kept', { ...html, ...ada })
  t.regex(mine.text, /"caller":"/)
  const missing = await server.get('/kept', html)
  t.deepEqual([missing.status, missing.text], [404, 'not_found'])
})

test.serial('cached pages have hashes of inline elements instead of a nonce', async t => {
  const { server } = t.context
  for (const path of ['/kept', '/kept/']) {
    const { text, headers } = await server.get(path, html)
    const policy = headers.get('content-security-policy') ?? ''
    t.true(text.endsWith(' <style>h1</style>'), text)
    t.notRegex(policy, /nonce/)
    const hash = createHash('sha256').update('h1').digest('base64')
    t.true(policy.includes(`; style-src 'self' 'sha256-${hash}'; `), policy)
    t.true(policy.includes("; script-src 'self'; "), policy)
  }
})

test.serial('pages that use the nonce elsewhere are rendered with a new nonce each time', async t => {
  const theme: Partial<Theme> = {
    render: (_page, _data, { nonce }) => `<script nonce="${nonce}" src="https://cdn.test/a.js"></script>`,
    problemPage: () => '',
    assetAt: () => undefined,
  }
  const server = await startTestServer({ site }, { theme })
  t.teardown(server.stop)
  const nonces = []
  for (let round = 0; round < 3; round++) {
    const { text, headers } = await server.get('/kept', html)
    const [, nonce = ''] = /nonce="([^"]+)"/.exec(text) ?? []
    t.true(headers.get('content-security-policy')?.includes(`'nonce-${nonce}'`))
    t.is(headers.get('etag'), null)
    nonces.push(nonce)
  }
  t.is(new Set(nonces).size, 3)
})

test.serial('renders cacheable pages for signed-in readers with their layout data, uncached', async t => {
  const { text, headers } = await t.context.server.get('/kept', { ...html, ...ada })
  t.regex(text, /"menu":"theirs"/)
  t.is(headers.get('etag'), null)
  t.is(headers.get('cache-control'), 'no-store')
})

test.serial('declared pages and errors have layout data', async t => {
  t.regex((await t.context.server.get('/own', html)).text, /"menu":"one"/)
})

test.serial('applies and stores the locale in the query; ignores unknown ones', async t => {
  const { server } = t.context
  const german = await server.get('/own?lang=de', html)
  t.regex(german.text, / de /)
  t.is(german.headers.get('set-cookie'), 'platform_locale=de; Max-Age=31536000; Path=/; Secure; SameSite=Lax')
  t.regex((await server.get('/own', { ...html, cookie: 'platform_locale=de' })).text, / de /)
  for (const cookie of ['platform_locale=fr', 'platform_locale=', 'other=de'])
    t.regex((await server.get('/own', { ...html, cookie, 'accept-language': 'en' })).text, / en /, cookie)
  const unknown = await server.get('/own?lang=xx', html)
  t.is(unknown.headers.get('set-cookie'), null)
  const keptGerman = await server.get('/kept?lang=de', html)
  t.truthy(keptGerman.headers.get('set-cookie'))
  t.is((await server.get('/kept', html)).headers.get('set-cookie'), null, 'a locale choice is not shared')
})

test.serial('shows the location of template errors outside production only', async t => {
  const plain = await t.context.server.get('/template', html)
  t.deepEqual([plain.status, plain.text], [500, '<h1>problem internal</h1>'])
  const product = {
    key: 'acme',
    name: 'Acme',
    publicUrl: 'https://acme.test',
    theme: { name: 'default', tokens: {} },
    locales: { default: 'en', available: ['en'] },
    production: false,
    audience: 'teams' as const,
  }
  const workshop = await startTestServer({ site }, { product })
  t.teardown(workshop.stop)
  const shown = await workshop.get('/template', html)
  t.is(shown.status, 500)
  t.regex(shown.text, /<code>a\.hbs:3:7<\/code>[\s\S]*it is &#60;broken&#62;/)
  t.is((await workshop.get('/template')).body.code, 'internal')
})

test.serial('serves a default home page', async t => {
  const { status, text } = await t.context.server.get('/', html)
  t.is(status, 200)
  t.regex(text, /^<h1>Acme<\/h1>/)
})
