import { readFileSync, statSync } from 'node:fs'
import test from 'ava'
import { createBundle } from '../../../modules/console/services/bundle.ts'
import { withPeople } from '../../fixtures/with-people.ts'
import { newEmail } from '../identity/fixtures.ts'

const MAX_FIRST_SCRIPT_BYTES = 250 * 1024
/** Browsers open six connections to a server without HTTP/2. */
const MAX_FIRST_FILES = 15
const folder = new URL('../../../modules/console/public/', import.meta.url)

interface Chunk {
  readonly file: string
  readonly isEntry?: boolean
  readonly imports?: readonly string[]
}

test('the first script has at most 250 KiB compressed', t => {
  const manifest = JSON.parse(readFileSync(new URL('manifest.json', folder), 'utf8')) as Record<string, Chunk>
  const names = new Set<string>()
  const collect = (name: string) => {
    const chunk = manifest[name]
    if (!chunk || names.has(chunk.file)) return
    names.add(chunk.file)
    for (const imported of chunk.imports ?? []) collect(imported)
  }
  const entry = Object.keys(manifest).find(name => manifest[name]?.isEntry)
  // The home screen is loaded before anything is shown.
  for (const name of [entry ?? '', 'shell/Home.tsx']) collect(name)
  const size = [...names].reduce((sum, file) => sum + compressedSize(file), 0)
  t.log(`${size} bytes`)
  t.true(names.size > 0 && size > 0 && size <= MAX_FIRST_SCRIPT_BYTES)
})

const { kernel } = withPeople(test, { recipe: { modules: { identity: {}, comms: {}, content: {}, console: {} } } })

const compressedSize = (file: string): number => {
  try {
    return statSync(new URL(`${file}.gz`, folder)).size
  } catch {
    return statSync(new URL(file, folder)).size
  }
}

test.serial('serves the application to people who are signed in', async t => {
  const accept = { accept: 'text/html' }
  const signedOut = await fetch(`${kernel.url}/console/content/pages`, { headers: accept, redirect: 'manual' })
  t.is(signedOut.status, 303)
  t.regex(signedOut.headers.get('location') ?? '', /^\/sign-in\?next=%2Fconsole%2Fcontent%2Fpages/)

  const ada = await kernel.register(newEmail('ada'))
  const document = await fetch(`${kernel.url}/console/${ada.tenantId}/any/path`, {
    headers: { ...accept, cookie: ada.cookie, 'accept-encoding': 'br' },
  })
  const html = await document.text()
  const policy = document.headers.get('content-security-policy') ?? ''
  const again = await fetch(`${kernel.url}/console/any/path`, { headers: { ...accept, cookie: ada.cookie } })
  t.not(again.headers.get('content-security-policy'), policy)
  t.is(document.headers.get('cache-control'), 'no-store')
  t.regex(policy, /frame-ancestors 'none'/)
  t.notRegex(policy, /unsafe-inline/)
  const nonce = /nonce-([\w-]+)/.exec(policy)?.[1]
  t.true(nonce !== undefined && html.includes(`nonce="${nonce}"`))
  t.notRegex(html, /__NONCE__/)
  t.is(document.headers.get('content-encoding'), 'br', 'nothing but the nonce is secret in it')
  t.regex(document.headers.get('vary') ?? '', /accept-encoding/)

  const ofScreen = async (screen: string) =>
    (await fetch(`${kernel.url}/console/${slug}/${screen}`, { headers: { ...accept, cookie: ada.cookie } })).text()
  const slug = /name="workspace-slug" content="([^"]+)"/.exec(await again.text())?.[1]
  for (const [screen, isOfResource] of [
    ['content/pages', true],
    ['content/pages/new', true],
    ['content/unknown', false],
    ['', false],
  ] as const)
    t.is(/resource-routes-/.test(await ofScreen(screen)), isOfResource, screen)

  const [, path] = /src="(\/console\/assets\/start-[^"]+\.js)"/.exec(html) ?? []
  const script = await fetch(kernel.url + path, { headers: { 'accept-encoding': 'br' } })
  t.is(script.status, 200)
  t.is(script.headers.get('content-encoding'), 'br')
  t.regex(script.headers.get('cache-control') ?? '', /immutable/)
  t.regex(script.headers.get('vary') ?? '', /accept-encoding/i)
  for (const [accepted, encoding] of [
    ['identity', null],
    ['br;q=0', null],
    ['gzip, br;q=0.0', 'gzip'],
  ] as const) {
    const { headers } = await fetch(kernel.url + path, { headers: { 'accept-encoding': accepted } })
    t.is(headers.get('content-encoding'), encoding, accepted)
  }
  for (const name of ['unknown.js', '..%2Findex.html', 'index.html'])
    t.is((await fetch(`${kernel.url}/console/assets/${name}`)).status, 404, name)
})

test.serial('the path names the workspace, and other paths lead into the current one', async t => {
  const ada = await kernel.register(newEmail('ada'), { workspaceName: 'Engines' })
  const eve = await kernel.register(newEmail('eve'), { workspaceName: 'Telegraph' })
  const { body: analysis } = await ada.post('/v1/identity/tenants', { name: 'Analysis' })
  const open = async (path: string, current?: string) => {
    const cookie = current === undefined ? ada.cookie : `${ada.cookie}; platform_tenant=${current}`
    const headers = { accept: 'text/html', cookie }
    const response = await fetch(kernel.url + path, { headers, redirect: 'manual' })
    const [selected = null] = response.headers.getSetCookie()
    return {
      status: response.status,
      location: response.headers.get('location'),
      selected,
      html: await response.text(),
    }
  }

  const shown = await open('/console/analysis/content/pages')
  t.is(shown.status, 200)
  t.true(shown.html.includes(`content="${analysis.id}"`) && shown.html.includes('content="analysis"'))
  t.true(shown.selected?.startsWith(`platform_tenant=${analysis.id};`), "the site's pages show it, too")

  const redirects = [
    // The workspace that was opened last.
    ['/console', undefined, '/console/analysis/'],
    ['/console', analysis.id, '/console/analysis/'],
    ['/console/content/pages?q=tea', analysis.id, '/console/analysis/content/pages?q=tea'],
    [`/console/${analysis.id}/content/pages`, undefined, '/console/analysis/content/pages'],
    ['/console/content/pages?workspace=analysis', undefined, '/console/analysis/content/pages'],
    // Whether the workspace exists isn't told to those who don't belong to it.
    ['/console/telegraph/content', undefined, '/console/analysis/?left=telegraph'],
    [`/console/${eve.tenantId}/content`, undefined, `/console/analysis/?left=${eve.tenantId}`],
    ['/console/missing/content', undefined, '/console/analysis/?left=missing'],
    ['/console/%22%3E/content', undefined, '/console/analysis/%22%3E/content'],
  ] as const
  for (const [path, current, location] of redirects) {
    const { status, location: actual } = await open(path, current)
    t.deepEqual([status, actual], [302, location], path)
  }
})

const documentValues = {
  nonce: 'n',
  product: 'Shop',
  audience: 'teams' as const,
  locales: ['en'],
  languages: [],
  workspace: { id: 'ten_1', slug: 'acme', isMember: true },
  areas: null,
  sidebar: [],
  brand: { logo: null, fontFaces: '', font: null, light: undefined, dark: undefined },
  screens: 0,
  screen: undefined,
}

for (const [screen, source] of [
  ['home', 'shell/Home.tsx'],
  ['resource', 'shell/resource-routes.tsx'],
] as const)
  test.serial(`the document of a ${screen} screen loads the files of this screen, too, and each file once`, async t => {
    const bundle = createBundle(folder)
    const filesOf = async (shown: typeof screen | undefined) => {
      const html = await bundle.document({ ...documentValues, screen: shown })
      return [...html.matchAll(/(?:src|href)="\/console\/(assets\/[^"]+)"/g)].map(([, file = '']) => file)
    }
    const [every, first] = [await filesOf(undefined), await filesOf(screen)]
    const manifest = JSON.parse(readFileSync(new URL('manifest.json', folder), 'utf8')) as Record<string, Chunk>
    const file = manifest[source]?.file ?? ''
    t.true(first.includes(file) && !every.includes(file))
    t.deepEqual(first.slice(0, every.length), every)
    t.is(new Set(first).size, first.length)
    t.true(first.length <= MAX_FIRST_FILES, `${first.length} files`)
  })

test.serial('the name of a workspace is text in the document', async t => {
  const bundle = createBundle(folder)
  const workspace = { ...documentValues.workspace, slug: '"><b>' }
  t.notRegex(await bundle.document({ ...documentValues, product: '"><script>', workspace }), /"><(script|b)>/)
})

test.serial(
  'the document names the audience of the product, which decides on the switch between workspaces',
  async t => {
    const bundle = createBundle(folder)
    for (const audience of ['teams', 'people'] as const)
      t.true(
        (await bundle.document({ ...documentValues, audience })).includes(
          `<meta name="audience" content="${audience}">`,
        ),
      )
  },
)
