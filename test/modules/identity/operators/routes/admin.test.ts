import test from 'ava'
import type { Person } from '../../../../../testing/index.ts'
import { withPeople } from '../../../../fixtures/with-people.ts'
import { codeOf, colleague, identityRecipe, newEmail, operator, type Page, resetTokens } from '../../fixtures.ts'

let admin: Person
let ada: Person

const { kernel } = withPeople(test, { recipe: identityRecipe(), alone: true }, {}, async () => {
  const { operatorId, ...person } = await operator(kernel)
  admin = { ...person, ...person.with({ 'x-tenant-id': operatorId }) }
  ada = await kernel.register(newEmail('ada'))
})

test('separates the permissions for the whole installation from those in the workspace', async t => {
  t.like((await admin.get('/v1/me')).body, { platformPermissions: ['*'] })
  t.like((await ada.get('/v1/me')).body, { permissions: ['*'], platformPermissions: [] })
})

test('lists users newest first, page by page', async t => {
  const first = await admin.get('/v1/identity/admin/users?limit=1')
  t.is(first.status, 200)
  const rest = await admin.get(`/v1/identity/admin/users?cursor=${first.body.nextCursor}`)
  const ids = [...first.body.data, ...rest.body.data].map(({ id }) => id)
  t.deepEqual(ids, [...new Set(ids)].sort().reverse())
  t.true(ids.includes(ada.userId))
})

test('finds users by a part of their address, and by the whole one', async t => {
  const part = ada.email.split('@')[0] as string
  const { body } = await admin.get(`/v1/identity/admin/users?q=${part}`)
  t.deepEqual(
    body.data.map(({ id, tenants }) => [id, tenants]),
    [[ada.userId, 1]],
  )
  t.not(body.data[0]?.lastSignInAt, null)
  const email = encodeURIComponent(ada.email.toUpperCase())
  const whole = await admin.get(`/v1/identity/admin/users?filter[email]=${email}`)
  t.is(whole.body.data[0]?.id, ada.userId)
  t.deepEqual((await admin.get('/v1/identity/admin/users?q=%25')).body.data, [])
})

test('finds users without the accents of their names', async t => {
  await ada.patch('/v1/auth/me', { name: 'Zoë Größe' })
  const { body } = await admin.get('/v1/identity/admin/users?q=zoe%20grosse')
  t.deepEqual(
    body.data.map(({ id }) => id),
    [ada.userId],
  )
})

test('returns a user with their memberships', async t => {
  const { body } = await admin.get(`/v1/identity/admin/users/${ada.userId}`)
  t.is(body.email, ada.email)
  t.deepEqual(
    body.memberships?.map(({ tenantId, roles }) => [tenantId, roles]),
    [[ada.tenantId, ['tenant.owner']]],
  )
  t.is(codeOf(await admin.get('/v1/identity/admin/users/usr_none')), '404 not_found')
})

test('lists the roles and the API keys of a workspace, without secrets', async t => {
  const eve = await kernel.register(newEmail('eve'))
  await eve.post('/v1/identity/roles', { key: 'team.reader', name: 'Reader', permissions: ['identity.member.read'] })
  await eve.post('/v1/identity/api-keys', { name: 'Deploy' })
  const path = `/v1/identity/admin/tenants/${eve.tenantId}`
  const roles = await admin.get<Page<{ key: string }>>(`${path}/roles?limit=100`)
  t.true(roles.body.data.some(({ key }) => key === 'team.reader'))
  const keys = await admin.get<Page<{ name: string; key?: string }>>(`${path}/api-keys`)
  t.deepEqual(
    keys.body.data.filter(({ name }) => name === 'Deploy').map(({ key }) => key),
    [undefined],
  )
  for (const list of ['roles', 'api-keys']) {
    t.is(codeOf(await admin.get(`/v1/identity/admin/tenants/ten_none/${list}`)), '404 not_found')
    t.is((await eve.get(`${path}/${list}`)).status, 403)
  }
})

test('ends a login of a user', async t => {
  const eve = await kernel.register(newEmail('eve'))
  const path = `/v1/identity/admin/users/${eve.userId}/logins`
  const { body } = await admin.get<Page<{ id: string; current: boolean }>>(path)
  t.is(body.data.length, 1)
  t.false(body.data[0]?.current)
  t.is((await admin.delete(`${path}/${body.data[0]?.id}`)).status, 204)
  t.is((await eve.get('/v1/me')).status, 401)
  t.is(codeOf(await admin.delete(`${path}/${body.data[0]?.id}`)), '404 not_found')
})

test('does not end a login under the id of another user', async t => {
  const { body } = await admin.get(`/v1/identity/admin/users/${ada.userId}/logins`)
  const other = `/v1/identity/admin/users/${admin.userId}/logins/${body.data[0]?.id}`
  t.is(codeOf(await admin.delete(other)), '404 not_found')
  t.is((await ada.get('/v1/me')).status, 200)
})

test('ends all logins of a user, and records it', async t => {
  const eve = await kernel.register(newEmail('eve'))
  const path = `/v1/identity/admin/users/${eve.userId}/logins`
  t.is((await admin.delete(path)).status, 204)
  t.is((await eve.get('/v1/me')).status, 401)
  t.is(codeOf(await admin.delete('/v1/identity/admin/users/usr_none/logins')), '404 not_found')
  const since = new Date(Date.now() - 60_000).toISOString()
  const log = '/v1/identity/audit?filter[action]=login.all_ended'
  const { body } = await admin.get(`${log}&filter[since]=${since}`)
  t.deepEqual(
    body.data.map(({ subject, actor }) => [subject, actor.userId]),
    [[eve.userId, admin.userId]],
  )
  t.deepEqual((await admin.get(`${log}&filter[until]=${since}`)).body.data, [])
})

test('emails a password reset and a confirmation to a user', async t => {
  const eve = await kernel.register(newEmail('eve'))
  const path = `/v1/identity/admin/users/${eve.userId}`
  t.is((await admin.post(`${path}/password-reset`)).status, 202)
  t.is((await admin.post(`${path}/verification`)).status, 202)
  t.is((await resetTokens(kernel, eve.email)).length, 1)
  for (const action of ['password-reset', 'verification'])
    t.is(codeOf(await admin.post(`/v1/identity/admin/users/usr_none/${action}`)), '404 not_found')
})

test('lists the API keys of a user with their workspaces, without secrets', async t => {
  const eve = await kernel.register(newEmail('eve'))
  await eve.post('/v1/identity/api-keys', { name: 'Deploy' })
  const { body } = await admin.get<Page<{ name: string; key?: string; tenant: { id: string } }>>(
    `/v1/identity/admin/users/${eve.userId}/api-keys`,
  )
  t.deepEqual(
    body.data.map(({ tenant }) => tenant.id),
    body.data.map(() => eve.tenantId),
  )
  t.true(body.data.some(({ name }) => name === 'Deploy'))
  t.true(body.data.every(({ key }) => key === undefined))
})

test('lists the ways to sign in of a user', async t => {
  const eve = await kernel.register(newEmail('eve'))
  const { body } = await admin.get(`/v1/identity/admin/users/${eve.userId}/sign-in-methods`)
  t.deepEqual(
    body.data.map(({ method }) => method),
    ['password'],
  )
  t.is(codeOf(await admin.get('/v1/identity/admin/users/usr_none/sign-in-methods')), '404 not_found')
})

test('lists workspaces with their number of members, and their members', async t => {
  const owner = await kernel.register(newEmail('owner'))
  await colleague(kernel, owner, ['tenant.member'])
  const { body: tenant } = await admin.get(`/v1/identity/admin/tenants/${owner.tenantId}`)
  t.is(tenant.members, 2)
  const { body } = await admin.get(`/v1/identity/admin/tenants?q=${tenant.slug}`)
  t.true(body.data.some(({ id }) => id === owner.tenantId))
  for (const id of ['ten_00000000000000000000000000', 'a.b'])
    t.is((await admin.get(`/v1/identity/admin/tenants/${id}/members`)).status, 404, id)
  const members = await admin.get(`/v1/identity/admin/tenants/${owner.tenantId}/members`)
  t.true(members.body.data.some(({ email }) => email === owner.email))
  t.is(codeOf(await admin.get('/v1/identity/admin/tenants/ten_none')), '404 not_found')
})

test('refuses owners of a workspace, who lack the permissions of the operator', async t => {
  for (const path of [
    'users',
    `users/${ada.userId}`,
    `users/${ada.userId}/logins`,
    `users/${ada.userId}/api-keys`,
    `users/${ada.userId}/sign-in-methods`,
    'tenants',
    `tenants/${ada.tenantId}`,
    `tenants/${ada.tenantId}/members`,
  ])
    t.is(codeOf(await ada.get(`/v1/identity/admin/${path}`)), '403 forbidden', path)
  t.is(codeOf(await ada.delete(`/v1/identity/admin/users/${admin.userId}/logins/lgn_1`)), '403 forbidden')
  t.is(codeOf(await ada.delete(`/v1/identity/admin/users/${admin.userId}/logins`)), '403 forbidden')
  for (const action of ['password-reset', 'verification'])
    t.is(codeOf(await ada.post(`/v1/identity/admin/users/${admin.userId}/${action}`)), '403 forbidden')
  t.is(codeOf(await kernel.get('/v1/identity/admin/users')), '401 unauthenticated')
})

test('rejects an invalid limit and a cursor of another list', async t => {
  t.is(codeOf(await admin.get('/v1/identity/admin/users?limit=0')), '422 validation_failed')
  t.is(codeOf(await admin.get('/v1/identity/admin/tenants?cursor=x')), '400 invalid_cursor')
})
