import test from 'ava'
import type { RoleSchema as Role } from '../../../../fixtures/api-types.ts'
import { withPeople } from '../../../../fixtures/with-people.ts'
import { codeOf, colleague, fieldErrors, identityRecipe, newEmail, operator, role } from '../../fixtures.ts'

const { kernel } = withPeople(test, { recipe: identityRecipe() })

const ROLES = '/v1/identity/roles'

test('describes built-in roles in the language of the request, also where people are invited', async t => {
  const owner = await kernel.register(newEmail())
  const { body } = await owner.get(ROLES, { headers: { 'accept-language': 'de' } })
  t.is(body.data.find(({ key }) => key === 'tenant.member')?.description, 'Liest Seiten')
  const headers = { accept: 'text/html', cookie: owner.cookie }
  t.regex((await kernel.get<string>('/workspace/members', { headers })).body, /Reads pages/)
})

test('lists the fixed roles of the specification', async t => {
  const owner = await kernel.register(newEmail())
  const { body } = await owner.get(ROLES)
  t.deepEqual(
    body.data.filter(({ key }) => key.startsWith('tenant.')),
    [
      {
        key: 'tenant.member',
        name: 'Member',
        description: 'Reads pages',
        scope: 'tenant',
        permissions: ['content.page.read'],
        builtIn: true,
      },
      {
        key: 'tenant.owner',
        name: 'Owner',
        description: 'May do everything, including deleting the workspace',
        scope: 'tenant',
        permissions: ['*'],
        builtIn: true,
      },
    ],
  )
  t.false(body.data.some(({ scope }) => scope === 'platform'))
})

test("hides a tenant's custom roles from other tenants", async t => {
  const [owner, other] = [await kernel.register(newEmail()), await kernel.register(newEmail())]
  const made = await owner.post(ROLES, { key: 'team.hr', name: 'HR', permissions: ['identity.member.*'] })
  t.is(made.status, 201)
  t.deepEqual(made.body, {
    key: 'team.hr',
    name: 'HR',
    description: null,
    scope: 'tenant',
    permissions: ['identity.member.*'],
    builtIn: false,
  })
  t.is(codeOf(await owner.post(ROLES, { key: 'team.hr', name: 'HR', permissions: [] })), '409 role_exists')
  t.is((await other.post(ROLES, { key: 'team.hr', name: 'Other', permissions: [] })).status, 201)
  t.is(codeOf(await other.patch(`${ROLES}/team.hr`, { name: 'Mine' })), '200')
  const { body } = await owner.get(ROLES)
  t.is(body.data.find(({ key }) => key === 'team.hr')?.name, 'HR')
})

test('pages through roles in the order of their keys', async t => {
  const owner = await kernel.register(newEmail())
  for (const key of ['z.last', 'a.first']) await role(owner, key, [])
  const keys = (await kernel.all<Role>(owner, `${ROLES}?limit=1`)).map(({ key }) => key)
  t.deepEqual(keys, [...keys].sort())
  t.is(keys[0], 'a.first')
  t.is(keys.at(-1), 'z.last')
})

test('rejects unknown permissions, platform permissions and invalid fields', async t => {
  const owner = await kernel.register(newEmail())
  const make = (permissions: unknown) => owner.post(ROLES, { key: 'team.x', name: 'X', permissions })
  t.deepEqual(fieldErrors(await make(['identity.member.read', 'identity.member.fly'])), [
    '/permissions/1 unknown_permission',
  ])
  t.deepEqual(fieldErrors(await make(['communications.mailbox.read'])), ['/permissions/0 unknown_permission'])
  t.deepEqual(fieldErrors(await make(['platform.recipe.*'])), ['/permissions/0 unknown_permission'])
  t.deepEqual(fieldErrors(await make(['no*pattern'])), ['/permissions/0 wrong_format'])
  t.deepEqual(fieldErrors(await owner.post(ROLES, { key: 'Nodot', name: '', permissions: [], builtIn: true })), [
    '/builtIn unknown_field',
    '/key wrong_format',
    '/name too_short',
    '/name wrong_format',
  ])
})

test('a workspace has at most 200 roles of its own', async t => {
  const owner = await kernel.register(newEmail())
  await kernel.kernel.ports.systemDatabase.acrossTenants('a test fills a workspace with roles').query(
    `insert into identity_roles (tenant_id, key, name, permissions, created_at, updated_at)
       select $1, 'team.role_' || n, 'Role', '{}', now(), now() from generate_series(1, 199) n`,
    [owner.tenantId],
  )
  const make = (key: string) => owner.post(ROLES, { key, name: 'X', permissions: [] })
  const made = await Promise.all(['team.a', 'team.b', 'team.c'].map(make))
  t.deepEqual(made.map(codeOf).sort(), ['201', '409 too_many_roles', '409 too_many_roles'])
})

test('rejects changes to built-in roles', async t => {
  const owner = await kernel.register(newEmail())
  for (const key of ['tenant.owner', 'tenant.member', 'platform.admin']) {
    t.is(codeOf(await owner.post(ROLES, { key, name: 'Mine', permissions: [] })), '409 role_exists')
    t.is(codeOf(await owner.patch(`${ROLES}/${key}`, { name: 'Mine' })), '409 role_built_in')
    t.is(codeOf(await owner.delete(`${ROLES}/${key}`)), '409 role_built_in')
  }
})

test("rejects a role with permissions that the caller doesn't hold", async t => {
  const owner = await kernel.register(newEmail())
  await role(owner, 'team.roles', ['identity.role.*', 'identity.member.read'])
  const clerk = await colleague(kernel, owner, ['team.roles'])
  const make = (key: string, permissions: string[]) => clerk.post(ROLES, { key, name: key, permissions })
  t.is(codeOf(await make('team.all', ['*'])), '403 forbidden')
  t.is(codeOf(await make('team.area', ['identity.*'])), '403 forbidden')
  t.is(codeOf(await make('team.some', ['identity.member.update'])), '403 forbidden')
  t.is((await make('team.ok', ['identity.role.read', 'identity.member.read'])).status, 201)
  t.is(codeOf(await clerk.patch(`${ROLES}/team.roles`, { permissions: ['*'] })), '403 forbidden')
  t.is((await clerk.patch(`${ROLES}/team.ok`, { permissions: ['identity.role.read'] })).status, 200)
})

test('applies a changed role to the next request of its members', async t => {
  const owner = await kernel.register(newEmail())
  await role(owner, 'team.reader', ['identity.member.read'])
  const member = await colleague(kernel, owner, ['team.reader'])
  t.is((await member.get('/v1/identity/members')).status, 200)
  await owner.patch(`${ROLES}/team.reader`, { permissions: ['identity.role.read'] })
  t.is((await member.get('/v1/identity/members')).status, 403)
  t.is((await member.get(ROLES)).status, 200)
})

test('deletes a role that is not in use', async t => {
  const owner = await kernel.register(newEmail())
  await role(owner, 'team.short', ['identity.member.read'])
  const member = await colleague(kernel, owner, ['team.short'])
  t.is(codeOf(await owner.delete(`${ROLES}/team.short`)), '409 role_in_use')
  await owner.patch(`/v1/identity/members/${member.memberId}`, { roles: ['tenant.member'] })
  t.is((await owner.delete(`${ROLES}/team.short`)).status, 204)
  t.is(codeOf(await owner.delete(`${ROLES}/team.short`)), '404 not_found')
})

test("lists the platform role in the operator's tenant", async t => {
  const admin = await operator(kernel)
  const { body } = await admin.with({ 'x-tenant-id': admin.operatorId }).get(ROLES)
  t.like(
    body.data.find(({ key }) => key === 'platform.admin'),
    { scope: 'platform', permissions: ['*'], builtIn: true },
  )
})
