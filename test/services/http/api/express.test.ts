import { request as send } from 'node:http'
import anyTest, { type TestFn } from 'ava'
import express, { type NextFunction, type Request, type Response } from 'express'
import { common } from '../../../../kernel/base/problem.ts'
import type {} from '../../../../services/http/ports.ts'
import { ada, bearer, key, startTestServer, type TestServer, useTestServer } from '../fixtures.ts'

/** A typical Express application: a body parser, middleware, a nested router, errors. */
function createApp() {
  const app = express()
  app.use(express.json())
  app.get('/me', ({ caller, tenantId, requestContext }: Request, response: Response) => {
    response.json({ userId: caller?.userId ?? null, tenantId: tenantId ?? null, requestId: requestContext.id })
  })
  app.post('/echo', (request: Request, response: Response) => {
    response.status(201).json({ body: request.body, baseUrl: request.baseUrl })
  })
  app.get('/board', (_request: Request, response: Response) => {
    response.set('content-security-policy', "default-src 'self'").send('<h1>Board</h1>')
  })
  app.get('/locked', () => {
    throw common.invalid_state()
  })
  app.get('/broken', async () => {
    throw new Error('password of larder_app')
  })
  app.use(
    '/notes',
    express.Router().get('/:id', (request, response) => void response.json({ id: request.params.id })),
  )
  app.delete('/notes/:id', (_request: Request, _response: Response, next: NextFunction) => next())
  return app
}

const test = anyTest as TestFn<{ server: TestServer }>
useTestServer(test, () => startTestServer({ express: createApp() }))

test('sets the caller, the tenant and the request context on the request', async t => {
  const { server } = t.context
  const me = async (headers: Record<string, string> = {}) => (await server.get('/x/notes/me', headers)).body
  t.like(await me({ 'x-request-id': 'req-1' }), { userId: null, tenantId: null, requestId: 'req-1' })
  t.like(await me(ada), { userId: 'usr_ada', tenantId: 'ten_acme' })
  t.like(await me(bearer), { userId: 'usr_ada', tenantId: 'ten_acme' })
  t.like(await me(key), { userId: 'usr_ada', tenantId: 'ten_acme' })
})

test('runs body parsers, nested routers and handlers of any method below the path of the module', async t => {
  const { server } = t.context
  const echo = await server.send('POST', '/x/notes/echo', { title: 'First' })
  t.deepEqual([echo.status, echo.body], [201, { body: { title: 'First' }, baseUrl: '/x/notes' }])
  t.deepEqual((await server.get('/x/notes/notes/7?full=1')).body, { id: '7' })
  t.is((await server.send('OPTIONS', '/x/notes/me', undefined)).headers.get('allow'), 'GET, HEAD')
})

test('sends the security headers, which the application can replace', async t => {
  const { server } = t.context
  const me = await server.get('/x/notes/me', { origin: 'https://other.test' })
  t.regex(me.headers.get('content-security-policy') ?? '', /default-src 'none'/)
  t.is(me.headers.get('cache-control'), 'no-store')
  t.is(me.headers.get('access-control-allow-origin'), '*')
  const board = await server.get('/x/notes/board')
  t.is(board.headers.get('content-security-policy'), "default-src 'self'")
  t.is(board.text, '<h1>Board</h1>')
})

test('answers unknown paths and errors with problem documents', async t => {
  const { server } = t.context
  const failure = async (method: string, path: string, body?: unknown) => {
    const { status, headers, body: problem } = await server.send(method, `/x/notes${path}`, body)
    t.is(headers.get('content-type'), 'application/problem+json; charset=utf-8')
    t.is(problem.requestId, headers.get('x-request-id'))
    return [status, problem.code, problem.detail]
  }
  t.deepEqual(await failure('GET', '/nowhere'), [404, 'not_found', 'No page or route has this address.'])
  t.deepEqual(await failure('DELETE', '/notes/7'), [404, 'not_found', 'No page or route has this address.'])
  t.deepEqual(await failure('GET', '/locked'), [409, 'invalid_state', "The current state doesn't allow this."])
  t.deepEqual((await failure('POST', '/echo', '{"open')).slice(0, 2), [400, 'malformed'])
  const [status, code, detail] = await failure('GET', '/broken')
  t.deepEqual([status, code], [500, 'internal'])
  t.false(String(detail).includes('password'))
  t.true(server.lines.some(({ path, status }) => path === '/x/notes/broken' && status === 500))
  t.is((await server.get('/x/note')).body.code, 'not_found')
})

test('rejects bodies over 1 MiB, with and without a content length', async t => {
  const { server } = t.context
  const large = JSON.stringify('x'.repeat(2 * 1024 * 1024))
  t.is((await server.send('POST', '/x/notes/echo', large)).body.code, 'body_too_large')
  const status = await new Promise<number | undefined>((resolve, reject) => {
    const headers = { 'content-type': 'application/json', 'transfer-encoding': 'chunked' }
    const upload = send(`${server.url}/x/notes/echo`, { method: 'POST', headers }, answer => {
      answer.resume()
      resolve(answer.statusCode)
    })
    upload.on('error', reject)
    upload.end(large)
  })
  t.is(status, 413)
})

test('counts requests against the limit `api`, by caller or by address', async t => {
  const settings = { trustProxy: 1, rateLimits: true, production: true, metricsToken: undefined, shutdownDelayMs: 0 }
  const rateLimits = { api: { points: 2, window: 60_000 } }
  const server: TestServer = await startTestServer({ express: createApp() }, { settings, rateLimits })
  t.teardown(server.stop)
  for (const headers of [bearer, { 'x-forwarded-for': '9.9.9.9' }] as Record<string, string>[]) {
    const first = await server.get('/x/notes/me', headers)
    t.deepEqual([first.status, first.headers.get('ratelimit-remaining')], [200, '1'])
    await server.get('/x/notes/me', headers)
    const third = await server.get('/x/notes/me', headers)
    t.deepEqual([third.status, third.body.code], [429, 'rate_limited'])
  }
})

test('lists the mount among the endpoints, under one label of the metrics', async t => {
  const { server } = t.context
  await server.get('/x/notes/me')
  t.like(
    server.http.endpoints().find(({ kind }) => kind === 'express'),
    { module: 'notes', method: '*', path: '/x/notes' },
  )
  t.regex(
    await server.http.registry.metrics(),
    /larder_http_requests_total\{method="GET",route="\/x\/notes",status="200"\}/,
  )
})
