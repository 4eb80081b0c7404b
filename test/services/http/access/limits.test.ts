import test from 'ava'
import { Type } from 'typebox'
import { MINUTE } from '../../../../kernel/base/units.ts'
import { type Caller, route } from '../../../../kernel/index.ts'
import { ada, bearer, startTestServer } from '../fixtures.ts'

const on = { trustProxy: 1, rateLimits: true, production: true, metricsToken: undefined, shutdownDelayMs: 0 }
const done = { replies: { 204: null }, handle: async () => undefined } as const

test('limits per IP address count down in headers and send Retry-After', async t => {
  const routes = [
    route({ ...done, method: 'get', path: '/a', allow: 'public', limits: [{ name: 'a', points: 2, window: MINUTE }] }),
  ]
  const server = await startTestServer({ routes }, { settings: on })
  t.teardown(server.stop)
  const first = await server.get('/v1/a')
  t.deepEqual([first.headers.get('ratelimit-limit'), first.headers.get('ratelimit-remaining')], ['2', '1'])
  t.is((await server.get('/v1/a')).status, 204)
  const { status, headers, body } = await server.get('/v1/a')
  t.deepEqual([status, body.code, headers.get('ratelimit-remaining')], [429, 'rate_limited', '0'])
  t.is(headers.get('retry-after'), headers.get('ratelimit-reset'))
  t.is((await server.get('/v1/a', { 'x-forwarded-for': '9.9.9.9' })).status, 204)
})

test('limits can count by a value of the body', async t => {
  const body = Type.Object({ email: Type.String() })
  const by = (given: unknown, ip: string) => `${ip} ${(given as { email: string }).email.toLowerCase()}`
  const limits = [{ name: 'login', points: 1, window: MINUTE, by }]
  const routes = [route({ ...done, method: 'post', path: '/login', allow: 'public', body, limits })]
  const server = await startTestServer({ routes }, { settings: on })
  t.teardown(server.stop)
  const statuses = []
  for (const email of ['a@x.test', 'A@x.test', 'b@x.test'])
    statuses.push((await server.send('POST', '/v1/login', { email })).status)
  t.deepEqual(statuses, [204, 429, 204])
  t.is((await server.send('POST', '/v1/login', {})).status, 422)
})

test('anonymous requests with a body count by IP address before the body is read', async t => {
  const body = Type.Object({ email: Type.String() })
  const routes = [
    route({ ...done, method: 'post', path: '/login', allow: 'public', body }),
    route({ ...done, method: 'get', path: '/a', allow: 'public' }),
  ]
  const server = await startTestServer(
    { routes },
    { settings: on, rateLimits: { anonymous: { points: 2, window: MINUTE } } },
  )
  t.teardown(server.stop)
  const statuses = []
  for (let times = 0; times < 3; times++) statuses.push((await server.send('POST', '/v1/login', { other: 1 })).status)
  t.deepEqual(statuses, [422, 422, 429])
  t.is((await server.get('/v1/a')).status, 204)
  t.is((await server.send('POST', '/v1/login', { email: 'a@x.test' }, ada)).status, 204)
})

test('recipes can override the limit per principal', async t => {
  const routes = ['/a', '/b'].map(path => route({ ...done, method: 'get', path: path as '/a', allow: 'user' }))
  const server = await startTestServer({ routes }, { settings: on, rateLimits: { api: { points: 2, window: MINUTE } } })
  t.teardown(server.stop)
  const statuses = []
  for (const path of ['/v1/a', '/v1/b', '/v1/a']) statuses.push((await server.get(path, bearer)).status)
  t.deepEqual(statuses, [204, 204, 429])
  t.is((await server.get('/v1/a', ada)).status, 204)
  t.is((await server.get('/v1/a')).status, 401)
})

test('disabled limits count nothing', async t => {
  const routes = [
    route({ ...done, method: 'get', path: '/a', allow: 'public', limits: [{ name: 'a', points: 1, window: MINUTE }] }),
  ]
  const server = await startTestServer({ routes })
  t.teardown(server.stop)
  for (let at = 0; at < 3; at++) {
    const { status, headers } = await server.get('/v1/a')
    t.deepEqual([status, headers.get('ratelimit-limit')], [204, null])
  }
})

test('limits can exempt callers', async t => {
  const body = Type.Object({})
  const by = (_body: unknown, ip: string, _params: object, caller: Caller | undefined) =>
    caller?.userId === 'usr_ada' ? undefined : ip
  const limits = [{ name: 'send', points: 1, window: MINUTE, by }]
  const routes = [route({ ...done, method: 'post', path: '/send', allow: 'public', body, limits })]
  const server = await startTestServer({ routes }, { settings: on })
  t.teardown(server.stop)
  const sent = async (headers: Record<string, string> = {}) =>
    (await server.send('POST', '/v1/send', {}, headers)).status
  t.deepEqual([await sent(), await sent()], [204, 429])
  t.deepEqual([await sent(bearer), await sent(bearer)], [204, 204])
})

test('bodies of public routes have a limit of 16 KiB unless the route sets another', async t => {
  const body = Type.Object({ text: Type.String() })
  const routes = [
    route({ ...done, method: 'post', path: '/small', allow: 'public', body }),
    route({ ...done, method: 'post', path: '/large', allow: 'public', body, bodyLimit: 100_000 }),
    route({ ...done, method: 'post', path: '/signed-in', allow: 'user', body }),
  ]
  const server = await startTestServer({ routes })
  t.teardown(server.stop)
  const send = async (path: string) => {
    const { status, body } = await server.send('POST', path, { text: 'x'.repeat(20_000) }, bearer)
    return [status, body.detail]
  }
  t.deepEqual(await send('/v1/small'), [413, 'The request body exceeds 16 KiB.'])
  t.is((await send('/v1/large'))[0], 204)
  t.is((await send('/v1/signed-in'))[0], 204)
})
