import test from 'ava'
import { TEST_PASSWORD, type TestKernel } from '../../../../kernel/testing.ts'
import { linkToken } from '../../../../modules/identity/core/links.ts'
import { inviteLink, newEmail, startIdentity } from '../kit.ts'

let kernel: TestKernel
test.before(async () => {
  kernel = await startIdentity()
})
test.after.always(() => kernel?.stop())

const HTML = { accept: 'text/html' }
/** A form as a browser without JavaScript posts it. */
async function submit(path: string, fields: Record<string, string>, headers: Record<string, string> = {}) {
  const response = await fetch(new URL(path, kernel.url), {
    method: 'POST',
    redirect: 'manual',
    headers: { ...HTML, 'sec-fetch-site': 'same-origin', origin: kernel.url, ...headers },
    body: new URLSearchParams(fields),
  })
  const cookies = response.headers.getSetCookie().map(cookie => cookie.split(';')[0] as string)
  return { status: response.status, location: response.headers.get('location'), cookies, text: await response.text() }
}
const open = (path: string, headers: Record<string, string> = {}) =>
  kernel.get<string>(path, { headers: { ...HTML, ...headers } })

test('a person signs up by a form, lands on their account, signs out and in again', async t => {
  const email = newEmail('Page')
  const up = await submit('/sign-up', { email, password: TEST_PASSWORD, name: 'Ada', next: '', invitation: '' })
  t.is(up.status, 303)
  t.is(up.location, '/account')
  const [cookie = ''] = up.cookies
  t.regex(cookie, /^platform_session=[\w-]{43}$/)
  t.regex((await open('/account', { cookie })).body, /<h1>Ada<\/h1>/)
  const out = await submit('/account', {}, { cookie })
  t.is(out.location, '/sign-in')
  const gone = await open('/account', { cookie })
  t.is(gone.status, 303)
  t.is(gone.headers.get('location'), '/sign-in?next=%2Faccount')
  const back = await submit('/sign-in', { email, password: TEST_PASSWORD, next: '/account' })
  t.is(back.status, 303)
  t.is((await open('/account', { cookie: back.cookies[0] ?? '' })).status, 200)
})

test('a refused form comes back with the reason and without the password', async t => {
  const email = newEmail()
  const wrong = await submit('/sign-in', { email, password: 'not a good one', next: '/account' })
  t.is(wrong.status, 401)
  t.true(wrong.text.includes('E-mail or password is wrong.'))
  t.true(wrong.text.includes(email))
  t.false(wrong.text.includes('not a good one'))
  const short = await submit('/sign-up', { email, password: 'short' })
  t.is(short.status, 422)
  t.regex(short.text, /role="alert">Password must/)
})

test('no form is taken from another site, and no sign-in leads to one', async t => {
  const { email } = await kernel.register(newEmail())
  const fields = { email, password: TEST_PASSWORD, next: 'https://evil.test/' }
  const foreign = await submit('/sign-in', fields, { origin: 'https://evil.test', 'sec-fetch-site': 'cross-site' })
  t.is(foreign.status, 403)
  t.deepEqual(foreign.cookies, [])
  t.is((await submit('/sign-in', fields)).location, '/account')
})

test('the page of an invitation leads to signing up, and joins by a button', async t => {
  const owner = await kernel.register(newEmail(), { workspaceName: 'Engines <b>' })
  const email = newEmail('guest')
  const token = await inviteLink(owner, email, ['tenant.member'])
  const path = `/invitations/accept?token=${encodeURIComponent(token)}`
  const stranger = await open(path)
  t.is(stranger.status, 200)
  t.is(stranger.headers.get('referrer-policy'), 'no-referrer')
  t.true(stranger.body.includes('Join Engines &lt;b&gt;'))
  const signUp = /href="(\/sign-up\?[^"]+)"/
    .exec(stranger.body)?.[1]
    ?.replaceAll('&amp;', '&')
    .replaceAll('&#x3D;', '=')
  t.is((await open(signUp ?? '')).status, 200)
  const up = await submit('/sign-up', { email, password: TEST_PASSWORD, next: path, invitation: token })
  t.is(up.location, path)
  const cookie = up.cookies[0] ?? ''
  t.regex((await open(path, { cookie })).body, /<button>Join<\/button>/)
  const joined = await submit('/invitations/accept', { token }, { cookie })
  t.is(joined.location, '/account')
  t.deepEqual(joined.cookies, [`platform_tenant=${owner.tenantId}`])
  t.is((await open('/invitations/accept?token=forged')).status, 404)
})

test('the pages of reset and verify links act by their button alone', async t => {
  const ada = await kernel.register(newEmail())
  const { secrets } = kernel.kernel.ports
  const verify = linkToken(secrets, 'verify_email', { id: ada.userId, version: 1 })
  t.is((await open(`/verify-email?token=${encodeURIComponent(verify)}`)).status, 200)
  const before = await ada.get<{ user: { emailVerified: boolean } }>('/v1/auth/me')
  t.false(before.body.user.emailVerified)
  t.regex((await submit('/verify-email', { token: verify })).text, /the address is confirmed/)
  t.regex((await submit('/forgot-password', { email: ada.email })).text, /is on its way/)
  await kernel.settled()
  const reset = linkToken(secrets, 'password_reset', { id: ada.userId, version: 1 })
  const page = await open(`/reset-password?token=${encodeURIComponent(reset)}`)
  t.is(page.headers.get('referrer-policy'), 'no-referrer')
  t.is(
    (await submit('/reset-password', { token: reset, password: 'an entirely new one' })).location,
    '/sign-in?reset=done',
  )
  t.is((await submit('/reset-password', { token: reset, password: 'an entirely new one' })).status, 410)
})
