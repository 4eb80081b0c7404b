import { randomUUID } from 'node:crypto'
import test from 'ava'
import { MINUTE, SECOND } from '../../../../../kernel/base/units.ts'
import { type Person, startTestKernel, TEST_PASSWORD, type TestKernel } from '../../../../../testing/index.ts'
import { createTestClock, newEmail } from '../../fixtures.ts'
import { verify } from '../../pages/mail-tokens.ts'
import { providerBrowser } from './browser.ts'
import { testConformance } from './conformance.ts'
import { HOSTILE_ADDRESSES } from './hostile-addresses.ts'
import { CLIENT, startIssuer, type TestIssuer } from './issuer.ts'

const PUBLIC_URL = 'http://localhost:8080'
const clock = createTestClock()
const callback = (name: string) => `${PUBLIC_URL}/sign-in/${name}/callback`

let issuer: TestIssuer
let other: TestIssuer
let kernel: TestKernel
/** A second process of the same product. */
let second: TestKernel
test.before(async () => {
  issuer = await startIssuer(['acme', 'wrong', 'globex'].map(callback))
  other = await startIssuer([callback('globex')])
  const providers = {
    acme: { ...CLIENT, issuer: issuer.url, label: 'Acme' },
    globex: { ...CLIENT, issuer: other.url, label: 'Globex' },
    wrong: { ...CLIENT, issuer: issuer.url, clientSecret: 'another secret', label: 'Wrong' },
    down: { ...CLIENT, issuer: 'http://127.0.0.1:9', label: 'Down' },
  }
  const signIn = { password: {}, emailLink: {}, providers }
  const recipe = { modules: { identity: { signIn }, comms: {} } }
  kernel = await startTestKernel({ recipe, clock })
  second = await startTestKernel({ recipe, clock, database: kernel.databaseUrl, role: 'web' })
})
test.after.always(async () => {
  await second?.stop()
  await kernel?.stop()
  await issuer?.stop()
  await other?.stop()
})
test.beforeEach(() => issuer.behave())

/** Somebody who is signed in at the issuer. */
const visit = (claims: { email?: string; email_verified?: boolean; sub?: string } = {}) => {
  issuer.person = { sub: randomUUID(), email: newEmail('visitor'), email_verified: true, name: 'Ada', ...claims }
  return issuer.person
}
async function verified(): Promise<Person> {
  const person = await kernel.register(newEmail('known'))
  await verify(kernel, person)
  return person
}
const waysOf = async (cookie: string) => (await kernel.with({ cookie }).get('/v1/auth/me/sign-in-methods')).body.data
const session = (cookies: ReadonlyMap<string, string>) => `platform_session=${cookies.get('platform_session') ?? ''}`
const FAILED = '/sign-in?failed=acme&next=%2F'

test.serial(
  'the metric of sign-ins counts what a method accepted and refused, and a provider that is down',
  async t => {
    const read = async (method: string) => {
      const { body } = await kernel.get<string>('/metrics')
      return ['accepted', 'refused', 'failed'].map(result =>
        Number(new RegExp(`larder_sign_ins_total\\{method="${method}",result="${result}"\\} (\\d+)`).exec(body)?.[1]),
      )
    }
    const { email } = await kernel.register(newEmail('counted'))
    t.deepEqual(await read('password'), [0, 0, 0])
    await kernel.post('/v1/auth/login', { email, password: TEST_PASSWORD })
    await kernel.post('/v1/auth/login', { email, password: 'a wrong password' })
    t.deepEqual(await read('password'), [1, 1, 0])
    visit()
    await providerBrowser(kernel).signIn(issuer, 'acme')
    await providerBrowser(kernel).open('/sign-in/down')
    t.deepEqual(
      [await read('acme'), await read('down')],
      [
        [1, 0, 0],
        [0, 0, 1],
      ],
    )
  },
)

test.serial('the request to a provider has state, nonce, a challenge and the address of the callback', async t => {
  const { status, location } = await providerBrowser(kernel).open('/sign-in/acme?next=/account/logins')
  t.is(status, 302)
  const { searchParams, origin } = new URL(location)
  t.is(origin, issuer.url)
  for (const name of ['state', 'nonce', 'code_challenge']) t.true((searchParams.get(name) ?? '').length >= 43, name)
  t.is(searchParams.get('code_challenge_method'), 'S256')
  t.is(searchParams.get('redirect_uri'), callback('acme'))
  t.is(searchParams.get('scope'), 'openid email profile')
})

test.serial('a new person gets an account with their verified address and their name', async t => {
  const { email } = visit()
  const browser = providerBrowser(kernel)
  t.is(await browser.signIn(issuer, 'acme', '?next=/account/logins'), '/account/logins')
  const { body } = await kernel.with({ cookie: session(browser.cookies) }).get('/v1/auth/me')
  t.like(body.user, { email, name: 'Ada', emailVerified: true } as never)
  t.deepEqual(
    (await waysOf(session(browser.cookies))).map(({ method }) => method),
    ['acme'],
  )
})

test.serial('a person is found by the subject, whatever their address is', async t => {
  const { sub } = visit()
  const browser = providerBrowser(kernel)
  await browser.signIn(issuer)
  visit({ sub, email: newEmail('moved') })
  const again = providerBrowser(kernel)
  t.is(await again.signIn(issuer), '/')
  t.is(await again.who(), await browser.who())
})

test.serial('links an address that both sides verified', async t => {
  const person = await verified()
  visit({ email: person.email })
  const browser = providerBrowser(kernel)
  t.is(await browser.signIn(issuer), '/')
  t.is(await browser.who(), person.userId)
})

test.serial('an account that does not verify the address is proved first, then connected', async t => {
  const person = await kernel.register(newEmail('unverified'))
  visit({ email: person.email })
  const browser = providerBrowser(kernel)
  const location = await browser.signIn(issuer, 'acme', '?next=/account/logins')
  t.is(location, '/sign-in?connect=acme&next=%2Fsign-in%2Fconnect')
  t.is(await browser.who(), null)
  t.regex((await browser.open(location)).text, /Acme doesn&#x27;t belong to an account here yet/)
  const fields = { email: person.email, password: TEST_PASSWORD, next: '/sign-in/connect' }
  t.is((await browser.submit('/sign-in', fields)).location, '/sign-in/connect')
  const page = await browser.open('/sign-in/connect')
  t.regex(page.text, /Connect Acme/)
  t.is((await waysOf(session(browser.cookies))).length, 1)
  t.is((await browser.submit('/sign-in/connect')).location, '/account/logins')
  t.deepEqual(
    (await waysOf(session(browser.cookies))).map(({ method }) => method),
    ['password', 'acme'],
  )
  const later = providerBrowser(kernel)
  t.is(await later.signIn(issuer), '/')
  t.is(await later.who(), person.userId)
})

test.serial('an address that the provider has not verified neither links nor registers', async t => {
  const person = await verified()
  for (const email of [person.email, newEmail('nobody')]) {
    visit({ email, email_verified: false })
    const browser = providerBrowser(kernel)
    t.is(await browser.signIn(issuer), '/sign-in?connect=acme&next=%2Fsign-in%2Fconnect')
    t.is(await browser.who(), null)
  }
})

test.serial('no account gets an address that a request could not contain', async t => {
  for (const [what, hostile] of Object.entries(HOSTILE_ADDRESSES)) {
    visit()
    issuer.tamper = claims => ({ ...claims, email: hostile('acme.test'), email_verified: true })
    const browser = providerBrowser(kernel)
    t.is(await browser.signIn(issuer), '/sign-in?connect=acme&next=%2Fsign-in%2Fconnect', what)
    t.is(await browser.who(), null)
  }
})

test.serial('another subject with the address of a linked person is not let in', async t => {
  const { email } = visit()
  const browser = providerBrowser(kernel)
  await browser.signIn(issuer)
  visit({ email: email ?? '' })
  const stranger = providerBrowser(kernel)
  t.regex(await stranger.signIn(issuer), /^\/sign-in\?connect=acme/)
  t.is(await stranger.who(), null)
})

test.serial('the same subject at another issuer is another person', async t => {
  const { sub } = visit()
  const browser = providerBrowser(kernel)
  await browser.signIn(issuer)
  other.person = { sub, email: newEmail('other'), email_verified: true }
  const another = providerBrowser(kernel)
  t.is(await another.signIn(other, 'globex'), '/')
  t.not(await another.who(), await browser.who())
})

testConformance(test, 'acme', () => ({
  issuer,
  visit: async () => ({ browser: providerBrowser(kernel), email: visit().email ?? '' }),
}))

test.serial('a subject that no account could keep is refused with a sentence', async t => {
  visit({ sub: 'a'.repeat(1025) })
  const browser = providerBrowser(kernel)
  const location = await browser.signIn(issuer)
  t.is(location, '/sign-in?failed=acme&reason=subject_too_long&next=%2F')
  t.regex((await browser.open(location)).text, /longer than 1,024 bytes\./)
})

test.serial('a clock may differ from that of the provider by half a minute', async t => {
  for (const [claim, seconds, isAccepted] of [
    ['exp', -20, true],
    ['exp', -40, false],
    ['nbf', 20, true],
    ['nbf', 40, false],
  ] as const) {
    visit()
    issuer.tamper = claims => ({ ...claims, [claim]: Math.floor(Date.now() / 1000) + seconds })
    t.is((await providerBrowser(kernel).signIn(issuer)) === '/', isAccepted, `${claim} ${seconds}`)
  }
})

test.serial('refuses a response that names another issuer, or none', async t => {
  for (const iss of [other.url, undefined]) {
    visit()
    const browser = providerBrowser(kernel)
    const path = new URL(await browser.authorize(issuer), PUBLIC_URL)
    path.searchParams.delete('iss')
    if (iss !== undefined) path.searchParams.set('iss', iss)
    t.is((await browser.open(path.pathname + path.search)).location, FAILED, String(iss))
  }
})

test.serial('refuses the response to another sign-in, in another browser or at another provider', async t => {
  visit()
  const browser = providerBrowser(kernel)
  const path = await browser.authorize(issuer)
  const forged = new URL(path, PUBLIC_URL)
  forged.searchParams.set('state', 'another-state')
  for (const [name, run] of Object.entries({
    'no cookie': () => providerBrowser(kernel).open(path),
    'another provider': () => providerBrowser(kernel, new Map(browser.cookies)).open(path.replace('acme', 'globex')),
    state: () => providerBrowser(kernel, new Map(browser.cookies)).open(forged.pathname + forged.search),
  }))
    t.regex((await run()).location, /^\/sign-in\?failed=/, name)
  t.is((await browser.open(path)).location, '/')
})

test.serial('a code works once', async t => {
  visit()
  const browser = providerBrowser(kernel)
  const path = await browser.authorize(issuer)
  const copy = providerBrowser(kernel, new Map(browser.cookies))
  t.is((await browser.open(path)).location, '/')
  clock.forward(30 * SECOND)
  t.is((await copy.open(path)).location, FAILED)
  t.is((await browser.open(path)).location, FAILED)
})

test.serial(
  'a browser that opens a callback twice at the same moment gets one login, also in two processes',
  async t => {
    for (const other of [kernel, second]) {
      visit()
      const browser = providerBrowser(kernel)
      const path = await browser.authorize(issuer, 'acme', '?next=/account/logins')
      const copy = providerBrowser(other, new Map(browser.cookies))
      const stranger = providerBrowser(other)
      const opened = await Promise.all([browser, copy, stranger].map(each => each.open(path)))
      t.deepEqual(
        opened.map(({ location }) => location),
        ['/account/logins', '/account/logins', FAILED],
      )
      t.not(await browser.who(), null)
      t.is(session(copy.cookies), session(browser.cookies))
    }
  },
)

test.serial('a browser that gives up a callback and opens it again is signed in', async t => {
  visit()
  const browser = providerBrowser(kernel)
  const path = await browser.authorize(issuer)
  const click = new AbortController()
  issuer.tamper = claims => {
    click.abort()
    return claims
  }
  const headers = { cookie: [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ') }
  const given = fetch(new URL(path, kernel.url), { redirect: 'manual', headers, signal: click.signal })
  await t.throwsAsync(given, { any: true, message: /aborted/ })
  t.is((await browser.open(path)).location, '/')
  t.not(await browser.who(), null)
})

test.serial('a sign-in that another tab started later can be completed after the earlier one was refused', async t => {
  visit()
  const browser = providerBrowser(kernel)
  const [earlier, later] = [await browser.authorize(issuer), await browser.authorize(issuer)]
  t.is((await browser.open(earlier)).location, FAILED)
  t.is((await browser.open(later)).location, '/')
  t.not(await browser.who(), null)
})

test.serial('a callback that is opened again leads a signed-in person on', async t => {
  visit()
  const browser = providerBrowser(kernel)
  const path = await browser.authorize(issuer, 'acme', '?next=/account/logins')
  t.is((await browser.open(path)).location, '/account/logins')
  t.is((await browser.open((await browser.open(path)).location)).location, '/')
})

for (const [what, failsAt] of [
  ['discovery document', '/.well-known/'],
  ['keys', '/jwks'],
  ['tokens', '/token'],
  ['claims of a person', '/me'],
] as const)
  test.serial(`a provider that fails to send its ${what}, or sends somewhere else for it, is unavailable`, async t => {
    for (const failing of [503, 307] as const) {
      visit()
      const browser = providerBrowser(kernel)
      const path = await browser.authorize(issuer)
      Object.assign(issuer, { failing, failsAt })
      t.is((await browser.open(path)).location, '/sign-in?failed=acme&reason=provider_unavailable&next=%2F')
      issuer.behave()
      t.is(await browser.who(), null)
    }
    t.is(issuer.redirected, 0)
  })

test.serial('a sign-in expires after ten minutes', async t => {
  visit()
  const browser = providerBrowser(kernel)
  const path = await browser.authorize(issuer)
  clock.forward(10 * MINUTE)
  t.is((await browser.open(path)).location, FAILED)
})

test.serial('a person who refuses at the provider returns to the sign-in page', async t => {
  const browser = providerBrowser(kernel)
  const { location } = await browser.open('/sign-in/acme?next=/account/logins')
  const state = new URL(location).searchParams.get('state') ?? ''
  const query = new URLSearchParams({ error: 'access_denied', state, iss: issuer.url })
  const done = await browser.open(`/sign-in/acme/callback?${query}`)
  t.is(done.location, '/sign-in?failed=acme&next=%2Faccount%2Flogins')
})

test.serial('a provider that is down or refuses the client is one sentence', async t => {
  const browser = providerBrowser(kernel)
  const down = await browser.open('/sign-in/down')
  t.is(down.location, '/sign-in?failed=down&reason=provider_unavailable&next=%2F')
  t.regex((await browser.open(down.location)).text, /Down isn&#x27;t available at the moment/)
  visit()
  const wrong = await browser.signIn(issuer, 'wrong')
  t.is(wrong, '/sign-in?failed=wrong&reason=provider_unavailable&next=%2F')
  const path = await browser.authorize(issuer)
  issuer.failing = 500
  t.is((await browser.open(path)).location, '/sign-in?failed=acme&reason=provider_unavailable&next=%2F')
})

test.serial('a response that is posted, as Apple does, is forwarded to the callback', async t => {
  visit()
  const browser = providerBrowser(kernel)
  const { search } = new URL(await browser.authorize(issuer), PUBLIC_URL)
  const body = new URLSearchParams(search)
  body.set('user', JSON.stringify({ name: { firstName: 'Ada' } }))
  const headers = { 'sec-fetch-site': 'cross-site', origin: issuer.url }
  const post = (method: string) =>
    fetch(new URL(`/sign-in/${method}/callback`, kernel.url), { method: 'POST', redirect: 'manual', headers, body })
  const posted = await post('acme')
  t.is(posted.status, 303)
  const location = posted.headers.get('location') ?? ''
  t.true(location.startsWith('/sign-in/acme/callback?'))
  t.false(location.includes('Ada'))
  t.is((await browser.open(location)).location, '/')
  t.is((await post('nothing')).status, 404)
})

test.serial('oidcc-client-test-form-post-error: an error that is posted leads to a sentence', async t => {
  const browser = providerBrowser(kernel)
  const { location } = await browser.open('/sign-in/acme')
  const state = new URL(location).searchParams.get('state') ?? ''
  const posted = await browser.submit('/sign-in/acme/callback', { error: 'login_required', state, iss: issuer.url })
  const done = await browser.open(posted.location)
  t.is(done.location, FAILED)
  t.regex((await browser.open(FAILED)).text, /We couldn&#x27;t sign you in with Acme/)
})

test.serial('never leads to another site', async t => {
  for (const next of ['https://evil.test/', '//evil.test', '/\\evil.test', '/%5cevil.test\t']) {
    visit()
    const browser = providerBrowser(kernel)
    const location = await browser.signIn(issuer, 'acme', `?next=${encodeURIComponent(next)}`)
    t.is(new URL(location, PUBLIC_URL).origin, PUBLIC_URL, next)
  }
})

test.serial('connects and removes a provider on the page of the account', async t => {
  const person = await verified()
  const [name = '', value = ''] = (person.cookie ?? '').split('=')
  const signedIn = providerBrowser(kernel, new Map([[name, value]]))
  await signedIn.submit('/sign-in', { email: person.email, password: TEST_PASSWORD })
  visit()
  const started = await signedIn.submit('/account/sign-in-methods', { intent: 'connect', id: 'acme' })
  t.is(started.location, '/account/sign-in-methods/connect/acme')
  t.regex((await signedIn.open(started.location)).text, /href="\/sign-in\/acme\?link&#x3D;1"/)
  t.is(await signedIn.signIn(issuer, 'acme', '?link=1'), '/account/sign-in-methods?done=connected')
  const ways = await waysOf(session(signedIn.cookies))
  t.deepEqual(
    ways.map(({ method }) => method),
    ['password', 'acme'],
  )
  const anywhere = providerBrowser(kernel)
  await anywhere.signIn(issuer)
  t.is(await anywhere.who(), person.userId)
  const { id = '' } = ways.find(({ method }) => method === 'acme') ?? {}
  await signedIn.submit('/account/sign-in-methods', { intent: 'remove', id })
  t.deepEqual(
    (await waysOf(session(signedIn.cookies))).map(({ method }) => method),
    ['password'],
  )
})

test.serial('only a form of the account connects: a link of another site asks before it signs in', async t => {
  const person = await verified()
  const victim = providerBrowser(kernel)
  await victim.submit('/sign-in', { email: person.email, password: TEST_PASSWORD })
  visit()
  t.is(await victim.signIn(issuer, 'acme', '?link=1'), '/sign-in/switch')
  t.is(await victim.who(), person.userId)
  const [, login = ''] = /name="login" value="(\w+)"/.exec((await victim.open('/sign-in/switch')).text) ?? []
  await victim.submit('/sign-in/switch', { intent: 'switch', login })
  t.not(await victim.who(), person.userId)
})

test.serial('an account at a provider belongs to one user', async t => {
  visit()
  await providerBrowser(kernel).signIn(issuer)
  const person = await verified()
  const browser = providerBrowser(kernel)
  await browser.submit('/sign-in', { email: person.email, password: TEST_PASSWORD })
  await browser.submit('/account/sign-in-methods', { intent: 'connect', id: 'acme' })
  const location = await browser.signIn(issuer, 'acme', '?link=1')
  t.is(location, '/account/sign-in-methods?failed=acme&reason=identity_taken')
  t.regex((await browser.open(location)).text, /Another account already uses this way to sign in/)
  t.is(await browser.who(), person.userId)
})

test.serial('the list of methods and both pages offer the providers', async t => {
  const { body } = await kernel.get('/v1/auth/methods')
  t.like(body.data.slice(-4), [
    { name: 'acme', label: 'Acme', flow: 'redirect' },
    { name: 'globex' },
    { name: 'wrong' },
    { name: 'down' },
  ] as never)
  for (const path of ['/sign-in', '/sign-up'])
    t.regex((await providerBrowser(kernel).open(path)).text, />Continue with Acme</, path)
})
