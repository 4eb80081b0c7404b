/** A right that has ended isn't used again, in any process, even if processes can't notify each other. */
import test from 'ava'
import pg from 'pg'
import { DAY, HOUR } from '../../kernel/base/units.ts'
import { type Client, type Person, startTestKernel, type TestKernel } from '../../testing/index.ts'
import { createTestClock, type TestClock } from '../fixtures/clock.ts'
import { codeOf, colleague, newEmail, operator, role } from '../modules/identity/fixtures.ts'
import { raceChanges } from './credential-races.ts'

// A bus in memory doesn't leave its process: no message about a change reaches the other kernel.
const env = { BUS: 'memory' }
const recipe = {
  entitlements: { 'identity.seat': { kind: 'gauge' } },
  plans: {
    free: { name: 'Free', price: 0, entitlements: { 'identity.seat': 1 } },
    pro: { name: 'Pro', price: 2900, currency: 'EUR', entitlements: { 'identity.seat': 25 } },
  },
  modules: { identity: { impersonation: true }, comms: {}, billing: { provider: 'dev', defaultPlan: 'free' } },
}

let clock: TestClock
let first: TestKernel
let second: TestKernel
let owner: Person

test.before(async () => {
  clock = createTestClock()
  first = await startTestKernel({ recipe, env, clock, role: 'web' })
  second = await startTestKernel({ recipe, env, clock, role: 'web', database: first.databaseUrl })
  owner = await first.register(newEmail('owner'))
  await owner.post('/v1/billing/checkout', { planKey: 'pro' })
})
test.after.always(async () => {
  await second?.stop()
  await first?.stop()
})

/** The same credential at the other process. */
const atSecond = (credential: string, tenantId?: string): Client => second.as(credential, tenantId)

/** Keys need a recent proof of who the owner is, and the clock has moved. */
const proveAgain = () => owner.post('/v1/auth/reauthenticate', { password: owner.password })

/** Twice, so that the second response comes from a cached credential. */
async function warmUp(client: Client, path: string): Promise<string[]> {
  return [codeOf(await client.get(path)), codeOf(await client.get(path))]
}

test('a login that signed out', async t => {
  const person = await first.register(newEmail())
  const remote = atSecond(person.token)
  t.deepEqual(await warmUp(remote, '/v1/me'), ['200', '200'])
  t.is((await person.post('/v1/auth/logout')).status, 204)
  t.is(codeOf(await remote.get('/v1/me')), '401 unauthenticated')
})

test('the cookie of a login that signed out', async t => {
  const person = await first.register(newEmail())
  const remote = second.with({ cookie: person.cookie, 'x-tenant-id': person.tenantId })
  t.deepEqual(await warmUp(remote, '/v1/identity/members'), ['200', '200'])
  t.is((await person.post('/v1/auth/logout')).status, 204)
  t.is(codeOf(await remote.get('/v1/identity/members')), '401 unauthenticated')
})

test('a deleted API key', async t => {
  const made = await owner.post<{ id: string; key: string }>('/v1/identity/api-keys', { name: 'short-lived' })
  const remote = atSecond(made.body.key)
  t.deepEqual(await warmUp(remote, '/v1/identity/members'), ['200', '200'])
  t.is((await owner.delete(`/v1/identity/api-keys/${made.body.id}`)).status, 204)
  t.is(codeOf(await remote.get('/v1/identity/members')), '401 unauthenticated')
})

test('permissions of an API key', async t => {
  const { body } = await owner.post<{ id: string; key: string }>('/v1/identity/api-keys', { name: 'narrowed' })
  const remote = atSecond(body.key)
  t.deepEqual(await warmUp(remote, '/v1/identity/members'), ['200', '200'])
  const narrowed = await owner.patch(`/v1/identity/api-keys/${body.id}`, { permissions: ['identity.role.read'] })
  t.is(narrowed.status, 200)
  t.is(codeOf(await remote.get('/v1/identity/members')), '403 forbidden')
})

test('a changed role, both ways', async t => {
  const reader = await role(owner, 'team.reader', ['identity.audit.read'])
  const member = await colleague(first, owner, [reader])
  const remote = atSecond(member.person.token, owner.tenantId)
  t.deepEqual(await warmUp(remote, '/v1/identity/audit'), ['200', '200'])
  const setRoles = (roles: string[]) => owner.patch(`/v1/identity/members/${member.memberId}`, { roles })
  t.is((await setRoles(['tenant.member'])).status, 200)
  t.is(codeOf(await remote.get('/v1/identity/audit')), '403 forbidden')
  t.is((await setRoles([reader])).status, 200)
  t.is(codeOf(await remote.get('/v1/identity/audit')), '200')
})

test('an edited custom role, both ways', async t => {
  const key = await role(owner, 'team.auditor', ['identity.audit.read'])
  const member = await colleague(first, owner, [key])
  const remote = atSecond(member.person.token, owner.tenantId)
  t.deepEqual(await warmUp(remote, '/v1/identity/audit'), ['200', '200'])
  t.is((await owner.patch(`/v1/identity/roles/${key}`, { permissions: [] })).status, 200)
  t.is(codeOf(await remote.get('/v1/identity/audit')), '403 forbidden')
  t.is((await owner.patch(`/v1/identity/roles/${key}`, { permissions: ['identity.audit.read'] })).status, 200)
  t.is(codeOf(await remote.get('/v1/identity/audit')), '200')
})

test("a removed member and the member's API keys", async t => {
  const member = await colleague(first, owner, ['tenant.owner'])
  const { body } = await member.post<{ key: string }>('/v1/identity/api-keys', { name: 'of a member' })
  const remote = atSecond(member.person.token, owner.tenantId)
  const key = atSecond(body.key)
  for (const client of [remote, key]) t.deepEqual(await warmUp(client, '/v1/identity/roles'), ['200', '200'])
  t.is((await owner.delete(`/v1/identity/members/${member.memberId}`)).status, 204)
  t.is(codeOf(await remote.get('/v1/identity/roles')), '403 not_a_member')
  t.is(codeOf(await key.get('/v1/identity/roles')), '401 unauthenticated')
})

test('a deleted tenant', async t => {
  const person = await first.register(newEmail('founder'))
  const remote = atSecond(person.token, person.tenantId)
  const key = atSecond(person.apiKey)
  for (const client of [remote, key]) t.deepEqual(await warmUp(client, '/v1/identity/members'), ['200', '200'])
  t.is((await person.delete(`/v1/identity/tenants/${person.tenantId}`)).status, 204)
  t.is(codeOf(await remote.get('/v1/identity/members')), '403 not_a_member')
  t.is(codeOf(await key.get('/v1/identity/members')), '401 unauthenticated')
})

test('a slug that moved to another tenant', async t => {
  const [person, other] = [await first.register(newEmail()), await first.register(newEmail())]
  const path = `/v1/identity/tenants/${person.tenantId}`
  const { body } = await person.get<{ slug: string }>(path)
  const remote = atSecond(person.token, body.slug)
  t.deepEqual(await warmUp(remote, '/v1/identity/members'), ['200', '200'])
  t.is((await person.patch(path, { slug: `${body.slug}-moved` })).status, 200)
  t.is((await other.patch(`/v1/identity/tenants/${other.tenantId}`, { slug: body.slug })).status, 200)
  t.is(codeOf(await remote.get('/v1/identity/members')), '403 not_a_member')
})

test('a changed plan, read and in a write', async t => {
  const person = await first.register(newEmail('payer'))
  const remote = atSecond(person.token)
  const seats = async () => {
    const { body } = await remote.get('/v1/billing/entitlements')
    return body.data[0]?.limit
  }
  const invite = () =>
    remote.post('/v1/identity/members/invite', { email: newEmail(), roles: ['tenant.member'], sendEmail: false })
  t.deepEqual([await seats(), await seats()], [1, 1])
  t.is(codeOf(await invite()), '403 entitlement_exceeded')
  t.is((await person.post('/v1/billing/checkout', { planKey: 'pro' })).status, 201)
  t.is(codeOf(await invite()), '201')
  t.is(await seats(), 25)
})

// Other tests change the clock, which ends claim codes.
test.serial('an operator who acts as a user: ended, and without the permission', async t => {
  const admin = await operator(first)
  const here = admin.with({ 'x-tenant-id': admin.operatorId })
  await here.post('/v1/billing/checkout', { planKey: 'pro' })
  const { person: helper, memberId } = await colleague(first, { ...admin, ...here, tenantId: admin.operatorId }, [
    'platform.admin',
  ])
  const reason = 'Ticket 4711: an import fails'
  const actAs = async (by: Client, { userId, tenantId }: Person) => {
    const path = `/v1/identity/admin/users/${userId}/impersonation`
    const { body } = await by.post<{ token: string }>(path, { tenantId, reason })
    return body.token
  }
  const ended = await actAs(here, await first.register(newEmail()))
  const remote = atSecond(ended)
  t.deepEqual(await warmUp(remote, '/v1/identity/members'), ['200', '200'])
  t.is((await first.as(ended).post('/v1/auth/impersonation/end')).status, 204)
  t.is(codeOf(await remote.get('/v1/identity/members')), '401 unauthenticated')

  const helping = helper.with({ 'x-tenant-id': admin.operatorId })
  const support = atSecond(await actAs(helping, await first.register(newEmail())))
  t.deepEqual(await warmUp(support, '/v1/identity/members'), ['200', '200'])
  t.is((await here.patch(`/v1/identity/members/${memberId}`, { roles: ['tenant.member'] })).status, 200)
  t.is(codeOf(await support.get('/v1/identity/members')), '401 unauthenticated')

  const last = atSecond(await actAs(here, await first.register(newEmail())))
  t.deepEqual(await warmUp(last, '/v1/identity/members'), ['200', '200'])
  clock.forward(HOUR)
  await proveAgain()
  t.is(codeOf(await last.get('/v1/identity/members')), '401 unauthenticated')
})

test.serial('an expired API key', async t => {
  const expiresAt = new Date(clock.now() + HOUR).toISOString()
  const { body } = await owner.post<{ key: string }>('/v1/identity/api-keys', { name: 'for an hour', expiresAt })
  const remote = atSecond(body.key)
  t.deepEqual(await warmUp(remote, '/v1/identity/members'), ['200', '200'])
  clock.forward(2 * HOUR)
  await proveAgain()
  t.is(codeOf(await remote.get('/v1/identity/members')), '401 unauthenticated')
})

test.serial('a wrong cache entry is worth nothing', async t => {
  const { authenticator, database } = first.kernel.ports
  const member = await colleague(first, owner, [await role(owner, 'team.custom', ['identity.audit.read'])])
  const { body } = await owner.get(`/v1/identity/tenants/${owner.tenantId}`)
  const secrets = [member.person.token, owner.token, owner.apiKey]
  const entries = await Promise.all(
    secrets.map(async secret => {
      const found = await authenticator.authenticate({ kind: 'bearer', secret }, { named: body.slug })
      return found?.precondition?.() ?? { condition: '', values: [] }
    }),
  )
  const holds = async (condition: string, values: readonly unknown[]) =>
    (await database.verified({ condition, values }, async () => undefined)).holds
  for (const [at, { condition, values }] of entries.entries()) {
    t.true(await holds(condition, values))
    const other = entries[(at + 1) % entries.length] ?? { condition: '', values: [] }
    const wrong = [
      values.with(0, other.values[0]),
      values.with(1, other.values[1]),
      values.with(3, member.person.tenantId),
      values.with(4, true),
      values.with(5, '0'),
    ]
    for (const changed of wrong) t.false(await holds(condition, changed))
  }
})

test('an expired API key, at a process whose clock is a day slow', async t => {
  const slow = await startTestKernel({
    recipe,
    env,
    role: 'web',
    database: first.databaseUrl,
    clock: { now: () => Date.now() - DAY, isSystem: true },
  })
  t.teardown(() => slow.stop())
  const { body } = await owner.post<{ id: string; key: string }>('/v1/identity/api-keys', { name: 'expires' })
  const remote = slow.as(body.key)
  t.deepEqual(await warmUp(remote, '/v1/identity/roles'), ['200', '200'])
  const unit = first.kernel.ports.systemDatabase.acrossTenants('a key expires')
  await unit.query('update identity_api_keys set expires_at = now() where id = $1', [body.id])
  t.is(codeOf(await remote.get('/v1/identity/roles')), '401 unauthenticated')
  t.is(codeOf(await slow.as(body.key).get('/v1/identity/roles')), '401 unauthenticated')
})

test.serial('a key that was deleted while the database connections ended', async t => {
  const made = await owner.post<{ id: string; key: string }>('/v1/identity/api-keys', { name: 'failover' })
  const remote = atSecond(made.body.key)
  t.deepEqual(await warmUp(remote, '/v1/identity/members'), ['200', '200'])
  const client = new pg.Client(first.databaseUrl)
  client.on('error', () => {})
  await client.connect()
  await client.query(`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()`)
  await client.query('delete from identity_api_keys where id = $1', [made.body.id])
  await client.end()
  const outcomes = []
  for (let request = 0; request < 20 && outcomes.at(-1) !== '401 unauthenticated'; request++)
    outcomes.push(codeOf(await remote.get('/v1/identity/members')))
  t.is(outcomes.at(-1), '401 unauthenticated')
  t.false(outcomes.includes('200'))
})

test('no request that started after a change was acknowledged is answered on the old right', async t => {
  const { requests, violations } = await raceChanges({
    first,
    second,
    owner,
    rounds: Number(process.env.LARDER_RUNS ?? 6),
  })
  t.log(`${requests} requests after an acknowledgment`)
  t.deepEqual(violations, [])
})
