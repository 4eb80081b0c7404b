import test from 'ava'
import { MINUTE } from '../../../../../kernel/base/units.ts'
import type { ApiKey } from '../../../../fixtures/api-types.ts'
import { withPeople } from '../../../../fixtures/with-people.ts'
import { codeOf, colleague, fieldErrors, identityRecipe, newEmail, type Page, role } from '../../fixtures.ts'

const { kernel } = withPeople(test, { recipe: identityRecipe() })

const { kernel: clocked, clock } = withPeople(test, { recipe: identityRecipe(), clock: true })

const KEYS = '/v1/identity/api-keys'

test('returns a key once, and later only its prefix', async t => {
  const owner = await kernel.register(newEmail())
  const made = await owner.post<Required<ApiKey>>(KEYS, { name: 'Build' })
  t.is(made.status, 201)
  t.true(made.body.key.startsWith(made.body.prefix))
  const { body } = await owner.get<Page<ApiKey>>(KEYS)
  t.deepEqual(
    body.data.map(({ name }) => name),
    ['Default', 'Build'],
  )
  t.true(body.data.every(({ key }) => key === undefined))
  const { rows } = await kernel.kernel.ports.systemDatabase
    .acrossTenants('a test looks for the secret')
    .query('select row_to_json(k)::text as row from identity_api_keys k')
  t.false(JSON.stringify(rows).includes(made.body.key.slice(made.body.prefix.length)))
})

test('a key works in its own tenant only, with either header', async t => {
  const [ada, eve] = [await kernel.register(newEmail()), await kernel.register(newEmail())]
  for (const client of [kernel.as(ada.apiKey), kernel.with({ 'x-api-key': ada.apiKey })])
    t.is((await client.get('/v1/identity/members')).status, 200)
  t.is(codeOf(await kernel.as(ada.apiKey, eve.tenantId).get('/v1/identity/members')), '403 not_a_member')
  const mistyped = ada.apiKey.replace(/.$/, letter => (letter === 'a' ? 'b' : 'a'))
  t.is((await kernel.as(mistyped).get('/v1/identity/members')).status, 401)
})

test('a key has only the current permissions of both itself and its creator', async t => {
  const owner = await kernel.register(newEmail())
  await role(owner, 'team.dev', ['identity.api_key.*', 'identity.member.read', 'identity.role.read'])
  const dev = await colleague(kernel, owner, ['team.dev'])
  const { body } = await dev.post<Required<ApiKey>>(KEYS, { name: 'Narrow', permissions: ['identity.member.read'] })
  const wide = await dev.post<Required<ApiKey>>(KEYS, { name: 'Wide' })
  const narrow = kernel.as(body.key)
  t.is((await narrow.get('/v1/identity/members')).status, 200)
  t.is(codeOf(await narrow.get('/v1/identity/roles')), '403 forbidden')
  t.is((await kernel.as(wide.body.key).get('/v1/identity/roles')).status, 200)
  await owner.patch('/v1/identity/roles/team.dev', { permissions: ['identity.api_key.read'] })
  t.is(codeOf(await narrow.get('/v1/identity/members')), '403 forbidden')
  t.is(codeOf(await kernel.as(wide.body.key).get('/v1/identity/roles')), '403 forbidden')
})

test("rejects a key with permissions that the caller doesn't hold", async t => {
  const owner = await kernel.register(newEmail())
  await role(owner, 'team.keys', ['identity.api_key.*'])
  const clerk = await colleague(kernel, owner, ['team.keys'])
  t.is(codeOf(await clerk.post(KEYS, { name: 'All', permissions: ['*'] })), '403 forbidden')
  t.is(codeOf(await clerk.post(KEYS, { name: 'One', permissions: ['identity.member.read'] })), '403 forbidden')
  const narrow = await owner.post(KEYS, { name: 'Narrow', permissions: ['identity.member.read'] })
  const path = `${KEYS}/${narrow.body.id}`
  t.is(codeOf(await clerk.patch(path, { permissions: null })), '403 forbidden')
  t.is(codeOf(await clerk.patch(path, { permissions: ['*'] })), '403 forbidden')
  t.is((await owner.patch<ApiKey>(path, { permissions: null })).body.permissions, null)
})

test("API keys can't manage API keys", async t => {
  const owner = await kernel.register(newEmail())
  const key = kernel.as(owner.apiKey)
  t.is((await key.get(KEYS)).status, 403)
  t.is((await key.post(KEYS, { name: 'Child' })).status, 403)
})

test("a key can't grant permissions that only its creator holds", async t => {
  const owner = await kernel.register(newEmail())
  const { body } = await owner.post<Required<ApiKey>>(KEYS, {
    name: 'Inviter',
    permissions: ['identity.member.invite'],
  })
  const invite = (roles: string[]) =>
    kernel.as(body.key).post('/v1/identity/members/invite', { email: newEmail(), roles, sendEmail: false })
  t.is(codeOf(await invite(['tenant.owner'])), '403 forbidden')
  await role(owner, 'team.inviter', ['identity.member.invite'])
  t.is((await invite(['team.inviter'])).status, 201)
})

test.serial('rejects an expired key and a past expiry', async t => {
  const owner = await clocked.register(newEmail())
  const past = new Date(clock.now() - 1000).toISOString()
  t.deepEqual(fieldErrors(await owner.post(KEYS, { name: 'Late', expiresAt: past })), ['/expiresAt in_the_past'])
  t.deepEqual(fieldErrors(await owner.post(KEYS, { name: 'Odd', expiresAt: 'tomorrow', key: 'x' })), [
    '/expiresAt wrong_format',
    '/key unknown_field',
  ])
  const expiresAt = new Date(clock.now() + 10 * MINUTE).toISOString()
  const { body } = await owner.post<Required<ApiKey>>(KEYS, { name: 'Short', expiresAt })
  t.is((await clocked.as(body.key).get('/v1/me')).status, 200)
  clock.forward(10 * MINUTE)
  t.is((await clocked.as(body.key).get('/v1/me')).status, 401)
})

test('rejects a deleted key with the next request', async t => {
  const owner = await kernel.register(newEmail())
  const { body } = await owner.post<Required<ApiKey>>(KEYS, { name: 'Gone' })
  t.is((await kernel.as(body.key).get('/v1/me')).status, 200)
  t.is((await owner.delete(`${KEYS}/${body.id}`)).status, 204)
  t.is((await kernel.as(body.key).get('/v1/me')).status, 401)
  t.is(codeOf(await owner.delete(`${KEYS}/${body.id}`)), '404 not_found')
})

test('answers 404 for API keys of another tenant', async t => {
  const [ada, eve] = [await kernel.register(newEmail()), await kernel.register(newEmail())]
  const { body } = await ada.post(KEYS, { name: 'Mine' })
  t.is(codeOf(await eve.patch(`${KEYS}/${body.id}`, { name: 'Theirs' })), '404 not_found')
  t.is(codeOf(await eve.delete(`${KEYS}/${body.id}`)), '404 not_found')
})

test('records the last use of a key to the minute', async t => {
  const owner = await kernel.register(newEmail())
  const { body } = await owner.post<Required<ApiKey>>(KEYS, { name: 'Used' })
  const last = async () =>
    (await owner.get<Page<ApiKey>>(KEYS)).body.data.find(({ id }) => id === body.id)?.lastUsedAt ?? null
  t.is(await last(), null)
  await kernel.as(body.key).get('/v1/me')
  t.not(await last(), null)
})
