import test from 'ava'
import { startTestKernel } from '../../testing/index.ts'
import { colleague, newEmail } from '../modules/identity/fixtures.ts'
import { callRoute, checkPermissions, FULL } from './permissions.ts'

test('a permission grants access to the routes that name it and to no others', async t => {
  const { permissions, routes, requests, wrong } = await checkPermissions(t, { step: 16 })
  t.log(`${permissions} permissions, ${routes} routes, ${requests} requests`)
  t.true(permissions > 35 && routes > 30 && requests > 200)
  t.deepEqual(wrong, [])
})

test('custom roles of a tenant never grant platform permissions', async t => {
  const kernel = await startTestKernel({ recipe: FULL, role: 'web' })
  t.teardown(() => kernel.stop())
  const owner = await kernel.register(newEmail('owner'))
  const ofPlatform = kernel.kernel.ports.access.permissions().filter(({ scope }) => scope === 'platform')
  const routes = kernel.kernel.ports.http
    .endpoints()
    .filter(({ kind, allow }) => kind === 'route' && allow.every(word => ofPlatform.some(({ key }) => key === word)))
  t.true(ofPlatform.length > 3 && routes.length > 1)
  for (const { key } of ofPlatform)
    t.is(
      (await owner.post('/v1/identity/roles', { key: 'team.platform', name: 'Platform', permissions: [key] })).status,
      422,
      key,
    )
  const areas = [...new Set(ofPlatform.map(({ key }) => `${key.split('.')[0]}.*`)), '*']
  const created: string[] = []
  for (const pattern of areas) {
    const made = await owner.post('/v1/identity/roles', {
      key: `team.wide${created.length}`,
      name: 'W',
      permissions: [pattern],
    })
    if (made.status === 201) created.push(`team.wide${created.length}`)
  }
  const member = await colleague(kernel, owner, created)
  for (const route of routes)
    for (const client of [owner, member, kernel.as(owner.apiKey)])
      t.is((await callRoute(client, route)).status, 403, route.path)
})
