import test from 'ava'
import { TEST_PASSWORD } from '../../../../../testing/index.ts'
import { withPeople } from '../../../../fixtures/with-people.ts'
import { codeOf, colleague, fieldErrors, identityRecipe, newEmail, operator } from '../../fixtures.ts'

const { kernel } = withPeople(test, { recipe: identityRecipe() })

test('returns the same caller for a token, a key and a cookie', async t => {
  const ada = await kernel.register(newEmail())
  const clients = [
    ada,
    kernel.as(ada.apiKey),
    kernel.with({ 'x-api-key': ada.apiKey }),
    kernel.with({ cookie: ada.cookie }),
  ]
  for (const client of clients) {
    const { status, body } = await client.get('/v1/me')
    t.is(status, 200)
    t.is(body.user.id, ada.userId)
    t.is(body.workspace?.id, ada.tenantId)
    t.like(body, { role: 'tenant.owner', roles: ['tenant.owner'], permissions: ['*'] })
    t.is(body.apiKeys.length, 1)
    t.is(body.apiKeys[0]?.key, undefined)
  }
  t.is((await kernel.get('/v1/me')).status, 401)
})

test("returns the caller's rights in the selected tenant", async t => {
  const owner = await kernel.register(newEmail())
  const member = await colleague(kernel, owner, ['tenant.member'])
  const { body } = await member.get('/v1/me')
  t.is(body.workspace?.id, owner.tenantId)
  t.like(body, { role: 'tenant.member', permissions: ['content.page.read'], apiKeys: [] })
  const home = await member.person.get('/v1/me')
  t.is(home.body.workspace?.id, member.person.tenantId)
  const foreign = await kernel.register(newEmail())
  t.is(codeOf(await member.with({ 'x-tenant-id': foreign.tenantId }).get('/v1/me')), '403 not_a_member')
})

test('lists all memberships with the home workspace first', async t => {
  const owner = await kernel.register(newEmail())
  const member = await colleague(kernel, owner, ['tenant.member'])
  const { body } = await member.person.get('/v1/auth/me')
  t.deepEqual(
    body.memberships.map(({ tenantId }) => tenantId),
    [member.person.tenantId, owner.tenantId],
  )
  t.is(codeOf(await kernel.as(owner.apiKey).get('/v1/auth/me')).slice(0, 3), '403', 'a key is no person')
})

test('updates name and language only', async t => {
  const ada = await kernel.register(newEmail())
  const patch = (body: unknown) => ada.patch('/v1/auth/me', body)
  t.like((await patch({ name: 'Ada', locale: 'en' })).body.user, { name: 'Ada', locale: 'en' })
  t.like((await patch({ locale: null })).body.user, { name: 'Ada', locale: null })
  const wrong = await patch({ email: 'x@example.test', emailVerified: true, name: '', locale: 'xx' })
  t.deepEqual(fieldErrors(wrong), [
    '/email unknown_field',
    '/emailVerified unknown_field',
    '/locale not_allowed',
    '/name too_short',
    '/name wrong_format',
  ])
})

test('changing the password ends all logins and returns a new one', async t => {
  const ada = await kernel.register(newEmail())
  const other = await kernel.post('/v1/auth/login', { email: ada.email, password: ada.password })
  const change = (currentPassword: string, newPassword: string) =>
    ada.post('/v1/auth/password/change', { currentPassword, newPassword })
  t.is(codeOf(await change('not it at all', 'an entirely new one')), '403 wrong_password')
  t.deepEqual(fieldErrors(await change(TEST_PASSWORD, 'password')), ['/newPassword common_password'])
  const changed = await change(TEST_PASSWORD, 'an entirely new one')
  t.is(changed.status, 200)
  for (const dead of [ada, kernel.as(other.body.token), kernel.with({ cookie: ada.cookie })])
    t.is((await dead.get('/v1/auth/me')).status, 401)
  t.is((await kernel.as(String(changed.body.token)).get('/v1/auth/me')).status, 200)
  t.is((await kernel.as(ada.apiKey).get('/v1/me')).status, 200, 'keys are not sign-ins')
})

test("lists and ends only the user's own logins", async t => {
  const ada = await kernel.register(newEmail())
  const other = await kernel
    .with({ 'user-agent': 'the other browser' })
    .post('/v1/auth/login', { email: ada.email, password: ada.password })
  const { body } = await ada.get('/v1/auth/sessions')
  t.is(body.data.length, 2)
  t.deepEqual(
    body.data.map(({ current }) => current),
    [false, true],
  )
  const [there, here] = body.data
  t.is(there?.userAgent, 'the other browser')
  const eve = await kernel.register(newEmail())
  t.is(codeOf(await eve.delete(`/v1/auth/sessions/${here?.id}`)), '404 not_found')
  t.is((await ada.delete(`/v1/auth/sessions/${there?.id}`)).status, 204)
  t.is((await kernel.as(other.body.token).get('/v1/auth/me')).status, 401)
  t.is(codeOf(await ada.delete(`/v1/auth/sessions/${there?.id}`)), '404 not_found')
  const first = await ada.get('/v1/auth/sessions?limit=1')
  t.is(first.body.nextCursor, null)
})

test('sends the verification email again until the address is verified', async t => {
  const ada = await kernel.register(newEmail())
  t.is((await ada.post('/v1/auth/verify-email/send')).status, 202)
  await kernel.settled()
  const inbox = await kernel.get(`/v1/communications/mailbox?filter[to]=${encodeURIComponent(ada.email)}`)
  t.deepEqual(inbox.body.data.map(({ subject }) => subject).sort(), ['Confirm your email for Test', 'Welcome to Test'])
})

test('a claim code makes its sender the operator once', async t => {
  const admin = await operator(kernel)
  t.is(codeOf(await admin.post('/v1/auth/claim', { code: admin.code })), '403 invalid_claim')
  const here = await admin.with({ 'x-tenant-id': admin.operatorId }).get('/v1/me')
  t.deepEqual([...here.body.roles].sort(), ['platform.admin', 'tenant.owner'])
})

test('a platform admin reads another tenant without tenant permissions', async t => {
  const admin = await operator(kernel)
  const outsider = await kernel.register(newEmail())
  const there = admin.with({ 'x-tenant-id': outsider.tenantId })
  t.is(codeOf(await there.get('/v1/identity/members')), '403 forbidden')
  const me = await there.get('/v1/me')
  t.is(me.body.workspace?.id, outsider.tenantId)
  t.deepEqual(me.body.roles, ['platform.admin'])
  t.is((await there.get('/v1/platform/recipe')).status, 200)
  t.is((await kernel.as(admin.apiKey).get('/v1/platform/recipe')).status, 403, 'a key of another tenant is no admin')
})
