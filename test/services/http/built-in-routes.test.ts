import test from 'ava'
import { createSecrets, HOUR } from '../../../kernel/base/index.ts'
import { common, defineProblems } from '../../../kernel/base/problem.ts'
import { rawRoute } from '../../../kernel/index.ts'
import { seenRequestHeaders } from '../../../services/http/monitoring/seen-request.ts'
import { moduleOf, startTestServer } from './fixtures.ts'

const problems = defineProblems({ note_locked: [409, 'The note is <locked>.'] })

test('liveness and readiness are public', async t => {
  const server = await startTestServer({})
  t.teardown(server.stop)
  for (const path of ['/healthz', '/v1/health']) t.deepEqual((await server.get(path)).body, { status: 'ok' })
  const { status, body } = await server.get('/v1/health/readiness')
  t.deepEqual([status, body], [200, { status: 'ready', checks: { database: 'ok' } }])
})

test('readiness names failed checks and logs the reason', async t => {
  const checks = async () => [
    { name: 'database', ok: false, error: new Error('password of larder_app') },
    { name: 'mail', ok: true },
  ]
  const server = await startTestServer({}, { checks })
  t.teardown(server.stop)
  const { status, body, text } = await server.get('/v1/health/readiness')
  t.deepEqual([status, body.checks], [503, { database: 'failed', mail: 'ok' }])
  t.false(text.includes('password'))
  t.true(server.lines.some(({ reason }) => reason === 'password of larder_app'))
})

test('readiness fails if running the checks fails', async t => {
  const server = await startTestServer({}, { checks: () => Promise.reject(new Error('gone')) })
  t.teardown(server.stop)
  t.is((await server.get('/v1/health/readiness')).status, 503)
})

test('what a request looks like here is answered to whoever has the secret', async t => {
  const server = await startTestServer({})
  t.teardown(server.stop)
  const secrets = createSecrets(['a secret of thirty-two bytes or more'])
  const now = Date.now()
  const forged = { 'x-forwarded-for': '192.0.2.1', 'x-forwarded-proto': 'https', cookie: 'a=b' }
  const { status, body } = await server.get('/v1/health/request', { ...forged, ...seenRequestHeaders(secrets, now) })
  t.is(status, 200)
  t.like(body, { version: '1.0.0', peer: '127.0.0.1', address: '127.0.0.1', trustProxy: 0, trustTraceparent: false })
  t.deepEqual(Object.keys(body.headers as object).sort(), ['host', 'x-forwarded-for', 'x-forwarded-proto'])
  for (const headers of [
    {},
    seenRequestHeaders(createSecrets(['another secret of thirty-two bytes']), now),
    seenRequestHeaders(secrets, now - HOUR),
    { 'larder-doctor': `${now}.` },
  ])
    t.is((await server.get('/v1/health/request', headers)).status, 401)
})

test('metrics require the token if it is set', async t => {
  const settings = {
    trustProxy: 0,
    rateLimits: false,
    production: false,
    metricsToken: 'scrape-me',
    shutdownDelayMs: 0,
  }
  const server = await startTestServer({}, { settings })
  t.teardown(server.stop)
  await server.get('/v1/health')
  await server.get('/v1/nowhere/x')
  t.is((await server.get('/metrics')).status, 401)
  t.is((await server.get('/metrics', { authorization: 'Bearer wrong-one' })).status, 401)
  const { status, text } = await server.get('/metrics', { authorization: 'Bearer scrape-me' })
  t.is(status, 200)
  t.regex(text, /larder_http_requests_total\{method="GET",route="\/v1\/health",status="200"\} 1/)
  t.regex(text, /larder_http_requests_total\{method="GET",route="unmatched",status="404"\} 1/)
  t.regex(text, /nodejs_eventloop_lag_seconds/)
})

test('metrics without a token are for this host in development only', async t => {
  const open = { trustProxy: 0, rateLimits: false, production: false, metricsToken: undefined, shutdownDelayMs: 0 }
  const server = await startTestServer({}, { settings: open })
  t.teardown(server.stop)
  t.is((await server.get('/metrics')).status, 200)
  for (const header of ['x-forwarded-for', 'x-real-ip', 'x-forwarded-proto', 'forwarded', 'via'])
    t.is((await server.get('/metrics', { [header]: '127.0.0.1' })).status, 401, header)
})

for (const [place, closed] of Object.entries({
  'in production': { production: true, trustProxy: 0 },
  'behind a trusted proxy': { production: false, trustProxy: 1 },
}))
  test(`metrics without a token are closed ${place}`, async t => {
    const settings = { rateLimits: false, metricsToken: undefined, shutdownDelayMs: 0, ...closed }
    const server = await startTestServer({}, { settings })
    t.teardown(server.stop)
    t.is((await server.get('/metrics')).status, 401)
    t.is((await server.get('/metrics', { authorization: 'Bearer undefined' })).status, 401)
  })

const onOwnPort = { trustProxy: 0, rateLimits: false, production: true, metricsToken: 'scrape-me', metricsPort: 0 }

test('a port for monitoring serves health checks and metrics, and the public one no metrics', async t => {
  const server = await startTestServer({}, { settings: { ...onOwnPort, shutdownDelayMs: 0 } })
  t.teardown(server.stop)
  t.is(server.http.monitoringUrl, undefined)
  await server.http.listenForMonitoring(0, '127.0.0.1')
  const { monitoringUrl } = server.http
  const authorization = 'Bearer scrape-me'
  for (const path of ['/healthz', '/v1/health', '/v1/health/readiness']) {
    t.is((await fetch(monitoringUrl + path)).status, 200, path)
    t.is((await server.get(path)).status, 200, path)
  }
  t.is((await server.get('/metrics', { authorization })).status, 404)
  t.is((await fetch(`${monitoringUrl}/metrics`)).status, 401)
  const scrape = await fetch(`${monitoringUrl}/metrics`, { headers: { authorization } })
  t.is(scrape.status, 200)
  t.regex(await scrape.text(), /larder_http_requests_total\{method="GET",route="\/v1\/health",status="200"\} 2/)
})

test('a port for monitoring has no other address and no other method', async t => {
  const server = await startTestServer({}, { settings: { ...onOwnPort, shutdownDelayMs: 0 } })
  t.teardown(server.stop)
  await server.http.listenForMonitoring(0, '127.0.0.1')
  const { monitoringUrl } = server.http
  for (const path of ['/', '/problems', '/docs', '/v1/platform/openapi.json'])
    t.is((await fetch(monitoringUrl + path)).status, 404, path)
  t.is((await fetch(`${monitoringUrl}/metrics`, { method: 'POST', body: 'x' })).status, 405)
})

test('readiness on the port for monitoring fails during shutdown, and the port closes with the server', async t => {
  const server = await startTestServer({}, { settings: { ...onOwnPort, shutdownDelayMs: 0 } })
  t.teardown(server.stop)
  await server.http.listenForMonitoring(0, '127.0.0.1')
  const readiness = `${server.http.monitoringUrl}/v1/health/readiness`
  t.is((await fetch(readiness)).status, 200)
  await server.http.drain()
  t.is((await fetch(readiness)).status, 503)
  await server.http.close()
  await t.throwsAsync(fetch(readiness))
})

test('a taken port for monitoring rejects with its number', async t => {
  const settings = { ...onOwnPort, shutdownDelayMs: 0 }
  const [first, second] = [await startTestServer({}, { settings }), await startTestServer({}, { settings })]
  t.teardown(first.stop)
  t.teardown(second.stop)
  await first.http.listenForMonitoring(0, '127.0.0.1')
  const port = Number(new URL(first.http.monitoringUrl ?? '').port)
  await t.throwsAsync(second.http.listenForMonitoring(port, '127.0.0.1'), {
    code: 'EADDRINUSE',
    message: RegExp(`${port}`),
  })
})

test('/problems lists all error codes', async t => {
  const server = await startTestServer({ problems })
  t.teardown(server.stop)
  const { status, text } = await server.get('/problems')
  t.is(status, 200)
  for (const code of [...Object.keys(common), 'note_locked']) t.true(text.includes(`"code":"${code}"`), code)
  t.true(text.includes('The note is <locked>.'))
  t.true(text.includes('exceeds `limit`.'))
  t.false(text.includes('{reason}'))
})

test('/problems shows one remedy per code', async t => {
  const own = defineProblems({ note_stale: [409, 'The note is old. Choose another one.'], note_torn: [422, 'Torn.'] })
  const server = await startTestServer(
    { problems: { ...problems, ...own } },
    // Pages of a theme have a wording of their own, here with a remedy.
    { theme: { text: (_, said) => (said === 'Torn.' ? 'The note is torn. Glue it.' : String(said)) } },
  )
  t.teardown(server.stop)
  const { text } = await server.get('/problems')
  const { problems: shown } = JSON.parse(text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1))
  const remedyOf = (wanted: string) => shown.find(({ code }: { code: string }) => code === wanted).remedy
  t.is(remedyOf('note_stale'), '')
  t.is(remedyOf('note_locked'), '')
  t.is(remedyOf('note_torn'), '')
  t.regex(remedyOf('conflict'), /Fetch the resource again/)
})

test('/problems finds the errors that have every word, in the language of the reader', async t => {
  const german = (text: unknown) => (text === 'The note is <locked>.' ? 'Die Notiz ist gesperrt.' : String(text))
  const server = await startTestServer(
    { problems },
    { theme: { text: (locale, text) => (locale === 'de' ? german(text) : String(text)) } },
  )
  t.teardown(server.stop)
  const codes = async (q: string, language = 'en') => {
    const { status, text } = await server.get(`/problems?q=${encodeURIComponent(q)}`, { 'accept-language': language })
    t.is(status, 200)
    const { problems: found } = JSON.parse(text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1))
    return found.map(({ code }: { code: string }) => code)
  }
  t.deepEqual(await codes('NOTE locked'), ['note_locked'])
  t.deepEqual(await codes('409 note_'), ['note_locked'])
  t.deepEqual(await codes('note invitation'), [])
  t.deepEqual(await codes('notiz gesperrt', 'de'), ['note_locked'])
  t.true((await codes('  ')).length > 20)
  t.is((await server.get('/problems?q=%00')).status, 422)
})

test('serves the API documentation unless the recipe turns it off', async t => {
  const server = await startTestServer({})
  t.teardown(server.stop)
  const page = await server.get('/docs')
  const files = [...page.text.matchAll(/<(?:script src|link rel="stylesheet" href)="([^"]+)"/g)]
  t.is(files.length, 3)
  for (const [, path] of files) {
    t.true(path?.startsWith('/assets/docs/'))
    t.is((await server.get(path ?? '')).status, 200, path)
  }
  const document = await server.get('/v1/platform/openapi.json')
  t.is(document.body.openapi, '3.1.0')
  const again = await server.get('/v1/platform/openapi.json', { 'if-none-match': document.headers.get('etag') ?? '' })
  t.is(again.status, 304)
  const other = await startTestServer({})
  t.teardown(other.stop)
  const there = await other.get('/v1/platform/openapi.json')
  t.is(there.headers.get('etag'), document.headers.get('etag'), 'every process gives the same one')
  const closed = await startTestServer({}, { docs: false })
  t.teardown(closed.stop)
  for (const path of ['/docs', '/v1/platform/openapi.json']) t.is((await closed.get(path)).status, 404)
})

test('the API reference runs no inline script, and its styles need the nonce of the response', async t => {
  const server = await startTestServer({})
  t.teardown(server.stop)
  const [first, second] = [await server.get('/docs'), await server.get('/docs')]
  const policy = first.headers.get('content-security-policy') ?? ''
  t.regex(policy, /script-src 'self';/)
  t.false(policy.includes('unsafe'))
  t.not(policy, second.headers.get('content-security-policy'))
  t.notRegex(first.text, /<script(?! src)/)
  t.true(first.text.includes(`<style nonce="${/'nonce-([^']+)'/.exec(policy)?.[1]}">`))
})

test('the API reference is in the language of the reader and shows whether they have a session', async t => {
  const theme = {
    render: () => '',
    problemPage: () => '',
    assetAt: () => undefined,
    text: (locale: string, text: string) => `${text} (${locale})`,
    colorSchemes: () => ({ light: { accent: '#123456' }, dark: { accent: '#abcdef' } }),
  }
  const server = await startTestServer({}, { theme })
  t.teardown(server.stop)
  const german = await server.get('/docs', { 'accept-language': 'de' })
  t.regex(german.text, /<html lang="de"[\s\S]*Errors \(de\)/)
  t.true(german.text.includes('.dark-mode{--accent:#abcdef}'))
  t.false(german.text.includes('data-session'))
  const signedIn = await server.get('/docs', { cookie: 'platform_session=any; platform_tenant=ten_"><b>' })
  t.regex(signedIn.text, /data-session data-workspace="ten_&#34;&#62;&#60;b&#62;"/)
})

const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')
const iconTheme = {
  render: () => '',
  problemPage: () => '',
  assetAt: () => undefined,
  icon: () => ({ type: 'image/svg+xml', bytes: svg }),
}

test('crawlers may index pages but not the API, and browsers get the icon of the theme', async t => {
  const server = await startTestServer({}, { theme: iconTheme })
  t.teardown(server.stop)
  const robots = await server.get('/robots.txt')
  t.is(robots.status, 200)
  t.is(robots.headers.get('content-type'), 'text/plain; charset=utf-8')
  t.is(robots.text, 'User-agent: *\nDisallow: /v1/\n')
  const icon = await server.get('/favicon.ico')
  t.is(icon.status, 200)
  t.is(icon.headers.get('content-type'), 'image/svg+xml')
  t.is(icon.text, String(svg))
})

test('a module can serve its own robots.txt', async t => {
  const own = rawRoute({
    method: 'get',
    path: '/robots.txt',
    allow: 'public',
    summary: 'Returns the rules for crawlers.',
    handle: async (_request, response) => void response.type('text/plain').send('User-agent: *\nDisallow: /\n'),
  })
  const server = await startTestServer({ rawRoutes: [own] })
  t.teardown(server.stop)
  t.is((await server.get('/robots.txt')).text, 'User-agent: *\nDisallow: /\n')
})

test('rejects two modules with the same method and path', async t => {
  const routes = ['id', 'name'].map(name => ({
    method: 'get' as const,
    path: `/notes/:${name}`,
    allow: 'public' as const,
    replies: { 204: null },
    handle: async () => undefined,
  }))
  const modules = routes.map((route, at) => moduleOf({ name: `module${at}`, routes: [route] }))
  await t.throwsAsync(startTestServer({}, { modules }), {
    message: 'GET /v1/notes/:name is declared by module0 and by module1',
  })
})
