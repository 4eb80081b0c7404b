/** Every permission of the catalogue against every route: a member who holds one opens what asks for it, and no more. */
import { fileURLToPath } from 'node:url'
import test from 'ava'
import { stringify } from 'yaml'
import type { Entrance } from '../../kernel/http/http.ts'
import { packageRoot } from '../../kernel/root.ts'
import { type Client, startTestKernel, type TestKernel } from '../../kernel/testing.ts'
import { folderWith } from '../kernel/recipe/kit.ts'
import { type Colleague, colleague, newEmail, operator, outcome } from '../modules/identity/kit.ts'

const OPEN = ['public', 'joinToken', 'signature', 'user']

/** The full recipe with a role of scope platform for each permission of that scope. */
async function start(t: Parameters<typeof folderWith>[0]): Promise<TestKernel> {
  const full = fileURLToPath(new URL('recipes/full.yaml', packageRoot))
  const plain = await startTestKernel({ recipe: full, role: 'web' })
  const permissions = plain.kernel.ports.access.permissions()
  await plain.stop()
  const roles = Object.fromEntries(
    permissions
      .filter(({ scope }) => scope === 'platform')
      .map(({ key }) => [roleOf(key), { name: key, scope: 'platform', permissions: [key] }]),
  )
  const folder = folderWith(t, { 'recipe.yaml': stringify({ extends: 'larder/full', roles }) })
  return startTestKernel({ recipe: `${folder}/recipe.yaml`, role: 'web' })
}

const roleOf = (permission: string): string => `only.${permission.replaceAll('.', '_')}`

/** Ids that exist nowhere, and no body: nothing that is let in does anything. */
const knock = (client: Client, { method, path }: Entrance) =>
  client.call<{ code: string; requiredPermission?: string }>(
    method,
    path.replace(/:\w+/g, 'xxx_00000000000000000000000000'),
    method === 'GET' || method === 'DELETE' ? undefined : {},
  )

test('a permission opens the routes that name it, and no other', async t => {
  const kernel = await start(t)
  t.teardown(() => kernel.stop())
  const admin = await operator(kernel)
  const boss = { ...admin, ...admin.with({ 'x-tenant-id': admin.operatorId }), tenantId: admin.operatorId }
  const member: Colleague = await colleague(kernel, boss, ['tenant.member'])
  await boss.post('/v1/identity/roles', { key: 'only.this', name: 'Only this', permissions: [] })
  const routes = kernel.kernel.http
    .inventory()
    .filter(({ kind, allow }) => (kind === 'route' || kind === 'raw') && !allow.some(word => OPEN.includes(word)))
  const permissions = kernel.kernel.ports.access.permissions()
  t.true(permissions.length > 35 && routes.length > 30)

  for (const { key, scope } of permissions) {
    if (scope === 'tenant')
      t.is((await boss.patch('/v1/identity/roles/only.this', { permissions: [key] })).status, 200, key)
    const roles = [scope === 'tenant' ? 'only.this' : roleOf(key)]
    t.is(outcome(await boss.patch(`/v1/identity/members/${member.memberId}`, { roles })), '200', key)
    await Promise.all(
      routes.map(async route => {
        const { status, body } = await knock(member, route)
        const said = `${key} at ${route.method} ${route.path}: ${status} ${body?.code}`
        t.true(status < 500, said)
        const refused = status === 403 && body.code === 'forbidden' && body.requiredPermission === route.allow[0]
        t.is(refused, !route.allow.includes(key), said)
      }),
    )
  }
})

test('no role of a tenant’s own holds a permission of the platform, however it is written', async t => {
  const kernel = await startTestKernel({
    recipe: fileURLToPath(new URL('recipes/full.yaml', packageRoot)),
    role: 'web',
  })
  t.teardown(() => kernel.stop())
  const owner = await kernel.register(newEmail('owner'))
  const ofPlatform = kernel.kernel.ports.access.permissions().filter(({ scope }) => scope === 'platform')
  const routes = kernel.kernel.http
    .inventory()
    .filter(({ kind, allow }) => kind === 'route' && allow.every(word => ofPlatform.some(({ key }) => key === word)))
  t.true(ofPlatform.length > 3 && routes.length > 1)
  for (const { key } of ofPlatform)
    t.is(
      (await owner.post('/v1/identity/roles', { key: 'team.sly', name: 'Sly', permissions: [key] })).status,
      422,
      key,
    )
  const areas = [...new Set(ofPlatform.map(({ key }) => `${key.split('.')[0]}.*`)), '*']
  const taken: string[] = []
  for (const pattern of areas) {
    const made = await owner.post('/v1/identity/roles', {
      key: `team.wide${taken.length}`,
      name: 'W',
      permissions: [pattern],
    })
    if (made.status === 201) taken.push(`team.wide${taken.length}`)
  }
  const member = await colleague(kernel, owner, taken)
  for (const route of routes)
    for (const client of [owner, member, kernel.as(owner.apiKey)])
      t.is((await knock(client, route)).status, 403, route.path)
})
