import test from 'ava'
import { checkPermissions } from '../reliability/permissions.ts'

// The model test of identity with its full count: no one can grant more permissions than they have.
process.env.LARDER_RUNS = '1000'
await import('../modules/identity/workspaces/roles/grants.test.ts')

test('every permission grants access to the routes that name it and to no others', async t => {
  const { permissions, routes, requests, wrong } = await checkPermissions(t, { step: 1 })
  t.log(`${permissions} permissions, ${routes} routes`)
  t.is(requests, permissions * routes)
  t.deepEqual(wrong, [])
})
