import test from 'ava'
import { startTestKernel } from '../../testing/index.ts'
import { colleague, newEmail } from '../modules/identity/fixtures.ts'
import { FULL, knock, tryDoors } from './permissions.ts'

test('a permission opens the routes that name it, and no other', async t => {
  const { permissions, routes, knocks, wrong } = await tryDoors(t, { step: 8 })
  t.log(`${permissions} permissions, ${routes} routes, ${knocks} knocks`)
  t.true(permissions > 35 && routes > 30 && knocks > 200)
  t.deepEqual(wrong, [])
})

test('no role of a tenant’s own holds a permission of the platform, however it is written', async t => {
  const kernel = await startTestKernel({ recipe: FULL, role: 'web' })
  t.teardown(() => kernel.stop())
  const owner = await kernel.register(newEmail('owner'))
  const ofPlatform = kernel.kernel.ports.access.permissions().filter(({ scope }) => scope === 'platform')
  const routes = kernel.kernel.ports.http
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
