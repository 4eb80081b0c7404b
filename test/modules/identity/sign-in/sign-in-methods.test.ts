import { fileURLToPath } from 'node:url'
import test from 'ava'
import { MINUTE } from '../../../../kernel/base/units.ts'
import { linkToken } from '../../../../modules/identity/domain/links.ts'
import { createSignInMethods } from '../../../../modules/identity/sign-in/sign-in-methods.ts'
import { type Person, startTestKernel, TEST_PASSWORD, type TestKernel } from '../../../../testing/index.ts'
import { codeOf, createTestClock, newEmail } from '../fixtures.ts'
import { PROVIDER } from './badges/module.ts'

const use = fileURLToPath(new URL('./badges/module.js', import.meta.url))
const start = (options: object = {}) =>
  startTestKernel({ recipe: { modules: { identity: {}, comms: {}, badges: { use, options } } }, clock })
const clock = createTestClock()

let kernel: TestKernel
let ada: Person
test.before(async () => {
  kernel = await start()
  ada = await kernel.register(newEmail('ada'))
  const token = linkToken(kernel.kernel.ports.secrets, 'verify_email', { id: ada.userId, version: 1 })
  await ada.post('/v1/auth/verify-email', { token })
})
test.after.always(() => kernel?.stop())

const HTML = { accept: 'text/html' }
const cookiesOf = (headers: Headers) => headers.getSetCookie().map(cookie => cookie.split(';')[0] as string)
const cookieOf = (headers: Headers, name: string) => cookiesOf(headers).find(cookie => cookie.startsWith(`${name}=`))
const locationOf = ({ headers }: { headers: Headers }) => headers.get('location') ?? ''

/** Opens a sign-in in a browser. Returns its cookie and the state that the provider got. */
async function startSignIn(query = '') {
  const started = await kernel.get<never>(`/sign-in/acme-id${query}`, { headers: HTML })
  const cookie = cookieOf(started.headers, 'platform_sign_in') ?? ''
  return { status: started.status, location: locationOf(started), headers: started.headers, cookie }
}
const stateOf = ({ location }: { location: string }) => new URL(location).searchParams.get('state') ?? ''
function complete(cookie: string, state: string, user: object) {
  const query = new URLSearchParams({ state, code: JSON.stringify(user) })
  return kernel.get<string>(`/sign-in/acme-id/callback?${query}`, { headers: { ...HTML, cookie } })
}
const whoIs = async (cookie: string | undefined) =>
  (await kernel.with({ cookie: cookie ?? '' }).get<{ user?: { id: string } }>('/v1/auth/me')).body.user?.id ?? null

test("a module's strategy verifies a token and signs the user in", async t => {
  const signedIn = await kernel.post<Record<string, never>>('/v1/auth/login/badge', { badge: `badge-${ada.userId}` })
  t.is(signedIn.status, 200)
  t.like(signedIn.body, { user: { id: ada.userId }, workspace: { id: ada.tenantId }, expiresIn: 7 * 24 * 3600 })
  t.is((await kernel.as(String(signedIn.body.token)).get('/v1/auth/me')).status, 200)
  t.is(await whoIs(cookieOf(signedIn.headers, 'platform_session')), ada.userId)
  t.truthy(cookieOf(signedIn.headers, 'platform_device'))
})

test('signs a user in with a method that needs no strategy', async t => {
  const signedIn = await kernel.post<Record<string, never>>('/v1/auth/login/plate', { plate: `plate-${ada.userId}` })
  t.is(signedIn.status, 200)
  t.is(await whoIs(cookieOf(signedIn.headers, 'platform_session')), ada.userId)
  t.is(codeOf(await kernel.post('/v1/auth/login/plate', { plate: 'wrong' })), '401 invalid_credentials')
})

test('hands the received request to a strategy that verifies', async t => {
  const { status, headers } = await kernel
    .with({ 'x-reader': 'door', 'x-door': ada.userId })
    .post('/v1/auth/login/badge', { badge: 'any' })
  t.is(status, 200)
  t.is(await whoIs(cookieOf(headers, 'platform_session')), ada.userId)
})

test('rejects a token that the strategy rejects, and an account that does not exist', async t => {
  for (const badge of ['wrong', 'badge-usr_00000000000000000000000000'])
    t.is(codeOf(await kernel.post('/v1/auth/login/badge', { badge })), '401 invalid_credentials', badge)
})

test('an error of a strategy is a server error, not a rejected sign-in', async t => {
  const body = { badge: `badge-${ada.userId}` }
  for (const reader of ['broken', 'lost'])
    t.is(codeOf(await kernel.with({ 'x-reader': reader }).post('/v1/auth/login/badge', body)), '500 internal', reader)
})

test('answers 404 for a method that does not exist, or that has another flow', async t => {
  const account = { email: ada.email, password: TEST_PASSWORD }
  for (const name of ['nothing', 'acme-id', 'password'])
    t.is(codeOf(await kernel.post(`/v1/auth/login/${name}`, account)), '404 not_found', name)
  for (const name of ['nothing', 'badge', 'password'])
    for (const path of [`/sign-in/${name}`, `/sign-in/${name}/callback`])
      t.is((await kernel.get(path)).status, 404, path)
})

test('a strategy redirects the browser and signs the user in at the callback', async t => {
  const started = await startSignIn('?next=/account/logins')
  t.is(started.status, 302)
  t.true(started.location.startsWith(`${PROVIDER}/authorize?state=`))
  t.regex(
    started.headers.getSetCookie().join('\n'),
    /platform_sign_in=[\w-]+; Max-Age=600; Path=\/; HttpOnly; SameSite=Lax/,
  )
  t.false(started.cookie.includes(stateOf(started)))
  const done = await complete(started.cookie, stateOf(started), { email: ada.email, emailVerified: true })
  t.deepEqual([done.status, locationOf(done)], [303, '/account/logins'])
  t.is(await whoIs(cookieOf(done.headers, 'platform_session')), ada.userId)
  t.is(cookieOf(done.headers, 'platform_sign_in'), 'platform_sign_in=')
})

test('ends the previous login of the same person at the callback, and asks before it replaces another one', async t => {
  const eve = await kernel.register(newEmail('eve'))
  const started = await startSignIn()
  const done = await complete(`${started.cookie}; ${eve.cookie}`, stateOf(started), { userId: ada.userId })
  t.is(locationOf(done), '/sign-in/switch')
  t.is(await whoIs(eve.cookie), eve.userId)
  const again = await startSignIn()
  const same = await complete(`${again.cookie}; ${eve.cookie}`, stateOf(again), { userId: eve.userId })
  t.is(locationOf(same), '/')
  t.is(await whoIs(eve.cookie), null)
})

test('returns to the sign-in page if the provider or the strategy rejects the user', async t => {
  const started = await startSignIn('?next=/account/logins')
  const failed = '/sign-in?failed=acme-id&next=%2Faccount%2Flogins'
  const wrong = await complete(started.cookie, 'another-state', { userId: ada.userId })
  t.deepEqual([wrong.status, locationOf(wrong)], [303, failed])
  t.is(cookieOf(wrong.headers, 'platform_session'), undefined)
  const { headers } = await kernel.get<string>('/sign-in/acme-id/callback?error=access_denied', {
    headers: { ...HTML, cookie: started.cookie },
  })
  t.is(locationOf({ headers }), failed)
  const page = await kernel.get<string>(failed, { headers: HTML })
  t.regex(page.body, /We couldn&#x27;t sign you in with Acme ID\./)
})

test('signs in to an account by email only if both sides verified the address', async t => {
  const unverified = await kernel.register(newEmail('eve'))
  for (const user of [
    { email: ada.email, emailVerified: false },
    { email: ada.email, emailVerified: 'false' },
    { email: `x@evil.test,${ada.email}`, emailVerified: true },
    { email: unverified.email, emailVerified: true },
    { email: newEmail('nobody'), emailVerified: true },
  ]) {
    const started = await startSignIn()
    const done = await complete(started.cookie, stateOf(started), user)
    t.is(locationOf(done), '/sign-in?failed=acme-id&next=%2F', user.email)
  }
})

// Serial: it moves the clock, which expires the sign-ins of other tests.
test.serial('accepts a callback only in the browser that started it, for ten minutes', async t => {
  const [mine, theirs] = [await startSignIn(), await startSignIn()]
  const user = { userId: ada.userId }
  t.regex(locationOf(await complete(theirs.cookie, stateOf(mine), user)), /failed=acme-id/)
  t.regex(locationOf(await complete('', stateOf(mine), user)), /failed=acme-id/)
  t.regex(locationOf(await complete(`${mine.cookie.slice(0, -4)}AAAA`, stateOf(mine), user)), /failed=acme-id/)
  clock.forward(10 * MINUTE)
  t.regex(locationOf(await complete(mine.cookie, stateOf(mine), user)), /failed=acme-id/)
})

test('what a strategy of a module returns is never taken for single sign-on', async t => {
  const started = await startSignIn()
  const sso = { tenantId: ada.tenantId, required: true, roleMappings: [] }
  const done = await complete(started.cookie, stateOf(started), { userId: ada.userId, email: ada.email, sso })
  t.is(locationOf(done), '/')
  t.is(await whoIs(cookieOf(done.headers, 'platform_session')), ada.userId)
})

test('never redirects to another site', async t => {
  const started = await startSignIn('?next=https://evil.test/')
  const done = await complete(started.cookie, stateOf(started), { userId: ada.userId })
  t.is(locationOf(done), '/')
})

test('the sign-in page links to the methods that redirect', async t => {
  const { body } = await kernel.get<string>('/sign-in?next=/account/logins', { headers: HTML })
  const href = /href="([^"]+)">(?:(?!href=)[\s\S])*Continue with Acme ID</.exec(body)?.[1]?.replaceAll('&#x3D;', '=')
  t.is(href, '/sign-in/acme-id?next=%2Faccount%2Flogins')
  t.false(body.includes('Badge'))
})

test('email and password is the first method of the registry', t => {
  const signInMethods = createSignInMethods(kernel.kernel.ports)
  t.deepEqual(
    signInMethods.list().map(({ name, flow }) => `${name} ${flow}`),
    ['password credentials', 'badge credentials', 'plate credentials', 'acme-id redirect'],
  )
})

test('the start fails if two methods have the same name, or a name does not fit into a path', async t => {
  for (const [also, message] of [
    ['password', /two modules register the sign-in method 'password'/],
    ['Acme ID', /the sign-in method 'Acme ID' needs a name that matches/],
  ] as const) {
    const error = await t.throwsAsync(start({ also }))
    t.regex(`${error?.message} ${String((error as { cause?: unknown }).cause)}`, message)
  }
})
