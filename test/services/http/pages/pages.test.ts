import anyTest, { type TestFn } from 'ava'
import { page, rawRoute } from '../../../../kernel/contract/route.ts'
import { bearer, cookie, startTestServer, type TestServer, useTestServer } from '../fixtures.ts'

const test = anyTest as TestFn<{ server: TestServer }>
const html = { accept: 'text/html' }
const ours = { origin: 'https://acme.test', 'content-type': 'application/x-www-form-urlencoded' }

useTestServer(test, () =>
  startTestServer({
    pages: [
      {
        page: page({
          name: 'notes.sign-in',
          path: '/sign-in',
          title: 'Sign in',
          allow: 'public',
          load: async ({ query, locale }) => ({ data: { next: query.next ?? null, locale } }),
          post: async ({ form }) => ({ redirect: `/hello?name=${form.name}`, headers: { 'set-cookie': 'a=1' } }),
        }),
      },
      {
        page: page({
          name: 'notes.list',
          path: '/notes/:id',
          title: 'Notes',
          allow: 'notes.note.read',
          load: async ({ params, tenantId }) => ({ data: { id: params.id, tenantId } }),
        }),
      },
    ],
    rawRoutes: [
      rawRoute({
        method: 'put',
        path: '/v1/files/:name',
        allow: 'notes.note.update',
        handle: async (request, response, { tenantId }) => {
          let size = 0
          for await (const chunk of request) size += (chunk as Buffer).length
          response.status(201).json({ size, name: request.params.name, tenantId })
        },
      }),
      rawRoute({
        method: 'post',
        path: '/v1/broken',
        allow: 'public',
        handle: async () => Promise.reject(new Error('raw bug')),
      }),
    ],
  }),
)

test('renders pages with the theme, locale and nonce', async t => {
  const { status, text, headers } = await t.context.server.get('/sign-in?next=/x', { 'accept-language': 'de' })
  t.is(status, 200)
  t.regex(text, /^<h1>Sign in<\/h1>\{"next":"\/x","locale":"de"\} de /)
  const nonce = /nonce="([^"]+)"/.exec(text)?.[1] ?? ''
  t.true(headers.get('content-security-policy')?.includes(`'nonce-${nonce}'`))
  t.is(headers.get('content-type'), 'text/html; charset=utf-8')
})

test('redirects browsers to sign-in and returns 401 to other clients', async t => {
  const { server } = t.context
  const browser = await server.get('/notes/1?x=2', html)
  t.deepEqual([browser.status, browser.headers.get('location')], [303, '/sign-in?next=%2Fnotes%2F1%3Fx%3D2'])
  t.deepEqual((await server.get('/notes/1')).body.code, 'unauthenticated')
})

test("the tenant cookie selects among the reader's tenants only", async t => {
  const { server } = t.context
  const at = async (tenant: string) => {
    const { text } = await server.get('/notes/1', { cookie: `${cookie.cookie}; platform_tenant=${tenant}` })
    return /"tenantId":"(\w+)"/.exec(text)?.[1]
  }
  t.deepEqual(
    [await at('ten_second'), await at('ten_bolt'), await at('nowhere')],
    ['ten_second', 'ten_acme', 'ten_acme'],
  )
})

test('accepts form posts from this origin only', async t => {
  const { server } = t.context
  const post = (headers: Record<string, string>) => server.send('POST', '/sign-in', 'name=Ada', headers)
  const { status, headers } = await post(ours)
  t.deepEqual([status, headers.get('location'), headers.get('set-cookie')], [303, '/hello?name=Ada', 'a=1'])
  for (const origin of ['https://evil.example', 'null']) t.is((await post({ ...ours, origin })).status, 403)
  t.is((await post({ 'content-type': ours['content-type'] })).status, 403)
  t.is((await post({ ...ours, 'content-type': 'text/plain' })).status, 415)
})

test('reads forms in UTF-8 only', async t => {
  const { server } = t.context
  const post = (charset: string) =>
    server.send('POST', '/sign-in', 'name=Ada', { ...ours, 'content-type': `${ours['content-type']}; ${charset}` })
  for (const charset of ['charset=UTF-8', 'charset="utf8"', 'charset=', 'boundary=x'])
    t.is((await post(charset)).status, 303, charset)
  t.is((await post('charset=iso-8859-1')).status, 415)
})

test('a form of more than 1,000 fields is malformed', async t => {
  const send = (count: number) =>
    fetch(`${t.context.server.url}/sign-in`, {
      method: 'POST',
      headers: ours,
      body: 'name=x&'.repeat(count - 1),
      redirect: 'manual',
    })
  t.is((await send(1000)).status, 303)
  t.is((await send(1001)).status, 400)
})

test('sends errors as pages to browsers and as problem documents under /v1', async t => {
  const { server } = t.context
  t.deepEqual((await server.get('/nowhere', html)).text, '<h1>problem not_found</h1>')
  t.is((await server.get('/nowhere')).body.code, 'not_found')
  t.is((await server.get('/v1/nowhere', html)).body.code, 'not_found')
})

test('authorizes raw routes, which then read the bytes', async t => {
  const { server } = t.context
  const put = (headers: Record<string, string>) =>
    server.send('PUT', '/v1/files/a.bin', Buffer.alloc(3_000_000), headers)
  t.is((await put({})).status, 401)
  t.is((await put({ ...cookie, 'x-tenant-id': 'ten_second' })).status, 403)
  const { status, body, headers } = await put({ ...bearer, 'x-request-id': 'raw-1' })
  t.is(status, 201)
  t.deepEqual(body, { size: 3_000_000, name: 'a.bin', tenantId: 'ten_acme' })
  t.deepEqual([headers.get('x-request-id'), headers.get('x-content-type-options')], ['raw-1', 'nosniff'])
  t.true(server.lines.some(line => line.requestId === 'raw-1' && line.status === 201))
})

test('sends one problem document if a raw route throws', async t => {
  const { server } = t.context
  const { status, body } = await server.send('POST', '/v1/broken', {}, { 'x-request-id': 'raw-2' })
  t.deepEqual([status, body.code], [500, 'internal'])
  t.is(server.lines.filter(({ requestId, msg }) => requestId === 'raw-2' && msg === 'request').length, 1)
})
