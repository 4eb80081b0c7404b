import anyTest, { type TestFn } from 'ava'
import { Type } from 'typebox'
import { defineProblems } from '../../../kernel/base/problem.ts'
import { listOf, Nullable, Timestamp } from '../../../kernel/base/schema.ts'
import { reply, route } from '../../../kernel/contract/route.ts'
import { ada, startTestServer, type TestServer, useTestServer } from './fixtures.ts'

const test = anyTest as TestFn<{ server: TestServer }>
const problems = defineProblems({ note_locked: [409, 'The note {id} is locked.', { until: Type.String() }] })

const Person = Type.Object({
  id: Type.String(),
  at: Nullable(Timestamp),
  tags: Type.Array(Type.Union([Type.String(), Type.Integer()])),
  more: Type.Optional(Type.Record(Type.String(), Type.String())),
})
const Shape = Type.Union([
  Type.Object({ kind: Type.Literal('round'), radius: Type.Number() }),
  Type.Object({ kind: Type.Literal('square'), side: Type.Number() }),
])
const secret = 'never-to-leave'
const isLocked = () => Promise.reject(problems.note_locked({ id: 'a' }, { until: 'later' }))
const get = { method: 'get', allow: 'public' } as const

useTestServer(test, () =>
  startTestServer({
    problems,
    routes: [
      route({
        ...get,
        path: '/sameorigin',
        replies: { 200: null },
        handle: async () => reply(200, undefined, { 'referrer-policy': 'same-origin' }),
      }),
      route({
        ...get,
        path: '/person',
        query: Type.Object({ token: Type.Optional(Type.String()) }),
        replies: { 200: Person },
        handle: async () => ({ id: 'a', at: null, tags: ['x', 1], more: { k: 'v' }, passwordHash: secret }),
      }),
      route({
        ...get,
        path: '/shapes',
        replies: { 200: listOf(Shape) },
        handle: async () => ({
          data: [
            { kind: 'square', side: 2, radius: 1, secret },
            { kind: 'round', radius: 3 },
          ],
          nextCursor: null,
        }),
      }),
      route({ ...get, path: '/odd', replies: { 200: Shape }, handle: async () => ({ kind: 'odd', secret }) }),
      route({
        ...get,
        path: '/date',
        replies: { 200: Type.Object({ at: Timestamp }) },
        handle: async () => ({ at: new Date(0) }),
      }),
      route({
        ...get,
        path: '/tagged',
        replies: { 200: Person },
        handle: async () => reply(200, { id: 'a', at: null, tags: [] }, { etag: '"7"' }),
      }),
      route({
        ...get,
        path: '/text',
        replies: { 200: Type.String() },
        handle: async () => reply(200, 'a,b\r\n', { 'content-type': 'text/csv' }),
      }),
      route({
        ...get,
        path: '/bug',
        replies: { 200: Person },
        handle: async () => Promise.reject(new Error(`select ${secret}`)),
      }),
      route({
        ...get,
        path: '/away',
        replies: { 200: Person },
        handle: async () => Promise.reject(Object.assign(new Error('x'), { code: 'ECONNREFUSED' })),
      }),
      route({ ...get, path: '/undeclared', replies: { 200: Person }, handle: async () => reply(299, {}) }),
      route({
        ...get,
        path: '/locked',
        replies: { 200: Person },
        problems: [problems.note_locked],
        handle: isLocked,
      }),
      route({ ...get, path: '/unlisted', replies: { 200: Person }, handle: isLocked }),
      route({
        method: 'post',
        path: '/people',
        allow: 'notes.note.update',
        replies: { 201: Type.Object({ id: Type.String() }) },
        handle: async ({ request }) =>
          reply(201, { id: request.id }, { location: '/v1/people/a', 'set-cookie': ['a=1', 'b=2'] }),
      }),
    ],
  }),
)

test("never sends fields that the reply schema doesn't name", async t => {
  const { server } = t.context
  const person = await server.get('/v1/person')
  t.deepEqual(person.body, { id: 'a', at: null, tags: ['x', 1], more: { k: 'v' } })
  const shapes = await server.get('/v1/shapes')
  t.deepEqual(shapes.body, {
    data: [
      { kind: 'square', side: 2 },
      { kind: 'round', radius: 3 },
    ],
    nextCursor: null,
  })
  t.deepEqual((await server.get('/v1/date')).body, { at: '1970-01-01T00:00:00.000Z' })
})

test('returns an error for a reply that matches no branch of its union', async t => {
  const { status, text } = await t.context.server.get('/v1/odd')
  t.is(status, 500)
  t.false(text.includes(secret))
})

test('plain values use the first status; replies use their own status and headers', async t => {
  const { status, headers, body } = await t.context.server.send('POST', '/v1/people', undefined, {
    ...ada,
    'x-request-id': 'my-id.1',
  })
  t.is(status, 201)
  t.is(headers.get('location'), '/v1/people/a')
  t.deepEqual(headers.getSetCookie(), ['a=1', 'b=2'])
  t.deepEqual([body.id, headers.get('x-request-id')], ['my-id.1', 'my-id.1'])
})

test('returns 500 for an undeclared status', async t => {
  t.is((await t.context.server.get('/v1/undeclared')).status, 500)
})

test('replaces unsafe request IDs', async t => {
  const { headers } = await t.context.server.get('/v1/health', { 'x-request-id': 'a b' })
  t.regex(headers.get('x-request-id') ?? '', /^req_/)
})

test('returns 304 for a matching ETag', async t => {
  const { server } = t.context
  const first = await server.get('/v1/tagged')
  t.deepEqual([first.headers.get('etag'), first.headers.get('cache-control')], ['"7"', 'private, no-cache'])
  const again = await server.get('/v1/tagged', { 'if-none-match': '"7"' })
  t.deepEqual([again.status, again.text], [304, ''])
})

test('sends text of another type unchanged', async t => {
  const { headers, text } = await t.context.server.get('/v1/text')
  t.deepEqual([headers.get('content-type'), text], ['text/csv', 'a,b\r\n'])
})

test('HEAD returns the headers of GET', async t => {
  const { server } = t.context
  const { length } = (await server.get('/v1/person')).text
  const { status, headers, text } = await server.send('HEAD', '/v1/person', undefined)
  t.deepEqual([status, text, headers.get('content-length')], [200, '', String(length)])
})

test('problems of modules have a code, a detail and extension members', async t => {
  const { status, headers, body } = await t.context.server.get('/v1/locked', { 'x-request-id': 'r1' })
  t.is(status, 409)
  t.is(headers.get('content-type'), 'application/problem+json; charset=utf-8')
  t.deepEqual(body, {
    type: 'https://acme.test/problems#note_locked',
    title: 'Note locked',
    status: 409,
    detail: 'The note a is locked.',
    instance: '/v1/locked',
    code: 'note_locked',
    requestId: 'r1',
    until: 'later',
  })
})

test("warns once about a problem that a route doesn't list", async t => {
  const { server } = t.context
  const returned = []
  for (const path of ['/v1/locked', '/v1/unlisted', '/v1/unlisted']) returned.push((await server.get(path)).body.code)
  t.deepEqual(returned, ['note_locked', 'note_locked', 'note_locked'])
  t.deepEqual(server.http.undeclaredProblems(), ['GET /v1/unlisted: note_locked'])
  const warnings = server.lines.filter(({ msg }) => msg === 'a route returned an undeclared problem')
  t.deepEqual(
    warnings.map(({ method, path, code }) => [method, path, code]),
    [['GET', '/v1/unlisted', 'note_locked']],
  )
})

test("logs unexpected errors and doesn't reveal them", async t => {
  const { server } = t.context
  const { status, text, body } = await server.get('/v1/bug', { 'x-request-id': 'bug-1' })
  t.deepEqual([status, body.code], [500, 'internal'])
  t.false(text.includes(secret))
  t.true(server.lines.some(({ requestId, err }) => requestId === 'bug-1' && JSON.stringify(err).includes(secret)))
})

test('returns 503 with Retry-After while the database is unavailable', async t => {
  const { status, headers, body } = await t.context.server.get('/v1/away')
  t.deepEqual([status, body.code, headers.get('retry-after')], [503, 'unavailable', '2'])
})

test('returns 404 for unknown paths and 405 with Allow for unsupported methods', async t => {
  const { server } = t.context
  const none = await server.get('/v1/nowhere')
  t.deepEqual([none.status, none.body.code], [404, 'not_found'])
  const wrong = await server.send('DELETE', '/v1/person', undefined)
  t.deepEqual([wrong.status, wrong.headers.get('allow')], [405, 'GET, HEAD, OPTIONS'])
  t.is((await server.send('PROPFIND', '/v1/person', undefined)).status, 405)
})

test('allows requests from any origin without credentials', async t => {
  const { server } = t.context
  const origin = { origin: 'https://other.example' }
  const preflight = await server.send('OPTIONS', '/v1/people', undefined, {
    ...origin,
    'access-control-request-method': 'POST',
  })
  t.deepEqual([preflight.status, preflight.headers.get('access-control-allow-methods')], [204, 'POST'])
  t.regex(preflight.headers.get('access-control-allow-headers') ?? '', /authorization.*x-tenant-id/)
  for (const { headers } of [
    preflight,
    await server.get('/v1/person', origin),
    await server.get('/v1/nowhere', origin),
  ]) {
    t.is(headers.get('access-control-allow-origin'), '*')
    t.false(headers.has('access-control-allow-credentials'))
  }
  t.false((await server.get('/v1/person')).headers.has('access-control-allow-origin'))
})

test('sends security headers with every response', async t => {
  const { server } = t.context
  for (const path of ['/v1/person', '/v1/nowhere', '/docs', '/problems']) {
    const { headers } = await server.get(path)
    t.is(headers.get('x-content-type-options'), 'nosniff', path)
    t.is(headers.get('referrer-policy'), 'no-referrer', path)
    t.regex(headers.get('strict-transport-security') ?? '', /max-age/, path)
    t.regex(headers.get('content-security-policy') ?? '', /default-src/, path)
    t.is(headers.get('x-powered-by'), null)
  }
})

test('headers of the handler replace default ones', async t => {
  const { headers } = await t.context.server.get('/v1/sameorigin')
  t.is(headers.get('referrer-policy'), 'same-origin')
  t.is(headers.get('x-content-type-options'), 'nosniff')
})

test('logs one line per request, without query and secrets', async t => {
  const { server } = t.context
  await server.send('POST', '/v1/people', undefined, { ...ada, 'x-request-id': 'line-1' })
  await server.get('/v1/person?token=hidden', {
    'x-request-id': 'line-2',
    authorization: 'Bearer dt_ada',
    traceparent: '00-aa-bb-01',
  })
  const lines = server.lines.filter(({ requestId }) => requestId === 'line-1' || requestId === 'line-2')
  t.is(lines.length, 2)
  t.like(lines[1], {
    method: 'GET',
    path: '/v1/person',
    status: 200,
    principal: 'lgn_2',
    tenant: 'ten_acme',
    trace: '00-aa-bb-01',
  })
  t.false(JSON.stringify(server.lines).includes('hidden'))
  t.false(JSON.stringify(server.lines).includes('dt_ada'))
  t.false(JSON.stringify(server.lines).includes('ada-cookie'))
})
