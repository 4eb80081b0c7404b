import { connect } from 'node:net'
import { gzipSync } from 'node:zlib'
import anyTest, { type TestFn } from 'ava'
import { Type } from 'typebox'
import { idPattern } from '../../../../kernel/base/ids.ts'
import type { FieldError } from '../../../../kernel/base/problem.ts'
import { listQuery, Nullable, OneOf } from '../../../../kernel/base/schema.ts'
import { route } from '../../../../kernel/contract/route.ts'
import { startTestServer, type TestResponse, type TestServer, useTestServer } from '../fixtures.ts'

const test = anyTest as TestFn<{ server: TestServer }>

const Note = Type.Object({
  title: Type.String({ minLength: 1, maxLength: 10 }),
  kind: Type.Optional(OneOf(['plain', 'rich'])),
  parent: Type.Optional(Nullable(Type.String())),
  count: Type.Optional(Type.Integer({ maximum: 100 })),
  place: Type.Optional(Type.Object({ lat: Type.Number() })),
  extra: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
})
const Shelf = Type.Object({
  id: Type.String({ pattern: idPattern('shf') }),
  key: Type.String({ pattern: '^[a-z]+$', examples: ['upper-left'] }),
  label: Type.String({ minLength: 1, pattern: '\\S' }),
  size: Type.Unsafe<number | string>({ type: ['number', 'string', 'boolean'] }),
  code: Type.String({ pattern: '^[0-9]+$' }),
})
const both = Type.Intersect([Type.Object({ a: Type.String() }), Type.Object({ b: Type.Optional(Type.String()) })])
const Echo = Type.Object({ value: Type.Unknown() })

useTestServer(test, () =>
  startTestServer({
    routes: [
      route({
        method: 'post',
        path: '/notes',
        allow: 'public',
        body: Note,
        bodyLimit: 1_000_000,
        replies: { 200: Echo },
        handle: async ({ body }) => ({ value: body }),
      }),
      route({
        method: 'post',
        path: '/both',
        allow: 'public',
        body: both,
        replies: { 200: Echo },
        handle: async ({ body }) => ({ value: body }),
      }),
      route({
        method: 'post',
        path: '/free',
        allow: 'public',
        body: Type.Object({ token: Type.Optional(Type.String()) }),
        replies: { 200: Echo },
        handle: async ({ body }) => ({ value: body }),
      }),
      route({
        method: 'post',
        path: '/shelves',
        allow: 'public',
        body: Shelf,
        replies: { 200: Echo },
        handle: async ({ body }) => ({ value: body }),
      }),
      route({ method: 'post', path: '/end', allow: 'public', replies: { 204: null }, handle: async () => undefined }),
      route({
        method: 'get',
        path: '/notes',
        allow: 'public',
        query: listQuery({
          sort: Type.Optional(OneOf(['createdAt', '-createdAt'])),
          draft: Type.Optional(Type.Boolean()),
          tag: Type.Optional(Type.Array(Type.String())),
        }),
        replies: { 200: Echo },
        handle: async ({ query }) => ({ value: query }),
      }),
      route({
        method: 'get',
        path: '/notes/:id',
        allow: 'public',
        replies: { 200: Echo },
        handle: async ({ params }) => ({ value: params.id }),
      }),
      route({
        method: 'get',
        path: '/notes/latest',
        allow: 'public',
        replies: { 200: Echo },
        handle: async () => ({ value: 'static' }),
      }),
    ],
  }),
)

const errorsOf = ({ body }: TestResponse) =>
  ((body.errors ?? []) as FieldError[]).map(({ pointer, code }) => `${pointer} ${code}`).toSorted()

test('reports all invalid and unknown fields of a body', async t => {
  const answer = await t.context.server.send('POST', '/v1/notes', {
    title: 'far too long a title',
    kind: 'odd',
    parent: 5,
    count: 1.5,
    place: { lat: 'x', lon: 1 },
    'a/b~c': 1,
  })
  t.is(answer.status, 422)
  t.deepEqual(errorsOf(answer), [
    '/a~1b~0c unknown_field',
    '/count wrong_type',
    '/kind not_allowed',
    '/parent wrong_type',
    '/place/lat wrong_type',
    '/place/lon unknown_field',
    '/title too_long',
  ])
  t.false(answer.text.includes('far too long a title'))
})

test('reports the expected format of a text', async t => {
  const body = { id: 'shf_7', key: 'Upper left', label: ' ', size: null, code: 'x' }
  const answer = await t.context.server.send('POST', '/v1/shelves', body)
  t.is(answer.status, 422)
  const { errors } = answer.body as { errors: FieldError[] }
  t.deepEqual(Object.fromEntries(errors.map(({ pointer, detail }) => [pointer, detail])), {
    '/id': 'must be an ID: shf_ followed by 26 letters and digits',
    '/key': 'must be a value such as upper-left',
    '/label': 'must not be blank',
    '/size': 'must be a number, a text or true or false',
    '/code': 'must match the pattern ^[0-9]+$',
  })
})

test('bodies are not coerced', async t => {
  t.deepEqual(errorsOf(await t.context.server.send('POST', '/v1/notes', { title: 'a', count: '5' })), [
    '/count wrong_type',
  ])
  t.deepEqual((await t.context.server.send('POST', '/v1/notes', { title: 'a', parent: null })).body, {
    value: { title: 'a', parent: null },
  })
})

test('intersections accept only the fields of their parts', async t => {
  const { server } = t.context
  t.is((await server.send('POST', '/v1/both', { a: 'x', b: 'y' })).status, 200)
  t.deepEqual(errorsOf(await server.send('POST', '/v1/both', { a: 'x', c: 'y' })), ['/c unknown_field'])
})

test('a missing body is invalid if fields are required, and empty otherwise', async t => {
  const { server } = t.context
  const none = await server.send('POST', '/v1/notes', undefined)
  t.is(none.status, 422)
  t.deepEqual((await server.send('POST', '/v1/free', undefined)).body, { value: {} })
  t.is((await server.send('POST', '/v1/end', undefined)).status, 204)
  t.is((await server.send('POST', '/v1/end', { ignored: true })).status, 204)
})

test('queries are coerced and completed with defaults', async t => {
  const { server } = t.context
  t.deepEqual((await server.get('/v1/notes?limit=5&draft=true&tag=a')).body, {
    value: { limit: 5, draft: true, tag: ['a'] },
  })
  t.deepEqual((await server.get('/v1/notes?tag=a&tag=b')).body, { value: { limit: 50, tag: ['a', 'b'] } })
})

test('returns 422 for invalid query values, 400 for unknown parameters and sort fields', async t => {
  const { server } = t.context
  for (const query of ['limit=0', 'limit=x', 'limit=1e400', 'limit=1&limit=2', 'draft=maybe', 'cursor=%00']) {
    const answer = await server.get(`/v1/notes?${query}`)
    t.is(answer.status, 422, query)
    t.true(
      errorsOf(answer).every(error => error.startsWith('query/')),
      query,
    )
  }
  for (const query of ['nope=1', 'sort=secret', 'filter[x]=1', '__proto__=1', 'constructor=1', 'limit=%ff'])
    t.is((await server.get(`/v1/notes?${query}`)).status, 400, query)
  t.is((await server.get('/v1/notes/x?surprise=1')).status, 400)
})

test('static paths precede parameters; invalid parameters are 4xx', async t => {
  const { server } = t.context
  t.deepEqual((await server.get('/v1/notes/latest')).body, { value: 'static' })
  t.deepEqual((await server.get('/v1/notes/a%2Fb')).body, { value: 'a/b' })
  t.is((await server.get('/v1/notes/%00')).status, 422)
  t.is((await server.get('/v1/notes/%ff')).status, 400)
  t.is((await server.get(`/v1/notes/${'x'.repeat(600)}`)).status, 404)
})

test('rejects hostile JSON before the handler', async t => {
  const { server } = t.context
  const hostile: [body: string | Buffer, status: number][] = [
    ['{"title":"a\\u0000"}', 422],
    ['{"title":"\\ud800"}', 422],
    ['{"title":"a","extra":{"x":1e400}}', 422],
    ['{"title":"a","extra":{"__proto__":{"admin":true}}}', 422],
    ['{"title":"a","title":"b"}', 400],
    [`{"title":"a","extra":{"x":${'['.repeat(49_000)}${']'.repeat(49_000)}}}`, 400],
    [Buffer.from([0x7b, 0xff, 0x7d]), 400],
    ['{"title"', 400],
    ['null', 422],
    ['[]', 422],
    ['"text"', 422],
  ]
  for (const [body, status] of hostile) {
    const answer = await server.send('POST', '/v1/notes', body)
    t.is(answer.status, status, body.toString('utf8').slice(0, 60))
    t.is(answer.headers.get('content-type'), 'application/problem+json; charset=utf-8')
  }
})

test('returns 415 for other media types and compressed bodies', async t => {
  const { server } = t.context
  for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data'])
    t.is((await server.send('POST', '/v1/notes', '{"title":"a"}', { 'content-type': type })).status, 415, type)
  const zipped = gzipSync('{"title":"a"}')
  t.is((await server.send('POST', '/v1/notes', zipped, { 'content-encoding': 'gzip' })).status, 415)
})

for (const type of [
  'application/json',
  'Application/JSON; charset=UTF-8',
  'application/json;charset="utf-8"',
  'application/json; charset=utf8',
  'application/json; charset="UTF8"',
  "application/json; charset='utf-8'",
  'application/json ; Charset = unicode-1-1-utf-8',
  'application/json; charset=us-ascii',
  'application/json; charset=utf-8; boundary=x',
  'application/json; odata=verbose; charset=utf8;',
  'application/json;',
])
  test(`reads JSON of the type ${type}`, async t => {
    const { status } = await t.context.server.send('POST', '/v1/notes', '{"title":"ä"}', { 'content-type': type })
    t.is(status, 200)
  })

for (const type of [
  'application/json; charset=utf-16',
  'application/json; charset="iso-8859-1"',
  'application/json; charset=klingon',
  'application/jsonp',
  'text/json',
  'text/plain; application/json',
  'text/plain, application/json',
])
  test(`refuses JSON of the type ${type}`, async t => {
    const { status, body } = await t.context.server.send('POST', '/v1/notes', '{"title":"a"}', { 'content-type': type })
    t.deepEqual([status, body.code], [415, 'unsupported_media_type'])
  })

test('returns 413 for bodies over the limit, announced or not', async t => {
  const { server } = t.context
  const large = JSON.stringify({ title: 'x'.repeat(1024 * 1024) })
  const { status, body } = await server.send('POST', '/v1/notes', large)
  t.deepEqual([status, body.code], [413, 'body_too_large'])
  const chunked = new ReadableStream({
    start(controller) {
      for (let at = 0; at < 20; at++) controller.enqueue(Buffer.alloc(100_000, 0x20))
      controller.close()
    },
  })
  const answer = await fetch(`${server.url}/v1/notes`, {
    method: 'POST',
    body: chunked,
    duplex: 'half',
    headers: { 'content-type': 'application/json' },
  })
  t.is(answer.status, 413)
})

test("an incomplete body doesn't affect other requests", async t => {
  const { server } = t.context
  const socket = connect(server.port, '127.0.0.1')
  socket.write(
    'POST /v1/notes HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{"ti',
  )
  await new Promise(resolve => setTimeout(resolve, 50))
  socket.destroy()
  t.is((await server.get('/v1/health')).status, 200)
})
