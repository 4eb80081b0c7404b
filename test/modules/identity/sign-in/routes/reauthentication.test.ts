import test from 'ava'
import { Secret, TOTP } from 'otpauth'
import { MINUTE, SECOND } from '../../../../../kernel/base/units.ts'
import { type Client, type Person, TEST_PASSWORD, type TestKernel } from '../../../../../testing/index.ts'
import { codeOf, colleague, createTestClock, fieldErrors, newEmail, operator, startIdentity } from '../../fixtures.ts'
import { visitor } from '../../pages/forms.ts'

const clock = createTestClock({ runs: false })
let kernel: TestKernel
test.before(async () => {
  const providers = { google: { clientId: 'id', clientSecret: 'secret' } }
  const signIn = { passkeys: {}, providers, secondFactor: { totp: true } }
  kernel = await startIdentity({ impersonation: true, signIn }, { clock })
})
test.after.always(() => kernel?.stop())

const REAUTHENTICATE = '/v1/auth/reauthenticate'
const KEYS = '/v1/identity/api-keys'
const createKey = (client: Client) => client.post(KEYS, { name: 'A key' })
const register = (name = 'ada') => kernel.register(newEmail(name))

async function enroll(client: Client): Promise<() => string> {
  const { body } = await client.post('/v1/auth/me/second-factor/enrollment')
  const totp = new TOTP({ secret: Secret.fromBase32(body.secret) })
  const code = () => totp.generate({ timestamp: clock.now() })
  await client.put('/v1/auth/me/second-factor', { enrollment: body.enrollment, code: code() })
  clock.forward(30 * SECOND)
  return code
}

test.serial('10 minutes after the sign-in, an API key needs a new proof of who the caller is', async t => {
  const ada = await register()
  clock.forward(10 * MINUTE - 1)
  t.is((await createKey(ada)).status, 201)
  clock.forward(1)
  t.is(codeOf(await createKey(ada)), '403 reauthentication_required')
  t.is((await ada.get(KEYS)).status, 200)
  t.is(codeOf(await ada.post(REAUTHENTICATE, { password: 'a wrong password' })), '403 wrong_password')
  t.is(codeOf(await createKey(ada)), '403 reauthentication_required')
  t.is((await ada.post(REAUTHENTICATE, { password: TEST_PASSWORD })).status, 204)
  t.is((await createKey(ada)).status, 201)
  clock.forward(10 * MINUTE)
  t.is(codeOf(await createKey(ada)), '403 reauthentication_required')
})

test.serial('the proof counts for its own login only', async t => {
  const ada = await register()
  clock.forward(10 * MINUTE)
  const { body } = await kernel.post('/v1/auth/login', { email: ada.email, password: TEST_PASSWORD })
  t.is((await createKey(kernel.as(body.token, ada.tenantId))).status, 201)
  t.is(codeOf(await createKey(ada)), '403 reauthentication_required')
})

test.serial('a person with an authenticator app proves it with a code, not with the password', async t => {
  const ada = await register()
  const code = await enroll(ada)
  clock.forward(10 * MINUTE)
  t.deepEqual(fieldErrors(await ada.post(REAUTHENTICATE, { password: TEST_PASSWORD })), ['/code required'])
  t.is(codeOf(await ada.post(REAUTHENTICATE, { code: 'BCDF-BCDF-BCDF-BCDF' })), '403 invalid_second_factor')
  t.is((await ada.post(REAUTHENTICATE, { code: code() })).status, 204)
  t.is((await createKey(ada)).status, 201)
})

test.serial('a changed password is no newer proof', async t => {
  const ada = await register()
  await enroll(ada)
  clock.forward(10 * MINUTE)
  const change = { currentPassword: TEST_PASSWORD, newPassword: 'another correct horse battery staple' }
  const { body } = await ada.post<{ token: string }>('/v1/auth/password/change', change)
  t.is(codeOf(await createKey(kernel.as(body.token, ada.tenantId))), '403 reauthentication_required')
})

test.serial('a password alone is no proof where a role requires the passkey beside it', async t => {
  const signIn = { passkeys: {}, secondFactor: { totp: true, requiredFor: ['tenant.owner'] } }
  const own = await startIdentity({ signIn }, { clock })
  t.teardown(() => own.stop())
  const ada = await own.register(newEmail('owner'))
  t.is((await ada.post(REAUTHENTICATE, { password: TEST_PASSWORD })).status, 204)
  await own.kernel.ports.systemDatabase.acrossTenants('a test adds a passkey').query(
    `insert into identity_sign_in_identities (id, user_id, method, provider, subject, label, created_at, last_used_at)
       values ('sid_test', $1, 'passkey', 'localhost', 'credential', 'Laptop', now(), now())`,
    [ada.userId],
  )
  t.deepEqual(fieldErrors(await ada.post(REAUTHENTICATE, { password: TEST_PASSWORD })), ['/passkey required'])
})

test.serial('refuses an empty proof, and a code of a person without an app', async t => {
  const ada = await register()
  t.deepEqual(fieldErrors(await ada.post(REAUTHENTICATE, {})), ['/password required'])
  t.is(codeOf(await ada.post(REAUTHENTICATE, { code: '123456' })), '403 invalid_second_factor')
  t.is((await kernel.as(ada.apiKey).post(REAUTHENTICATE, { password: TEST_PASSWORD })).status, 403)
  t.is((await kernel.post(REAUTHENTICATE, { password: TEST_PASSWORD })).status, 401)
})

test.serial(
  'ownership, the deletion of a workspace, the second factor and impersonation need a recent proof',
  async t => {
    const owner = await register('owner')
    const member = await colleague(kernel, owner, ['tenant.member'])
    const admin = await operator(kernel)
    const support = admin.with({ 'x-tenant-id': admin.operatorId })
    clock.forward(10 * MINUTE)
    const tenant = `/v1/identity/tenants/${owner.tenantId}`
    const needed = '403 reauthentication_required'
    t.is(codeOf(await owner.post(`${tenant}/transfer`, { memberId: member.memberId })), needed)
    t.is(codeOf(await owner.delete(tenant)), needed)
    t.is(codeOf(await owner.post('/v1/auth/me/second-factor/enrollment')), needed)
    t.is(codeOf(await owner.delete(`/v1/identity/members/${member.memberId}/second-factor`)), needed)
    const user = `/v1/identity/admin/users/${owner.userId}`
    const body = { tenantId: owner.tenantId, reason: 'Ticket 4711: an import fails' }
    t.is(codeOf(await support.post(`${user}/impersonation`, body)), needed)
    t.is(codeOf(await support.delete(`${user}/second-factor`)), needed)
  },
)

test.serial('a new passkey or account at a provider, which could be the next proof, needs one itself', async t => {
  const ada = await register()
  const browser = visitor(kernel, ada.cookie)
  const page = '/account/sign-in-methods'
  t.regex((await browser.open(page)).body, /data-passkey="add"/)
  clock.forward(10 * MINUTE)
  t.is(codeOf(await ada.post('/v1/auth/me/passkeys/options')), '403 reauthentication_required')
  t.notRegex((await browser.open(page)).body, /data-passkey="add"/)
  const connected = await browser.submit(page, { intent: 'connect', id: 'google' })
  t.is(connected.location, '/sign-in/confirm?next=%2Faccount%2Fsign-in-methods')
  t.is((await browser.submit('/sign-in/connect', {})).location, '/sign-in/confirm?next=%2Fsign-in%2Fconnect')
  await ada.post(REAUTHENTICATE, { password: TEST_PASSWORD })
  t.is((await ada.post('/v1/auth/me/passkeys/options')).status, 200)
  t.is((await browser.submit(page, { intent: 'connect', id: 'google' })).location, `${page}/connect/google`)
})

test.serial('removing a way to sign in, which may be the second factor, needs a recent proof', async t => {
  const ada = await register()
  const browser = visitor(kernel, ada.cookie)
  const page = '/account/sign-in-methods'
  const remove = () => ada.delete('/v1/auth/me/sign-in-methods/sid_00000000000000000000000000')
  t.is(codeOf(await remove()), '404 not_found')
  clock.forward(10 * MINUTE)
  t.is(codeOf(await remove()), '403 reauthentication_required')
  const removed = await browser.submit(page, { id: 'password' })
  t.is(removed.location, '/sign-in/confirm?next=%2Faccount%2Fsign-in-methods')
})

test.serial('making or removing an owner needs a recent proof, and other changes of members do not', async t => {
  const ada = await register()
  const { memberId } = await colleague(kernel, ada, ['tenant.member'])
  const { body: key } = await ada.post<{ key: string }>(KEYS, { name: 'A key' })
  const setRoles = (client: Client, roles: string[]) => client.patch(`/v1/identity/members/${memberId}`, { roles })
  const invite = (roles: string[]) => ada.post('/v1/identity/members/invite', { email: newEmail('bob'), roles })
  clock.forward(10 * MINUTE)
  t.is(codeOf(await setRoles(ada, ['tenant.owner'])), '403 reauthentication_required')
  t.is(codeOf(await invite(['tenant.owner'])), '403 reauthentication_required')
  t.is((await setRoles(ada, ['tenant.member'])).status, 200)
  t.is((await invite(['tenant.member'])).status, 201)
  const browser = visitor(kernel, ada.cookie)
  const page = `/workspace/members/${memberId}`
  const asked = await browser.submit(page, { intent: 'roles', 'role:tenant.owner': '1' })
  t.is(asked.location, `/sign-in/confirm?next=${encodeURIComponent(page)}`)
  const form = { intent: 'invite', emails: newEmail('bob'), role: 'tenant.owner' }
  t.is((await browser.submit('/workspace/members', form)).location, '/sign-in/confirm?next=%2Fworkspace%2Fmembers')
  t.is((await setRoles(kernel.as(key.key), ['tenant.owner'])).status, 200)
  t.is(codeOf(await setRoles(ada, ['tenant.member'])), '403 reauthentication_required')
  await ada.post(REAUTHENTICATE, { password: TEST_PASSWORD })
  t.is((await setRoles(ada, ['tenant.member'])).status, 200)
})

test.serial('a page leads to the proof and back, and then does what was asked', async t => {
  const ada = await register()
  const browser = visitor(kernel, ada.cookie)
  clock.forward(10 * MINUTE)
  const form = { name: 'From a page', days: '30', scope: 'all' }
  const refused = await browser.submit('/workspace/api-keys', form)
  t.is(refused.status, 307)
  t.is(refused.location, '/sign-in/confirm?next=%2Fworkspace%2Fapi-keys')
  const asked = await browser.open(String(refused.location))
  t.regex(asked.body, /type="password"/)
  const wrong = await browser.submit('/sign-in/confirm', { next: '/workspace/api-keys', password: 'wrong password' })
  t.is(wrong.status, 403)
  t.regex(wrong.text, /role="alert"/)
  const proved = await browser.submit('/sign-in/confirm', { next: '/workspace/api-keys', password: TEST_PASSWORD })
  t.is(proved.location, '/workspace/api-keys')
  t.is((await browser.submit('/workspace/api-keys', form)).status, 200)
})

test.serial('a form that needs a proof is kept until it is sent again', async t => {
  const ada = await register()
  const browser = visitor(kernel, ada.cookie)
  clock.forward(10 * MINUTE)
  const form = { name: 'Typed <once>', days: '30', scope: 'all' }
  const refused = await browser.submit('/workspace/api-keys', form)
  // As a browser does after a 307.
  const asked = await browser.submit(String(refused.location), form)
  t.regex(asked.text, /What you entered is kept/)
  const [, kept = ''] = /name="kept" value="([^"]*)"/.exec(asked.text) ?? []
  const decoded = kept
    .replaceAll('&quot;', '"')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&#x3D;', '=')
  t.deepEqual(JSON.parse(decoded), form)
  const next = '/workspace/api-keys'
  const wrong = await browser.submit('/sign-in/confirm', { next, kept: decoded, password: 'wrong password' })
  t.regex(wrong.text, /Typed &lt;once&gt;/)
  const proved = await browser.submit('/sign-in/confirm', { next, kept: decoded, password: TEST_PASSWORD })
  t.regex(
    proved.text,
    /<form method="post" action="\/workspace\/api-keys">[\s\S]*name="name" value="Typed &lt;once&gt;"/,
  )
  t.is((await browser.submit(next, form)).status, 200)
})

test.serial('a form as large as a page takes is kept, whatever its characters', async t => {
  const ada = await register()
  const browser = visitor(kernel, ada.cookie)
  const next = '/workspace/api-keys'
  const kept = JSON.stringify({ name: '\u0001"'.repeat(10_900), days: '30' })
  const proved = await browser.submit('/sign-in/confirm', { next, kept, password: TEST_PASSWORD })
  t.is(proved.status, 200)
  t.regex(proved.text, /Your identity is confirmed/)
})

test.serial('what was kept must be a form', async t => {
  const ada = await register()
  const browser = visitor(kernel, ada.cookie)
  for (const kept of ['{', '[]', '{"a":1}']) {
    const { status } = await browser.submit('/sign-in/confirm', { next: '/account', kept, password: TEST_PASSWORD })
    t.is(status, 422)
  }
})

test.serial('the pages of API keys ask before a form is filled in, once half of the time is over', async t => {
  const ada = await register()
  const { body: key } = await ada.post(KEYS, { name: 'A key' })
  const browser = visitor(kernel, ada.cookie)
  const create = /name="name"/
  t.regex((await browser.open('/workspace/api-keys')).body, create)
  t.is((await browser.open(`/workspace/api-keys/${key.id}`)).status, 200)
  clock.forward(5 * MINUTE)
  const { status, body } = await browser.open('/workspace/api-keys')
  t.is(status, 200)
  t.notRegex(body, create)
  t.regex(body, /\/sign-in\/confirm\?next=%2Fworkspace%2Fapi-keys|\/sign-in\/confirm\?next&#x3D;/)
  const edit = await browser.open(`/workspace/api-keys/${key.id}`)
  t.is(edit.location, `/sign-in/confirm?next=%2Fworkspace%2Fapi-keys%2F${key.id}`)
  await browser.submit('/sign-in/confirm', { next: '/workspace/api-keys', password: TEST_PASSWORD })
  t.regex((await browser.open('/workspace/api-keys')).body, create)
})

test.serial('the page of the proof never leads to another site, and offers to sign in again', async t => {
  const ada: Person = await register()
  const browser = visitor(kernel, ada.cookie)
  const proved = await browser.submit('/sign-in/confirm', { next: '//evil.test', password: TEST_PASSWORD })
  t.is(proved.location, '/')
  const { body } = await browser.open('/sign-in/confirm?next=/account')
  t.regex(body, /\/sign-in\?again&#x3D;1&amp;next&#x3D;%2Faccount|\/sign-in\?again=1&amp;next=%2Faccount/)
  t.is((await browser.open('/sign-in?again=1&next=/account')).status, 200)
  t.is((await browser.open('/sign-in?next=/account')).location, '/account')
})
