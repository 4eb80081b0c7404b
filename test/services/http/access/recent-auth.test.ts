import anyTest, { type TestFn } from 'ava'
import { MINUTE } from '../../../../kernel/base/units.ts'
import { page, route } from '../../../../kernel/contract/route.ts'
import type { Authenticator } from '../../../../kernel/internal.ts'
import { startTestServer, type TestServer, useTestServer } from '../fixtures.ts'

const test = anyTest as TestFn<{ server: TestServer }>
const NOW = Date.UTC(2026, 0, 1, 12)
const html = { accept: 'text/html' }
const form = { origin: 'https://acme.test', 'content-type': 'application/x-www-form-urlencoded' }
const proved = (minutesAgo: number) => ({ cookie: `platform_session=${minutesAgo}` })
const apiKey = { 'x-api-key': 'any' }

const MEMBERSHIP = { tenantId: 'ten_acme', memberId: 'mem_1', roles: [], permissions: [], platformPermissions: [] }
/** The secret of a cookie is how many minutes ago the person proved who they are. */
const authenticator: Authenticator = {
  signInPath: '/sign-in',
  reauthenticationPath: '/confirm',
  async authenticate({ kind, secret }) {
    const isKey = kind === 'apiKey'
    const principal = {
      kind: isKey ? ('apiKey' as const) : ('login' as const),
      id: 'prn_1',
      userId: 'usr_ada',
      homeTenantId: null,
      expiresAt: null,
      permissions: null,
      ...(!isKey && { authenticatedAt: new Date(NOW - Number(secret) * MINUTE).toISOString() }),
    }
    return { principal, membership: MEMBERSHIP, precondition: () => ({ condition: 'true', values: [] }) }
  },
}
const confirmPage = page({
  name: 'notes.confirm',
  path: '/confirm',
  title: 'Confirm',
  allow: 'user',
  load: async () => ({ data: {} }),
})
const vault = { title: 'Vault', allow: 'user' } as const
const done = async () => ({ data: { done: true } })

useTestServer(test, () =>
  startTestServer(
    {
      routes: [
        route({
          method: 'delete',
          path: '/vault',
          allow: 'user',
          recentAuth: '10m',
          replies: { 204: null },
          handle: async () => {},
        }),
        route({
          method: 'delete',
          path: '/notice',
          allow: 'public',
          recentAuth: '10m',
          replies: { 204: null },
          handle: async () => {},
        }),
      ],
      pages: [
        { page: confirmPage },
        { page: page({ ...vault, name: 'notes.vault', path: '/vault', recentAuth: '10m', load: done }) },
        {
          page: page({
            ...vault,
            name: 'notes.keys',
            path: '/keys',
            recentAuth: { within: '10m', forms: ({ intent }) => intent === 'create' },
            load: done,
            post: done,
          }),
        },
      ],
    },
    { authenticator, clock: { now: () => NOW } },
  ),
)

test('a route with `recentAuth` refuses a person whose proof is older', async t => {
  const { server } = t.context
  t.is((await server.send('DELETE', '/v1/vault', undefined, { ...proved(9), ...form })).status, 204)
  const { status, body } = await server.send('DELETE', '/v1/vault', undefined, { ...proved(10), ...form })
  t.is(status, 403)
  t.is(body.code, 'reauthentication_required')
  t.regex(String(body.detail), /within 10 minutes/)
})

test('a route with `recentAuth` does not ask an API key', async t => {
  t.is((await t.context.server.send('DELETE', '/v1/vault', undefined, apiKey)).status, 204)
})

test('a public route with `recentAuth` refuses anonymous callers', async t => {
  const { server } = t.context
  t.is((await server.send('DELETE', '/v1/notice', undefined, { ...proved(9), ...form })).status, 204)
  t.is((await server.send('DELETE', '/v1/notice', undefined)).status, 401)
})

test('a page with `recentAuth` leads to the page that asks, and names itself', async t => {
  const { server } = t.context
  t.is((await server.get('/vault', { ...proved(9), ...html })).status, 200)
  const old = await server.get('/vault?tab=1', { ...proved(10), ...html })
  t.deepEqual([old.status, old.headers.get('location')], [303, '/confirm?next=%2Fvault%3Ftab%3D1'])
})

test('a page asks for the forms that need a recent proof only', async t => {
  const { server } = t.context
  const post = (intent: string, minutesAgo: number) =>
    server.send('POST', '/keys', `intent=${intent}`, { ...proved(minutesAgo), ...form, ...html })
  t.is((await server.get('/keys', { ...proved(10), ...html })).status, 200)
  t.is((await post('delete', 10)).status, 200)
  t.is((await post('create', 9)).status, 200)
  t.is((await post('create', 10)).headers.get('location'), '/confirm?next=%2Fkeys')
})
