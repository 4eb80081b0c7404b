/** Operators who act as a user. */
import test from 'ava'
import { HOUR, MINUTE } from '../../../../kernel/base/units.ts'
import type { Client, Person } from '../../../../testing/index.ts'
import { withPeople } from '../../../fixtures/with-people.ts'
import {
  codeOf,
  colleague,
  fieldErrors,
  identityRecipe,
  newEmail,
  operator,
  type Page,
  role,
  startIdentity,
  sweep,
} from '../fixtures.ts'
import { waitForToken } from '../pages/mail-tokens.ts'

interface Started {
  token: string | null
  tenantId: string
  expiresAt: string
}
const REASON = 'Ticket 4711: an import fails'

let admin: Person
let operatorId: string

const { kernel, clock } = withPeople(
  test,
  { recipe: identityRecipe({ impersonation: true }), clock: true, alone: true },
  {},
  async () => {
    const person = await operator(kernel)
    operatorId = person.operatorId
    admin = { ...person, ...person.with({ 'x-tenant-id': operatorId }) }
  },
)

const { kernel: off } = withPeople(test, { recipe: identityRecipe() })

// Tests move the clock, and an impersonation needs a recent proof of who the operator is.
test.beforeEach(async () => {
  await admin.post('/v1/auth/reauthenticate', { password: admin.password })
})

const start = (by: Client, userId: string, tenantId: string, reason = REASON) =>
  by.post(`/v1/identity/admin/users/${userId}/impersonation`, { tenantId, reason })

/** Another platform admin. */
async function otherAdmin(): Promise<Person> {
  const made = await colleague(kernel, { ...admin, tenantId: operatorId }, ['platform.admin'])
  return { ...made.person, ...made.person.with({ 'x-tenant-id': operatorId }) }
}
async function actAs(person: Person, by: Client = admin): Promise<Client> {
  const { status, body } = await start(by, person.userId, person.tenantId)
  if (status !== 201 || body.token === null) throw new Error(`starting was answered ${status}`)
  return kernel.as(body.token, person.tenantId)
}
const entries = async (client: Client, action: string) =>
  (await client.get(`/v1/identity/audit?filter[action]=${action}`)).body.data

test.serial('acts as a user in one workspace, names both, and ends', async t => {
  const ada = await kernel.register(newEmail('ada'))
  const there = await kernel.register(newEmail('host'))
  const member = await colleague(kernel, there, ['tenant.member'])
  const { status, body } = await start(admin, member.person.userId, there.tenantId)
  t.is(status, 201)
  const left = Date.parse(body.expiresAt) - clock.now()
  t.true(left > 29 * MINUTE && left <= 30 * MINUTE)
  const support = kernel.as(body.token ?? '')
  const me = await support.get('/v1/me')
  t.like(me.body, { user: { id: member.person.userId }, workspace: { id: there.tenantId }, platformPermissions: [] })
  t.like(me.body.impersonation, { by: { id: admin.userId, email: admin.email }, reason: REASON })
  t.is((await admin.get('/v1/me')).body.impersonation, null)
  for (const tenantId of [member.person.tenantId, ada.tenantId, operatorId])
    t.is(codeOf(await support.with({ 'x-tenant-id': tenantId }).get('/v1/me')), '403 not_a_member')
  t.is((await support.post('/v1/auth/impersonation/end')).status, 204)
  t.is(codeOf(await support.get('/v1/me')), '401 unauthenticated')
  t.is((await support.post('/v1/auth/impersonation/end')).status, 204)
})

test.serial('ends with the login that started it, however that ends', async t => {
  const ada = await kernel.register(newEmail('ada'))
  const again = async () => {
    const { body } = await kernel.post('/v1/auth/login', {
      email: admin.email,
      password: admin.password,
    })
    return kernel.as(body.token, operatorId)
  }
  const currentLogin = async (client: Client) =>
    (await client.get('/v1/auth/sessions')).body.data.find(({ current }) => current)?.id
  const ways: Record<string, (session: Client) => Promise<unknown>> = {
    'sign-out': session => session.post('/v1/auth/logout'),
    'from the list of logins': async session => admin.delete(`/v1/auth/sessions/${await currentLogin(session)}`),
    'by an operator': async session =>
      admin.delete(`/v1/identity/admin/users/${admin.userId}/logins/${await currentLogin(session)}`),
  }
  for (const [way, end] of Object.entries(ways)) {
    const session = await again()
    const support = await actAs(ada, session)
    t.is((await support.get('/v1/me')).status, 200, way)
    const before = (await entries(ada, 'impersonation.ended')).length
    await end(session)
    t.is(codeOf(await session.get('/v1/me')), '401 unauthenticated', way)
    t.is(codeOf(await support.get('/v1/me')), '401 unauthenticated', way)
    t.is((await entries(ada, 'impersonation.ended')).length, before + 1, way)
  }
})

test.serial('does not outlast the login that started it', async t => {
  const ada = await kernel.register(newEmail('ada'))
  const { body: signedIn } = await kernel.post('/v1/auth/login', {
    email: admin.email,
    password: admin.password,
  })
  const { rows } = await kernel.kernel.ports.systemDatabase
    .acrossTenants('a test ends a login soon')
    .query<{ id: string }>(
      `update identity_logins set expires_at = $1, extended_at = $2
       where id = (select id from identity_logins where user_id = $3 order by id desc limit 1) returning id`,
      [new Date(clock.now() + 5 * MINUTE), new Date(clock.now()), admin.userId],
    )
  t.is(rows.length, 1)
  const { body } = await start(kernel.as(signedIn.token, operatorId), ada.userId, ada.tenantId)
  t.is(Date.parse(body.expiresAt) - clock.now() <= 5 * MINUTE, true)
})

test.serial('records start and end in both logs, and the operator of each action', async t => {
  const ada = await kernel.register(newEmail('ada'))
  const support = await actAs(ada)
  const { body: made } = await support.post('/v1/identity/roles', {
    key: 'team.helped',
    name: 'Helped',
    permissions: [],
  })
  t.is(made.key, 'team.helped')
  const [created] = await entries(ada, 'role.created')
  t.like(created?.actor, { kind: 'login', userId: ada.userId, impersonatedBy: admin.userId })
  await support.post('/v1/auth/impersonation/end')
  for (const log of [ada, admin]) {
    const [began] = await entries(log, 'impersonation.started')
    t.like(began, { subject: ada.userId, actor: { userId: admin.userId, impersonatedBy: null } })
    t.like(began?.details, { userId: ada.userId, operatorId: admin.userId, reason: REASON, operator: admin.email })
    const [ended] = await entries(log, 'impersonation.ended')
    t.like(ended, { actor: { userId: ada.userId, impersonatedBy: admin.userId }, details: { cause: 'ended' } })
  }
})

test.serial('neither reads nor makes secrets, nor sends events to a new place', async t => {
  const own = await startIdentity(
    { impersonation: true },
    {
      recipe: {
        modules: { webhooks: {}, comms: {}, sessions: {}, streams: {}, forms: {}, identity: { impersonation: true } },
      },
    },
  )
  t.teardown(() => own.stop())
  const boss = await operator(own)
  const ada = await own.register(newEmail('ada'))
  const endpoint = { url: 'https://example.test/hook', events: ['*'] }
  const made = await ada.post('/v1/webhooks/endpoints', endpoint)
  t.is(made.status, 201)
  const started = await boss
    .with({ 'x-tenant-id': boss.operatorId })
    .post(`/v1/identity/admin/users/${ada.userId}/impersonation`, { tenantId: ada.tenantId, reason: REASON })
  const support = own.as(started.body.token ?? '')
  const path = `/v1/webhooks/endpoints/${made.body.id}`
  t.is((await support.get(path)).status, 200)
  const form = { name: 'Contact', schema: { type: 'object', properties: { email: { type: 'string' } } } }
  const { body: contact } = await ada.post('/v1/forms', form)
  const { body: session } = await ada.post('/v1/sessions', { mode: 'screenshare' })
  t.is((await support.patch(`/v1/forms/${contact.id}`, { notify: [] })).status, 200)
  const notify = ['mallory@example.test']
  const refused = [
    await support.post('/v1/forms', { ...form, notify }),
    await support.patch(`/v1/forms/${contact.id}`, { notify }),
    await support.post(`/v1/sessions/${session.id}/token/rotate`),
    await support.get('/v1/webhooks/secret'),
    await support.post('/v1/webhooks/secret/rotate'),
    await support.get(`${path}/secret`),
    await support.post(`${path}/secret/rotate`),
    await support.post('/v1/webhooks/endpoints', endpoint),
    await support.patch(path, { url: 'https://example.test/mine' }),
    await support.post('/v1/streams/str_00000000000000000000000000/tokens', { kind: 'publish' }),
  ]
  t.deepEqual(
    refused.map(codeOf),
    refused.map(() => '403 impersonated'),
  )
})

const FORBIDDEN: readonly (readonly [method: 'post' | 'patch' | 'delete', path: string, body?: object])[] = [
  ['patch', '/v1/auth/me', { name: 'Mallory' }],
  ['post', '/v1/auth/password/change', { currentPassword: 'x', newPassword: 'another long password' }],
  ['post', '/v1/auth/email/change', { email: 'mallory@example.test', password: 'x' }],
  ['delete', '/v1/auth/email/change'],
  ['post', '/v1/auth/verify-email/send'],
  ['post', '/v1/auth/me/delete', { password: 'x' }],
  ['post', '/v1/auth/claim', { code: 'x' }],
  ['post', '/v1/identity/tenants', { name: 'Another' }],
  ['post', '/v1/identity/invitations/accept', { token: 'x' }],
]

test.serial('cannot change the account, its sign-in, or what outlasts the impersonation', async t => {
  const ada = await kernel.register(newEmail('ada'))
  const support = await actAs(ada)
  for (const [method, path, body] of FORBIDDEN)
    t.is(codeOf(await support.call(method, path, body)), '403 impersonated', path)
  const { body } = await ada.get('/v1/auth/sessions')
  for (const { id } of body.data) t.is(codeOf(await support.delete(`/v1/auth/sessions/${id}`)), '403 impersonated')
  t.is(codeOf(await support.get('/v1/auth/me/export')), '403 not_exported')

  const { body: key } = await ada.post('/v1/identity/api-keys', { name: 'Own' })
  t.is(codeOf(await support.post('/v1/identity/api-keys', { name: 'Hidden' })), '403 forbidden')
  t.is(codeOf(await support.patch(`/v1/identity/api-keys/${key.id}`, { name: 'x' })), '403 forbidden')
  t.is(codeOf(await support.delete(`/v1/identity/api-keys/${key.id}`)), '403 forbidden')
  t.is(codeOf(await support.delete(`/v1/identity/tenants/${ada.tenantId}`)), '403 forbidden')
  const invite = { email: newEmail('mallory'), roles: ['tenant.owner'], sendEmail: false }
  t.is(codeOf(await support.post('/v1/identity/members/invite', invite)), '403 forbidden')
  const friend = await colleague(kernel, ada, ['tenant.member'])
  const transfer = `/v1/identity/tenants/${ada.tenantId}/transfer`
  t.is(codeOf(await support.post(transfer, { memberId: friend.memberId })), '403 not_owner')
  t.is(codeOf(await start(support, friend.person.userId, ada.tenantId)), '403 forbidden')
  t.is((await ada.get('/v1/me')).status, 200)
})

test.serial('neither leaves the workspace nor changes the roles of the person, whatever their rights', async t => {
  const ada = await kernel.register(newEmail('ada'))
  const owner = await colleague(kernel, ada, ['tenant.owner'])
  const member = await colleague(kernel, ada, ['tenant.member'])
  for (const { person, memberId } of [owner, member]) {
    const support = await actAs({ ...person, tenantId: ada.tenantId })
    t.is(codeOf(await support.delete(`/v1/identity/members/${memberId}`)), '403 impersonated')
    const roles = { roles: ['tenant.member'] }
    const expected = person === owner.person ? '403 impersonated' : '403 forbidden'
    t.is(codeOf(await support.patch(`/v1/identity/members/${memberId}`, roles)), expected)
  }
  const { body } = await ada.get('/v1/identity/members')
  t.deepEqual(body.data.find(({ id }) => id === owner.memberId)?.roles, ['tenant.owner'])
  t.true(body.data.some(({ id }) => id === member.memberId))
})

test.serial('invites nobody, with any role, and gets no link of an invitation', async t => {
  const ada = await kernel.register(newEmail('ada'))
  await role(ada, 'team.guest', [])
  const support = await actAs(ada)
  const invite = (by: Client, sendEmail: boolean) =>
    by.post('/v1/identity/members/invite', { email: newEmail('mallory'), roles: ['team.guest'], sendEmail })
  for (const sendEmail of [true, false]) t.is(codeOf(await invite(support, sendEmail)), '403 impersonated')
  const { body: invited } = await invite(ada, true)
  const resend = (sendEmail: boolean) => support.post(`/v1/identity/invitations/${invited.id}/resend`, { sendEmail })
  t.is(codeOf(await resend(false)), '403 impersonated')
  t.is((await resend(true)).status, 200)
  t.is((await ada.get('/v1/identity/invitations')).body.data.length, 1)
})

test.serial('removes another member by the rights of the person', async t => {
  const ada = await kernel.register(newEmail('ada'))
  await role(ada, 'team.guest', [])
  const member = await colleague(kernel, ada, ['team.guest'])
  const support = await actAs(ada)
  t.is((await support.delete(`/v1/identity/members/${member.memberId}`)).status, 204)
})

test.serial('an operator who opens the link that confirms an address gets no login of the person', async t => {
  const ada = await kernel.register(newEmail('ada'))
  const token = await waitForToken(kernel, ada.email, '/verify-email')
  const support = await actAs(ada)
  const { status, body, headers } = await support.post('/v1/auth/verify-email', { token })
  t.deepEqual([status, 'login' in body, headers.getSetCookie()], [200, false, []])
})

test.serial('an operator who opens the link to a new address gets no login of the person', async t => {
  const ada = await kernel.register(newEmail('ada'))
  const email = newEmail('after')
  t.is((await ada.post('/v1/auth/email/change', { email, password: ada.password })).status, 202)
  const token = await waitForToken(kernel, email, '/change-email')
  const support = await actAs(ada)
  const { body, headers } = await support.post<{ login?: object | null }>('/v1/auth/email/confirm', { token })
  t.deepEqual([body.login ?? null, headers.getSetCookie()], [null, []])
})

test.serial('forms of the pages refuse the same', async t => {
  const ada = await kernel.register(newEmail('ada'))
  const own = kernel.with({ cookie: admin.cookie, 'x-tenant-id': operatorId, origin: kernel.url })
  const started = await own.post<Started>(`/v1/identity/admin/users/${ada.userId}/impersonation`, {
    tenantId: ada.tenantId,
    reason: REASON,
  })
  t.is(started.body.token, null)
  const set = started.headers.getSetCookie()
  const jar = set.map(each => each.split(';')[0]).join('; ')
  t.regex(set[0] ?? '', /^platform_session=.*Max-Age=1800;.*HttpOnly/)
  t.true(jar.includes(`platform_operator=${admin.cookie.split('=')[1]}`))
  const post = (path: string, body: string) =>
    fetch(kernel.url + path, {
      method: 'POST',
      redirect: 'manual',
      body,
      headers: { cookie: jar, origin: kernel.url, 'content-type': 'application/x-www-form-urlencoded' },
    })
  for (const path of ['/account', '/account/email', '/account/password', '/account/data', '/account/logins'])
    t.is((await post(path, 'password=x')).status, 403, path)
  t.is((await post('/workspace/settings', 'intent=leave')).status, 403)
  // Another owner remains, so that the person could leave.
  const { data } = (await ada.get<Page<{ id: string }>>('/v1/identity/members')).body
  await colleague(kernel, ada, ['tenant.owner'])
  t.is((await post(`/workspace/members/${data[0]?.id}`, 'intent=remove')).status, 403)
  await role(ada, 'team.guest', [])
  const invited = new URLSearchParams({ emails: newEmail('mallory'), role: 'team.guest' })
  t.true((await (await post('/workspace/members', String(invited))).text()).includes('while you act as another person'))
  const there = await kernel.register(newEmail('host'))
  const ofAda = { email: ada.email, roles: ['tenant.member'], sendEmail: false }
  const { link } = (await there.post<{ link: string }>('/v1/identity/members/invite', ofAda)).body
  const accepted = new URL(link).searchParams
  t.is((await post('/invitations/accept', String(accepted))).status, 403)
  t.is((await ada.post('/v1/identity/invitations/accept', Object.fromEntries(accepted))).status, 200)
  t.true((await (await post('/claim', 'code=AAAA-BBBB-CCCC-DDDD')).text()).includes('while you act as another person'))
  const ended = await post('/impersonation/end', 'next=/console/identity/people')
  t.is(ended.status, 303)
  t.is(ended.headers.get('location'), '/console/identity/people')
  t.true(ended.headers.getSetCookie()[0]?.startsWith(admin.cookie))
  t.is((await kernel.with({ cookie: admin.cookie }).get('/v1/me')).status, 200)
})

test.serial('signing out ends the impersonation and the login of the operator', async t => {
  const other = await otherAdmin()
  const ada = await kernel.register(newEmail('ada'))
  const own = kernel.with({ cookie: other.cookie, 'x-tenant-id': operatorId, origin: kernel.url })
  const started = await start(own, ada.userId, ada.tenantId)
  const jar = started.headers
    .getSetCookie()
    .map(each => each.split(';')[0])
    .join('; ')
  const support = kernel.with({ cookie: jar, origin: kernel.url })
  t.is((await support.get('/v1/me')).status, 200)
  const ended = () => entries(admin, 'login.ended')
  const before = (await ended()).length
  t.is((await support.post('/v1/auth/logout', {})).status, 204)
  t.is((await support.get('/v1/me')).status, 401)
  t.is((await own.get('/v1/me')).status, 401)
  const [entry, ...others] = await ended()
  t.is(others.length, before)
  t.like(entry, { actor: { userId: other.userId, impersonatedBy: null } })
  t.is((await ada.get('/v1/me')).status, 200)
})

test.serial('the page that signs out ends the login of the operator, too', async t => {
  const other = await otherAdmin()
  const ada = await kernel.register(newEmail('ada'))
  const own = kernel.with({ cookie: other.cookie, 'x-tenant-id': operatorId, origin: kernel.url })
  const started = await start(own, ada.userId, ada.tenantId)
  const cookie = started.headers
    .getSetCookie()
    .map(each => each.split(';')[0])
    .join('; ')
  const { status } = await fetch(`${kernel.url}/sign-out`, {
    method: 'POST',
    redirect: 'manual',
    headers: { cookie, origin: kernel.url, 'content-type': 'application/x-www-form-urlencoded' },
  })
  t.is(status, 303)
  t.is((await own.get('/v1/me')).status, 401)
  t.is((await kernel.with({ cookie }).get('/v1/me')).status, 401)
})

test.serial('the user sees support access among their logins, and ends it', async t => {
  const ada = await kernel.register(newEmail('ada'))
  const support = await actAs(ada)
  const { body } = await ada.get('/v1/auth/sessions')
  t.is(body.data.length, 2)
  const found = body.data.find(({ impersonation }) => impersonation !== null)
  t.like(found?.impersonation, { by: { id: admin.userId }, reason: REASON })
  t.is((await ada.delete(`/v1/auth/sessions/${found?.id}`)).status, 204)
  t.is(codeOf(await support.get('/v1/me')), '401 unauthenticated')
  const [ended] = await entries(ada, 'impersonation.ended')
  t.like(ended?.actor, { userId: ada.userId, impersonatedBy: null })
})

test.serial('refuses operators, strangers, other workspaces and bad reasons', async t => {
  const [ada, bob] = [await kernel.register(newEmail('ada')), await kernel.register(newEmail('bob'))]
  const other = await otherAdmin()
  t.is(codeOf(await start(admin, other.userId, other.tenantId)), '403 operator_account')
  t.is(codeOf(await start(admin, admin.userId, admin.tenantId)), '403 operator_account')
  t.is(codeOf(await start(admin, 'usr_none', ada.tenantId)), '404 not_found')
  t.deepEqual(fieldErrors(await start(admin, ada.userId, bob.tenantId)), ['/tenantId not_a_member'])
  t.is(codeOf(await start(admin, ada.userId, ada.tenantId, 'too short')), '422 validation_failed')
  t.is(codeOf(await start(admin, ada.userId, ada.tenantId, ' '.repeat(20))), '422 validation_failed')
  t.is(codeOf(await start(admin, ada.userId, ada.tenantId, 'x'.repeat(501))), '422 validation_failed')
  const path = `/v1/identity/admin/users/${ada.userId}/impersonation`
  t.is(codeOf(await admin.post(path, { tenantId: 7, reason: REASON })), '422 validation_failed')
  t.is(codeOf(await admin.post(path, { reason: REASON })), '422 validation_failed')
  t.is(codeOf(await admin.post(path, { tenantId: ada.tenantId, reason: REASON, ttl: '9d' })), '422 validation_failed')
  t.is(codeOf(await start(bob, ada.userId, ada.tenantId)), '403 forbidden')
  t.is(codeOf(await start(bob.with({ 'x-tenant-id': ada.tenantId }), ada.userId, ada.tenantId)), '403 not_a_member')
  t.is((await start(kernel, ada.userId, ada.tenantId)).status, 401)
  const { body: key } = await admin.post<{ key: string }>('/v1/identity/api-keys', { name: 'Operator' })
  t.is(codeOf(await start(kernel.as(key.key), ada.userId, ada.tenantId)), '403 api_key_refused')
  t.is((await admin.get<{ impersonable: boolean }>(`/v1/identity/admin/users/${ada.userId}`)).body.impersonable, true)
  t.is(
    (await admin.get<{ impersonable: boolean }>(`/v1/identity/admin/users/${other.userId}`)).body.impersonable,
    false,
  )
})

test.serial('expires after 30 minutes, whatever happens in between', async t => {
  const ada = await kernel.register(newEmail('ada'))
  const support = await actAs(ada)
  clock.forward(29 * MINUTE)
  t.is((await support.get('/v1/me')).status, 200)
  clock.forward(2 * MINUTE)
  t.is(codeOf(await support.get('/v1/me')), '401 unauthenticated')
  await sweep(kernel)
  t.like((await entries(ada, 'impersonation.ended'))[0], { actor: { kind: 'system' }, details: { cause: 'expired' } })
  clock.forward(HOUR)
})

test.serial('an operator has one impersonation at a time', async t => {
  const people = await Promise.all(['a', 'b', 'c'].map(name => kernel.register(newEmail(name))))
  const started = await Promise.all(people.map(({ userId, tenantId }) => start(admin, userId, tenantId)))
  t.deepEqual([...new Set(started.map(({ status }) => status))], [201])
  const statuses = await Promise.all(started.map(({ body }) => kernel.as(body.token ?? '').get('/v1/me')))
  t.deepEqual(statuses.map(({ status }) => status).sort(), [200, 401, 401])
})

test.serial('an operator who loses the permission loses the impersonation', async t => {
  const ada = await kernel.register(newEmail('ada'))
  const other = await otherAdmin()
  const support = await actAs(ada, other)
  t.is((await support.get('/v1/me')).status, 200)
  const { body } = await admin.get('/v1/identity/members?limit=200')
  const member = body.data.find(({ userId }) => userId === other.userId)
  await role(admin, 'team.watcher', [])
  t.is((await admin.patch(`/v1/identity/members/${member?.id}`, { roles: ['team.watcher'] })).status, 200)
  t.is(codeOf(await support.get('/v1/me')), '401 unauthenticated')
  t.like((await entries(ada, 'impersonation.ended'))[0], { details: { cause: 'revoked' } })
})

test.serial('ends when the user becomes an operator', async t => {
  const ada = await kernel.register(newEmail('ada'))
  const support = await actAs(ada)
  t.is((await support.get('/v1/me')).status, 200)
  const invited = await admin.post<{ link: string }>('/v1/identity/members/invite', {
    email: ada.email,
    roles: ['platform.admin'],
    sendEmail: false,
  })
  const token = new URL(invited.body.link).searchParams.get('token')
  t.is((await ada.post('/v1/identity/invitations/accept', { token })).status, 200)
  t.is(codeOf(await support.get('/v1/me')), '401 unauthenticated')
})

test.serial('ending all logins of the operator ends their impersonation', async t => {
  const ada = await kernel.register(newEmail('ada'))
  const other = await otherAdmin()
  const support = await actAs(ada, other)
  t.is((await admin.delete(`/v1/identity/admin/users/${other.userId}/logins`)).status, 204)
  t.is(codeOf(await support.get('/v1/me')), '401 unauthenticated')
  t.is((await ada.get('/v1/me')).status, 200)
})

test.serial('is off unless the recipe turns it on', async t => {
  const boss = await operator(off)
  const ada = await off.register(newEmail('ada'))
  const here = boss.with({ 'x-tenant-id': boss.operatorId })
  t.is(codeOf(await start(here, ada.userId, ada.tenantId)), '403 impersonation_off')
  t.is((await here.get(`/v1/identity/admin/users/${ada.userId}`)).body.impersonable, false)
})
