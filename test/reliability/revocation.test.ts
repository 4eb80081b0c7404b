/** Revoked access ends with the next request, in every process. */
import test from 'ava'
import { type Client, type Person, startTestKernel, type TestKernel } from '../../testing/index.ts'
import { codeOf, colleague, newEmail, role, startIdentity } from '../modules/identity/fixtures.ts'

let first: TestKernel
let second: TestKernel
let owner: Person

test.before(async () => {
  first = await startIdentity({}, { role: 'web' })
  const recipe = { modules: { identity: {}, comms: {} } }
  second = await startTestKernel({ recipe, role: 'web', database: first.databaseUrl })
  owner = await first.register(newEmail('owner'))
})
test.after.always(async () => {
  await second?.stop()
  await first?.stop()
})

/** The same credential at the other process. */
const atSecond = (credential: string, tenantId?: string): Client => second.as(credential, tenantId)

test('a removed role takes effect in every process', async t => {
  const reader = await role(owner, 'team.reader', ['identity.member.read'])
  const member = await colleague(first, owner, [reader])
  const remote = atSecond(member.person.token, owner.tenantId)
  t.is((await member.get('/v1/identity/members')).status, 200)
  t.is((await remote.get('/v1/identity/members')).status, 200)
  t.is((await owner.patch(`/v1/identity/members/${member.memberId}`, { roles: ['tenant.member'] })).status, 200)
  t.is(codeOf(await member.get('/v1/identity/members')), '403 forbidden')
  t.is(codeOf(await remote.get('/v1/identity/members')), '403 forbidden')
})

test('a removed permission takes effect in every process', async t => {
  const key = await role(owner, 'team.auditor', ['identity.audit.read'])
  const member = await colleague(first, owner, [key])
  const remote = atSecond(member.person.token, owner.tenantId)
  t.is((await remote.get('/v1/identity/audit')).status, 200)
  t.is((await owner.patch(`/v1/identity/roles/${key}`, { permissions: [] })).status, 200)
  t.is(codeOf(await member.get('/v1/identity/audit')), '403 forbidden')
  t.is(codeOf(await remote.get('/v1/identity/audit')), '403 forbidden')
})

test('a deleted API key is rejected in every process', async t => {
  const made = await owner.post<{ id: string; key: string }>('/v1/identity/api-keys', { name: 'short-lived' })
  const remote = atSecond(made.body.key)
  t.is((await remote.get('/v1/identity/members')).status, 200)
  t.is((await owner.delete(`/v1/identity/api-keys/${made.body.id}`)).status, 204)
  t.is((await first.as(made.body.key).get('/v1/identity/members')).status, 401)
  t.is(codeOf(await remote.get('/v1/identity/members')), '401 unauthenticated')
})

test("a removed member and the member's API keys are rejected in every process", async t => {
  const member = await colleague(first, owner, ['tenant.owner'])
  const { body } = await member.post<{ key: string }>('/v1/identity/api-keys', { name: 'of a member' })
  const remote = atSecond(member.person.token, owner.tenantId)
  const key = atSecond(body.key)
  t.deepEqual(
    [(await remote.get('/v1/identity/roles')).status, (await key.get('/v1/identity/roles')).status],
    [200, 200],
  )
  t.is((await owner.delete(`/v1/identity/members/${member.memberId}`)).status, 204)
  t.is(codeOf(await member.get('/v1/identity/roles')), '403 not_a_member')
  t.is(codeOf(await remote.get('/v1/identity/roles')), '403 not_a_member')
  t.is(codeOf(await key.get('/v1/identity/roles')), '401 unauthenticated')
})

test('a deleted tenant is inaccessible in every process', async t => {
  const person = await first.register(newEmail('founder'))
  const remote = atSecond(person.token, person.tenantId)
  const key = atSecond(person.apiKey)
  t.deepEqual(
    [(await remote.get('/v1/identity/members')).status, (await key.get('/v1/identity/members')).status],
    [200, 200],
  )
  t.is((await person.delete(`/v1/identity/tenants/${person.tenantId}`)).status, 204)
  t.is(codeOf(await first.as(person.token, person.tenantId).get('/v1/identity/members')), '403 not_a_member')
  t.is((await first.as(person.apiKey).get('/v1/identity/members')).status, 401)
  t.is(codeOf(await remote.get('/v1/identity/members')), '403 not_a_member')
  t.is(codeOf(await key.get('/v1/identity/members')), '401 unauthenticated')
})

test('a password change ends all logins in every process', async t => {
  const person = await first.register(newEmail('person'))
  const remote = atSecond(person.token)
  t.is((await remote.get('/v1/me')).status, 200)
  const change = { currentPassword: person.password, newPassword: 'a wholly different phrase' }
  t.is((await person.post('/v1/auth/password/change', change)).status, 200)
  t.is((await person.get('/v1/me')).status, 401)
  t.is(codeOf(await remote.get('/v1/me')), '401 unauthenticated')
})
