import test from 'ava'
import { linkToken } from '../../../../../modules/identity/domain/links.ts'
import { TEST_PASSWORD } from '../../../../../testing/index.ts'
import { withPeople } from '../../../../fixtures/with-people.ts'
import { colleague, identityRecipe, inviteLink, newEmail, resetTokens } from '../../fixtures.ts'

const { kernel } = withPeople(test, { recipe: identityRecipe() })

const HTML = { accept: 'text/html' }
/** Posts a form like a browser without JavaScript. */
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

test('signs up with the form, opens the account page, signs out and signs in again', async t => {
  const email = newEmail('Page')
  const up = await submit('/sign-up', { email, password: TEST_PASSWORD, name: 'Ada', next: '', invitation: '' })
  t.is(up.status, 303)
  t.is(up.location, '/')
  const [cookie = ''] = up.cookies
  t.regex(cookie, /^platform_session=[\w-]{43}$/)
  t.regex((await open('/account', { cookie })).body, /<h1>Ada<\/h1>/)
  const out = await submit('/sign-out', {}, { cookie })
  t.is(out.location, '/sign-in')
  const gone = await open('/account', { cookie })
  t.is(gone.status, 303)
  t.is(gone.headers.get('location'), '/sign-in?next=%2Faccount')
  const back = await submit('/sign-in', { email, password: TEST_PASSWORD, next: '/account' })
  t.is(back.status, 303)
  t.is((await open('/account', { cookie: back.cookies[0] ?? '' })).status, 200)
})

test('shows a rejected form again with the reason and without the password', async t => {
  const email = newEmail()
  const wrong = await submit('/sign-in', { email, password: 'not a good one', next: '/account' })
  t.is(wrong.status, 401)
  t.true(wrong.text.includes('Incorrect email or password.'))
  t.true(wrong.text.includes(email))
  t.false(wrong.text.includes('not a good one'))
})

test('shows the message of a field beside it, and the number of invalid fields above', async t => {
  const one = await submit('/sign-up', { email: newEmail(), password: 'short' })
  t.is(one.status, 422)
  t.regex(one.text, /role="alert" id="error">Check the marked field\.</)
  t.regex(one.text, /aria-describedby="password-hint password-error" aria-invalid="true"/)
  t.regex(one.text, /<p class="error" id="password-error">Password must have at least \d+ characters\.</)
  const two = await submit('/sign-up', { email: 'nobody', password: 'short' })
  t.regex(two.text, /role="alert" id="error">Check the 2 marked fields\.</)
  t.regex(two.text, /id="email-error">Email must be an email address\.</)
})

test('rejects forms from another site and never redirects to one', async t => {
  const { email } = await kernel.register(newEmail())
  const fields = { email, password: TEST_PASSWORD, next: 'https://evil.test/' }
  const foreign = await submit('/sign-in', fields, { origin: 'https://evil.test', 'sec-fetch-site': 'cross-site' })
  t.is(foreign.status, 403)
  t.deepEqual(foreign.cookies, [])
  t.is((await submit('/sign-in', fields)).location, '/')
})

test('the invitation page links to sign-up and joins only on submit', async t => {
  const owner = await kernel.register(newEmail(), { workspaceName: 'Engines <b>' })
  const email = newEmail('guest')
  const token = await inviteLink(owner, email, ['tenant.member'])
  const path = `/invitations/accept?token=${encodeURIComponent(token)}`
  const anonymous = await open(path)
  t.is(anonymous.status, 200)
  t.is(anonymous.headers.get('referrer-policy'), 'no-referrer')
  t.true(anonymous.body.includes('Join Engines &lt;b&gt;'))
  const signUp = /href="(\/sign-up\?[^"]+)"/
    .exec(anonymous.body)?.[1]
    ?.replaceAll('&amp;', '&')
    .replaceAll('&#x3D;', '=')
  t.is((await open(signUp ?? '')).status, 200)
  const up = await submit('/sign-up', { email, password: TEST_PASSWORD, next: path, invitation: token })
  t.is(up.location, path)
  const cookie = up.cookies[0] ?? ''
  t.regex((await open(path, { cookie })).body, /<button>Accept invitation<\/button>/)
  const joined = await submit('/invitations/accept', { token }, { cookie })
  t.is(joined.location, '/welcome')
  t.deepEqual(joined.cookies, [`platform_tenant=${owner.tenantId}`])
  const welcome = await open('/welcome', { cookie: `${cookie}; ${joined.cookies[0]}` })
  t.true(welcome.body.includes('You have joined Engines &lt;b&gt;.'))
  t.notRegex(welcome.body, /Next steps/)
  t.is((await open('/invitations/accept?token=forged')).status, 404)
})

test('reset and verification pages act only on submit', async t => {
  const ada = await kernel.register(newEmail())
  const { secrets } = kernel.kernel.ports
  const verify = linkToken(secrets, 'verify_email', { id: ada.userId, version: 1 })
  t.is((await open(`/verify-email?token=${encodeURIComponent(verify)}`)).status, 200)
  const before = await ada.get('/v1/auth/me')
  t.false(before.body.user.emailVerified)
  t.regex((await submit('/verify-email', { token: verify })).text, /Your email address is confirmed/)
  t.regex((await submit('/forgot-password', { email: ada.email })).text, /sent a reset link/)
  const [reset = ''] = await resetTokens(kernel, ada.email)
  const page = await open(`/reset-password?token=${encodeURIComponent(reset)}`)
  t.is(page.headers.get('referrer-policy'), 'no-referrer')
  t.is(
    (await submit('/reset-password', { token: reset, password: 'an entirely new one' })).location,
    '/sign-in?reset=done',
  )
  t.is((await submit('/reset-password', { token: reset, password: 'an entirely new one' })).status, 410)
})

test('changes and clears the name on the account page', async t => {
  const ada = await kernel.register(newEmail(), { name: 'Ada' })
  const { cookie } = ada
  t.regex((await open('/account', { cookie })).body, /value="Ada"/)
  const saved = await submit('/account', { name: 'Ada <b>' }, { cookie })
  t.deepEqual([saved.status, saved.location], [303, '/account?done=saved'])
  t.regex((await open('/account?done=saved', { cookie })).body, /Changes saved\.[\s\S]*value="Ada &lt;b&gt;"/)
  const long = await submit('/account', { name: 'x'.repeat(121) }, { cookie })
  t.is(long.status, 422)
  t.regex(long.text, /<p class="error" id="name-error">Name must/)
  await submit('/account', { name: '' }, { cookie })
  t.is((await ada.get('/v1/auth/me')).body.user.name, null)
  t.is((await submit('/account/verify', {}, { cookie })).location, '/account?done=sent')
})

test('the password form needs the current password, ends all logins and starts a new one', async t => {
  const ada = await kernel.register(newEmail())
  const { cookie } = ada
  const change = (currentPassword: string, newPassword: string) =>
    submit('/account/password', { currentPassword, newPassword }, { cookie })
  const wrong = await change('not mine at all', 'an entirely new one')
  t.is(wrong.status, 403)
  t.false(wrong.text.includes('an entirely new one'))
  t.is((await change(TEST_PASSWORD, 'short')).status, 422)
  const done = await change(TEST_PASSWORD, 'an entirely new one')
  t.is(done.location, '/account/password?done=saved')
  t.is((await open('/account', { cookie })).status, 303, 'the old cookie opens nothing')
  t.is((await open('/account', { cookie: done.cookies[0] ?? '' })).status, 200)
})

test("lists and ends only the user's own logins", async t => {
  const ada = await kernel.register(newEmail())
  const bob = await kernel.register(newEmail())
  const { cookie } = ada
  const agent = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/130.0 Safari/537.36' }
  await submit('/sign-in', { email: ada.email, password: TEST_PASSWORD, next: '' }, agent)
  const { body } = await open('/account/logins', { cookie })
  t.regex(body, /Chrome, Linux/)
  t.is(body.match(/This device/g)?.length, 1)
  const ids = [...body.matchAll(/name="id" value="(lgn_\w+)"/g)].map(([, id]) => id as string)
  t.is(ids.length, 2)
  const foreign = /value="(lgn_\w+)"/.exec((await open('/account/logins', { cookie: bob.cookie })).body)?.[1] ?? ''
  t.is((await submit('/account/logins', { id: foreign }, { cookie })).status, 404)
  t.is((await submit('/account/logins', {}, { cookie })).status, 404)
  t.is((await open('/account', { cookie: bob.cookie })).status, 200)
  t.is((await submit('/account/logins', { id: ids[0] ?? '' }, { cookie })).location, '/account/logins?done=ended')
  const own = await submit('/account/logins', { id: ids[1] ?? '' }, { cookie })
  t.is(own.location, '/sign-in')
  t.is((await open('/account', { cookie })).status, 303)
})

test('switches only to workspaces of the user', async t => {
  const ada = await kernel.register(newEmail(), { workspaceName: 'First' })
  const outsider = await kernel.register(newEmail())
  const { cookie } = ada
  t.is((await submit('/account/workspaces/new', { name: '' }, { cookie })).status, 422)
  const made = await submit('/account/workspaces/new', { name: 'Second' }, { cookie })
  t.is(made.location, '/account/workspaces?done=switched')
  const [hint = ''] = made.cookies
  t.regex(hint, /^platform_tenant=ten_/)
  const current = async (more: string) =>
    /<strong dir="auto">([^<]+)<\/strong> <span class="badge good">Current/.exec(
      (await open('/account/workspaces', { cookie: `${cookie}; ${more}` })).body,
    )?.[1]
  t.is(await current(hint), 'Second')
  const back = await submit('/account/workspaces', { id: ada.tenantId }, { cookie: `${cookie}; ${hint}` })
  t.is(await current(back.cookies[0] ?? ''), 'First')
  t.is((await submit('/account/workspaces', { id: outsider.tenantId }, { cookie })).status, 404)
  t.is(await current(`platform_tenant=${outsider.tenantId}`), 'First')
})

test('creates, shows once and deletes API keys with permission', async t => {
  const ada = await kernel.register(newEmail())
  const { cookie } = ada
  const made = await submit('/workspace/api-keys', { name: 'Till <1>', days: '30' }, { cookie })
  t.is(made.status, 200)
  const [key = ''] = /test_live_\w{38}/.exec(made.text) ?? []
  t.is((await kernel.as(key).get('/v1/me')).status, 200)
  const { body } = await open('/workspace/api-keys', { cookie })
  t.false(body.includes(key))
  t.regex(body, /Till &lt;1&gt;[\s\S]*Expires <time/)
  t.is((await submit('/workspace/api-keys', { name: '' }, { cookie })).status, 422)
  const id = /Till[\s\S]*?value="(key_\w+)"/.exec(body)?.[1] ?? ''
  t.is((await submit('/workspace/api-keys', { intent: 'delete', id }, { cookie })).location, '/workspace/api-keys')
  t.is((await kernel.as(key).get('/v1/me')).status, 401)
  t.is((await submit('/workspace/api-keys', { intent: 'delete', id }, { cookie })).status, 404)

  const member = await colleague(kernel, ada, ['tenant.member'])
  const theirs = { cookie: `${member.person.cookie}; platform_tenant=${ada.tenantId}` }
  t.is((await open('/workspace/api-keys', theirs)).status, 403)
  t.false((await open('/workspace/settings', theirs)).body.includes('/workspace/api-keys'))
  t.is((await submit('/workspace/api-keys', { name: 'x' }, theirs)).status, 403)
})

test('pages and forms reject API keys', async t => {
  const ada = await kernel.register(newEmail())
  const key = { 'x-api-key': ada.apiKey }
  for (const path of ['/account', '/workspace/api-keys', '/account/workspaces']) {
    t.is((await open(path, key)).status, 403, path)
    t.is((await submit(path, { name: 'x' }, key)).status, 403, path)
  }
})

test('asks for confirmation when a link opens the sign-out page', async t => {
  const { cookie } = await kernel.register(newEmail())
  t.regex((await open('/sign-out', { cookie })).body, /<form method="post" action="\/sign-out">/)
  t.is((await open('/account', { cookie })).status, 200)
  const out = await submit('/sign-out', {}, { cookie })
  t.deepEqual(out.cookies, ['platform_session=', 'platform_tenant='])
})
