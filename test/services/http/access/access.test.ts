import anyTest, { type TestFn } from 'ava'
import { Type } from 'typebox'
import { route } from '../../../../kernel/contract/route.ts'
import type { Allow } from '../../../../kernel/internal.ts'
import { acme, ada, bearer, cookie, key, startTestServer, type TestServer, useTestServer } from '../fixtures.ts'

const test = anyTest as TestFn<{ server: TestServer }>

const Seen = Type.Object({
  user: Type.Optional(Type.String()),
  tenant: Type.Optional(Type.String()),
  granted: Type.String(),
  credential: Type.Optional(Type.String()),
})
const show = <const A extends Allow>(method: 'get' | 'post', path: `/${string}`, allow: A, apiKeys = true) =>
  route({
    method,
    path,
    allow,
    apiKeys,
    replies: { 200: Seen },
    handle: async ({ caller, tenantId, granted }) => ({
      user: caller?.userId,
      tenant: tenantId,
      granted,
      credential: caller?.credential,
    }),
  })

useTestServer(test, () =>
  startTestServer({
    routes: [
      show('get', '/notes', 'notes.note.read'),
      show('post', '/notes', 'notes.note.update'),
      show('get', '/me', 'user'),
      show('get', '/account', 'user', false),
      show('get', '/open', 'public'),
      show('post', '/open', 'public'),
      show('post', '/join', ['notes.note.update', 'joinToken']),
      show('get', '/recipe', 'platform.recipe.read'),
    ],
  }),
)

test('returns 401 for missing and invalid credentials', async t => {
  const { server } = t.context
  const wrong: Record<string, string>[] = [
    {},
    { cookie: 'platform_session=forged' },
    { authorization: 'Bearer dt_x' },
    { 'x-api-key': '' },
  ]
  for (const headers of wrong) {
    const { status, body, headers: received } = await server.get('/v1/notes', headers)
    t.is(status, 401)
    t.is(received.get('www-authenticate'), 'Bearer realm="api"')
    t.is(body.code, 'unauthenticated')
  }
})

test('requires the tenant header with a cookie, as ID or slug', async t => {
  const { server } = t.context
  const missing = await server.get('/v1/notes', cookie)
  t.deepEqual([missing.status, missing.body.code], [400, 'tenant_required'])
  for (const tenant of ['ten_acme', 'acme']) {
    const { body } = await server.get('/v1/notes', { ...cookie, 'x-tenant-id': tenant })
    t.deepEqual(body, { user: 'usr_ada', tenant: 'ten_acme', granted: 'notes.note.read', credential: 'cookie' })
  }
})

test('ignores the tenant cookie on API requests', async t => {
  const { status } = await t.context.server.get('/v1/notes', {
    cookie: 'platform_session=ada-cookie; platform_tenant=ten_acme',
  })
  t.is(status, 400)
})

test('returns the same response for another tenant and an unknown one', async t => {
  const { server } = t.context
  const answers = await Promise.all(
    ['ten_bolt', 'bolt', 'ten_nowhere'].map(tenant => server.get('/v1/notes', { ...cookie, 'x-tenant-id': tenant })),
  )
  for (const { status, body } of answers) t.deepEqual([status, body.code], [403, 'not_a_member'])
  t.is(new Set(answers.map(({ body }) => body.detail)).size, 1)
})

test('uses the home tenant of a bearer token unless the header names another', async t => {
  const { server } = t.context
  t.is((await server.get('/v1/notes', bearer)).body.tenant, 'ten_acme')
  t.is((await server.get('/v1/notes', { ...bearer, 'x-tenant-id': 'ten_second' })).body.tenant, 'ten_second')
})

test('binds an API key to its tenant and permissions', async t => {
  const { server } = t.context
  const own = await server.get('/v1/notes', key)
  t.deepEqual([own.body.tenant, own.body.credential], ['ten_acme', 'apiKey'])
  const elsewhere = await server.get('/v1/notes', { ...key, 'x-tenant-id': 'ten_second' })
  t.deepEqual([elsewhere.status, elsewhere.body.code], [403, 'not_a_member'])
  const more = await server.send('POST', '/v1/notes', {}, key)
  t.deepEqual([more.status, more.body.requiredPermission], [403, 'notes.note.update'])
  const account = await server.get('/v1/account', key)
  t.deepEqual([account.status, account.body.code], [403, 'api_key_refused'])
})

test('names the missing permission', async t => {
  const { status, body } = await t.context.server.send(
    'POST',
    '/v1/notes',
    {},
    { ...cookie, 'x-tenant-id': 'ten_second' },
  )
  t.deepEqual([status, body.code, body.requiredPermission], [403, 'forbidden', 'notes.note.update'])
})

test('a tenant role with * grants no platform permissions', async t => {
  const { server } = t.context
  t.is((await server.get('/v1/recipe', bearer)).status, 403)
  t.is((await server.get('/v1/recipe', { authorization: 'Bearer dt_op' })).status, 200)
})

test('`user` routes accept requests with and without a tenant', async t => {
  const { server } = t.context
  t.deepEqual((await server.get('/v1/me', cookie)).body, { user: 'usr_ada', granted: 'user', credential: 'cookie' })
  t.is((await server.get('/v1/me', { ...cookie, ...acme })).body.tenant, 'ten_acme')
  t.is((await server.get('/v1/me', { ...cookie, 'x-tenant-id': 'bolt' })).status, 403)
})

test('public routes identify their caller and ignore invalid credentials', async t => {
  const { server } = t.context
  t.deepEqual((await server.get('/v1/open', bearer)).body, {
    user: 'usr_ada',
    tenant: 'ten_acme',
    granted: 'public',
    credential: 'bearer',
  })
  t.deepEqual((await server.get('/v1/open', { authorization: 'Bearer dt_x' })).body, { granted: 'public' })
})

test('any value of an `allow` list grants access, permissions first', async t => {
  const { server } = t.context
  t.is((await server.send('POST', '/v1/join', {}, bearer)).body.granted, 'notes.note.update')
  t.is((await server.send('POST', '/v1/join', {}, key)).body.granted, 'joinToken')
  t.is((await server.send('POST', '/v1/join', {})).body.granted, 'joinToken')
})

test('rejects cross-site writes with a cookie; public routes ignore the cookie', async t => {
  const { server } = t.context
  const foreign = { origin: 'https://evil.example' }
  const { status, body } = await server.send('POST', '/v1/notes', {}, { ...ada, ...foreign })
  t.deepEqual([status, body.code], [403, 'cross_site'])
  t.is((await server.send('POST', '/v1/notes', {}, { ...ada, origin: 'https://acme.test' })).status, 200)
  t.is((await server.send('POST', '/v1/notes', {}, { ...bearer, ...foreign })).status, 200)
  t.deepEqual((await server.send('POST', '/v1/open', {}, { ...cookie, ...foreign })).body, { granted: 'public' })
})

test('requests that read share a cached caller, whose precondition is verified; requests that write do not', async t => {
  const server = await startTestServer({
    routes: [show('get', '/notes', 'notes.note.read'), show('post', '/notes', 'notes.note.update')],
  })
  t.teardown(server.stop)
  for (let times = 0; times < 3; times++) t.is((await server.get('/v1/notes', ada)).status, 200)
  t.deepEqual(server.lookUps, { authentications: 1, preconditions: 2 })
  for (let times = 0; times < 3; times++) t.is((await server.send('POST', '/v1/notes', {}, ada)).status, 200)
  t.deepEqual(server.lookUps, { authentications: 4, preconditions: 2 })
})

test('the handler of a write runs once, even if rights change during the request', async t => {
  let runs = 0
  const change = route({
    method: 'post',
    path: '/notes',
    allow: 'notes.note.update',
    replies: { 200: Seen },
    handle: async ({ granted }) => {
      runs++
      server.members.delete('usr_ada ten_acme')
      return { granted }
    },
  })
  const server = await startTestServer({ routes: [change] })
  t.teardown(server.stop)
  t.is((await server.send('POST', '/v1/notes', {}, ada)).status, 200)
  t.is((await server.send('POST', '/v1/notes', {}, ada)).status, 403)
  t.is(runs, 1)
})

test('applies changes of a caller from the next request', async t => {
  const server = await startTestServer({ routes: [show('get', '/notes', 'notes.note.read')] })
  t.teardown(server.stop)
  t.is((await server.get('/v1/notes', ada)).status, 200)
  t.is((await server.get('/v1/notes', ada)).status, 200)
  const member = server.members.get('usr_ada ten_acme')
  server.members.delete('usr_ada ten_acme')
  t.is((await server.get('/v1/notes', ada)).status, 403)
  if (member) server.members.set('usr_ada ten_acme', member)
  t.is((await server.get('/v1/notes', ada)).status, 200)
})
