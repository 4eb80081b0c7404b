/** What is taken away counts from the next request: here at once, on another process of the database within a second. */
import test from 'ava'
import { SECOND } from '../../kernel/base/units.ts'
import { type Client, type Person, startTestKernel, type TestKernel } from '../../testing/index.ts'
import { colleague, newEmail, outcome, role, startIdentity } from '../modules/identity/fixtures.ts'

let here: TestKernel
let there: TestKernel
let owner: Person

test.before(async () => {
  here = await startIdentity({}, { role: 'web' })
  const recipe = { modules: { identity: {}, comms: {} } }
  there = await startTestKernel({ recipe, role: 'web', database: here.databaseUrl })
  owner = await here.register(newEmail('owner'))
})
test.after.always(async () => {
  await there?.stop()
  await here?.stop()
})

/** The same caller at the other process. */
const elsewhere = (credential: string, tenantId?: string): Client => there.as(credential, tenantId)

/** Asked all the time, so that what is kept of the caller stays warm. */
async function untilThere(ask: () => Promise<string>, wanted: string): Promise<void> {
  const end = Date.now() + PATIENCE
  for (;;) {
    const was = await ask()
    if (was === wanted) return
    if (Date.now() > end) throw new Error(`still ${was} after ${PATIENCE} ms`)
  }
}

/** It takes a second at most; a machine that is busy with other tests may be late. */
const PATIENCE = 5 * SECOND

test('a role that is taken from a member', async t => {
  const reader = await role(owner, 'team.reader', ['identity.member.read'])
  const member = await colleague(here, owner, [reader])
  const far = elsewhere(member.person.token, owner.tenantId)
  t.is((await member.get('/v1/identity/members')).status, 200)
  t.is((await far.get('/v1/identity/members')).status, 200)
  t.is((await owner.patch(`/v1/identity/members/${member.memberId}`, { roles: ['tenant.member'] })).status, 200)
  t.is(outcome(await member.get('/v1/identity/members')), '403 forbidden')
  await untilThere(async () => outcome(await far.get('/v1/identity/members')), '403 forbidden')
})

test('a permission that is taken from a role', async t => {
  const key = await role(owner, 'team.auditor', ['identity.audit.read'])
  const member = await colleague(here, owner, [key])
  const far = elsewhere(member.person.token, owner.tenantId)
  t.is((await far.get('/v1/identity/audit')).status, 200)
  t.is((await owner.patch(`/v1/identity/roles/${key}`, { permissions: [] })).status, 200)
  t.is(outcome(await member.get('/v1/identity/audit')), '403 forbidden')
  await untilThere(async () => outcome(await far.get('/v1/identity/audit')), '403 forbidden')
})

test('a key that is deleted', async t => {
  const made = await owner.post<{ id: string; key: string }>('/v1/identity/api-keys', { name: 'short-lived' })
  const far = elsewhere(made.body.key)
  t.is((await far.get('/v1/identity/members')).status, 200)
  t.is((await owner.delete(`/v1/identity/api-keys/${made.body.id}`)).status, 204)
  t.is((await here.as(made.body.key).get('/v1/identity/members')).status, 401)
  await untilThere(async () => outcome(await far.get('/v1/identity/members')), '401 unauthenticated')
})

test('a member who is removed, and the key that they made', async t => {
  const member = await colleague(here, owner, ['tenant.owner'])
  const { body } = await member.post<{ key: string }>('/v1/identity/api-keys', { name: 'of a member' })
  const far = elsewhere(member.person.token, owner.tenantId)
  const key = elsewhere(body.key)
  t.deepEqual([(await far.get('/v1/identity/roles')).status, (await key.get('/v1/identity/roles')).status], [200, 200])
  t.is((await owner.delete(`/v1/identity/members/${member.memberId}`)).status, 204)
  t.is(outcome(await member.get('/v1/identity/roles')), '403 not_a_member')
  await untilThere(async () => outcome(await far.get('/v1/identity/roles')), '403 not_a_member')
  await untilThere(async () => outcome(await key.get('/v1/identity/roles')), '401 unauthenticated')
})

test('a tenant that is deleted', async t => {
  const person = await here.register(newEmail('founder'))
  const far = elsewhere(person.token, person.tenantId)
  const key = elsewhere(person.apiKey)
  t.deepEqual(
    [(await far.get('/v1/identity/members')).status, (await key.get('/v1/identity/members')).status],
    [200, 200],
  )
  t.is((await person.delete(`/v1/identity/tenants/${person.tenantId}`)).status, 204)
  t.is(outcome(await here.as(person.token, person.tenantId).get('/v1/identity/members')), '403 not_a_member')
  t.is((await here.as(person.apiKey).get('/v1/identity/members')).status, 401)
  await untilThere(async () => outcome(await far.get('/v1/identity/members')), '403 not_a_member')
  await untilThere(async () => outcome(await key.get('/v1/identity/members')), '401 unauthenticated')
})

test('a sign-in that is ended, and all of them by a new password', async t => {
  const person = await here.register(newEmail('person'))
  const far = elsewhere(person.token)
  t.is((await far.get('/v1/me')).status, 200)
  const change = { currentPassword: person.password, newPassword: 'a wholly different phrase' }
  t.is((await person.post('/v1/auth/password/change', change)).status, 200)
  t.is((await person.get('/v1/me')).status, 401)
  await untilThere(async () => outcome(await far.get('/v1/me')), '401 unauthenticated')
})
