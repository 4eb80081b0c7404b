import { randomBytes } from 'node:crypto'
import { request } from 'node:http'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import test from 'ava'
import { createFixedBody, preferredEncoding } from '../../../../services/http/documents/content-encoding.ts'
import { loadReferenceFiles } from '../../../../services/http/documents/reference/files.ts'
import { cookie, moduleOf, startTestServer, type TestServer } from '../fixtures.ts'

let server: TestServer
const STYLE = { type: 'text/css; charset=utf-8', bytes: Buffer.from('body { margin: 0 }\n'.repeat(200)) }
const FONT = { type: 'font/woff2', bytes: randomBytes(4000) }
const TINY = { type: 'text/css; charset=utf-8', bytes: Buffer.from('b{}') }
const PROSE = 'word '.repeat(1000)

test.before(async () => {
  const page = (name: string, path: string) => ({
    page: {
      name,
      path,
      title: 'T',
      allow: 'public',
      load: async ({ query }: { query: object }) => ({ data: { ...query, PROSE } }),
    },
  })
  const site = {
    templates: [],
    find: async ({ path }: { path: string }) => (path === '/site' ? CACHED : null),
  }
  const modules = [moduleOf({ name: 'shop', pages: [page('shop.list', '/list')] as never, site: site as never })]
  const assets: Record<string, typeof STYLE> = {
    '/assets/a.css': STYLE,
    '/assets/a.woff2': FONT,
    '/assets/tiny.css': TINY,
  }
  const theme = {
    render: ({ title }: { title: string }, data: object) => `<h1>${title}</h1>${JSON.stringify(data)}`,
    problemPage: () => '<h1>problem</h1>',
    assetAt: (path: string) => assets[path],
  }
  server = await startTestServer({}, { modules, theme })
})
test.after.always(() => server?.stop())
const CACHED = { name: 'shop.page', title: 'Page', cacheable: true, data: { PROSE } }

interface Answer {
  readonly status: number | undefined
  readonly headers: Record<string, string | string[] | undefined>
  readonly bytes: Buffer
}
/** Without the decompression of `fetch`. */
const ask = (path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const sent = request({
      port: server.port,
      host: '127.0.0.1',
      path,
      method,
      headers: { accept: 'text/html', ...headers },
    })
    sent.on('error', reject)
    sent.on('response', response => {
      const chunks: Buffer[] = []
      response.on('data', chunk => chunks.push(chunk))
      response.on('end', () =>
        resolve({ status: response.statusCode, headers: response.headers, bytes: Buffer.concat(chunks) }),
      )
    })
    sent.end()
  })

test('selects the encoding with the highest weight, Brotli before gzip', t => {
  for (const [header, expected] of [
    [undefined, undefined],
    ['', undefined],
    ['identity', undefined],
    ['gzip', 'gzip'],
    ['GZIP', 'gzip'],
    ['gzip, deflate, br, zstd', 'br'],
    ['gzip;q=1.0, br;q=0.5', 'gzip'],
    ['gzip;q=0.5,br;q=0.5', 'br'],
    ['br;q=0, gzip', 'gzip'],
    ['br;q=0, gzip;q=0.000', undefined],
    ['*', 'br'],
    ['*;q=0', undefined],
    ['gzip, *;q=0', 'gzip'],
    ['br;q=0, *;q=0.1', 'gzip'],
    ['identity;q=1, gzip;q=0.5', undefined],
    ['identity;q=0, gzip;q=0.5', 'gzip'],
    ['gzip ; q=0.5', 'gzip'],
    ['br;q=2, gzip', 'gzip'],
    ['br;x=y', undefined],
    ['deflate, zstd', undefined],
    [`gzip${' ,'.repeat(5000)}`, 'gzip'],
  ] as const)
    for (const _round of [1, 2]) t.is(preferredEncoding(header), expected, String(header).slice(0, 60))
})

test('compresses a fixed body once, also for concurrent clients', async t => {
  const body = createFixedBody(Buffer.from(PROSE), 'text/plain')
  const first = body.encoded('br')
  t.is(body.encoded('br'), first)
  const compressed = await first
  t.is(body.encoded('br'), compressed)
  t.is(brotliDecompressSync(compressed).toString(), PROSE)
  t.is(gunzipSync(await body.encoded('gzip')).toString(), PROSE)
})

for (const [what, path, cacheControl] of [
  ['an asset', '/assets/a.css', 'public, max-age=31536000, immutable'],
  ['the script of the API reference', loadReferenceFiles().scalar.path, 'public, max-age=31536000, immutable'],
  ['the OpenAPI document', '/v1/platform/openapi.json', 'no-cache'],
  ['a page of the site', '/site', 'no-cache'],
] as const)
  test(`negotiates the encoding of ${what}`, async t => {
    const plain = await ask(path)
    t.is(plain.status, 200)
    t.is(plain.headers['content-encoding'], undefined)
    t.regex(String(plain.headers.vary), /accept-encoding/)
    for (const [encoding, decode] of [
      ['br', brotliDecompressSync],
      ['gzip', gunzipSync],
    ] as const) {
      const answer = await ask(path, { 'accept-encoding': encoding })
      t.is(answer.headers['content-encoding'], encoding)
      t.regex(String(answer.headers.vary), /accept-encoding/)
      t.is(answer.headers['cache-control'], cacheControl)
      t.is(Number(answer.headers['content-length']), answer.bytes.length)
      t.true(answer.bytes.length < plain.bytes.length)
      t.true(decode(answer.bytes).equals(plain.bytes))
      const head = await ask(path, { 'accept-encoding': encoding }, 'HEAD')
      t.is(head.bytes.length, 0)
      t.is(head.headers['content-length'], answer.headers['content-length'])
      t.is(head.headers['content-encoding'], encoding)
      const { etag } = answer.headers
      if (etag === undefined) continue
      t.not(etag, plain.headers.etag, 'each encoding has an entity tag of its own')
      const headers = { 'accept-encoding': encoding, 'if-none-match': String(etag) }
      const again = await ask(path, headers)
      t.deepEqual([again.status, again.bytes.length, again.headers.etag], [304, 0, etag])
      t.regex(String(again.headers.vary), /accept-encoding/)
      t.is((await ask(path, { 'if-none-match': String(etag) })).status, 200, 'the client has another encoding')
    }
  })

test('sends small files and binary files as they are', async t => {
  for (const [path, { bytes }] of [
    ['/assets/tiny.css', TINY],
    ['/assets/a.woff2', FONT],
  ] as const) {
    const answer = await ask(path, { 'accept-encoding': 'br, gzip' })
    t.is(answer.headers['content-encoding'], undefined)
    t.is(answer.headers.vary, undefined)
    t.true(answer.bytes.equals(bytes))
  }
})

test('compresses a rendered page for visitors without credentials only', async t => {
  const encodingOf = async (headers: Record<string, string>, path = '/list?next=x') =>
    (await ask(path, { 'accept-encoding': 'br', ...headers })).headers['content-encoding']
  const plain = await ask('/list')
  t.is(await encodingOf({}), 'br')
  t.is(await encodingOf({ cookie: 'platform_locale=de' }), 'br')
  const answer = await ask('/list', { 'accept-encoding': 'br' })
  t.is(brotliDecompressSync(answer.bytes).toString(), plain.bytes.toString())
  for (const headers of [
    cookie,
    { cookie: 'platform_session=expired' },
    { cookie: 'platform_locale=de; pending=1' },
    { authorization: 'Bearer dt_ada' },
  ])
    t.is(await encodingOf(headers), undefined, JSON.stringify(headers))
})

test('serves the files of the documentation at paths with a hash', async t => {
  const page = (await ask('/docs')).bytes.toString()
  const paths = [...page.matchAll(/(?:src|href)="(\/assets\/docs\/[^"]+)"/g)].map(([, path]) => String(path))
  t.is(paths.length, 3)
  for (const path of paths) {
    t.regex(path, /\.[0-9a-f]{16}\.(js|css)$/)
    const hashed = await ask(path)
    t.is(hashed.headers['cache-control'], 'public, max-age=31536000, immutable')
    t.is((await ask(path, { 'if-none-match': String(hashed.headers.etag) })).status, 304)
  }
  for (const path of ['/docs/package.json', '/assets/docs/reference.js', '/assets/docs/reference.0000000000000000.js'])
    t.is((await ask(path)).status, 404, path)
  t.is((await ask('/assets/none.css')).status, 404)
})
