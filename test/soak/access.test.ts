import test from 'ava'
import { tryDoors } from '../reliability/permissions.ts'

// The model test of identity, with its full count: nobody ends up with more than whoever gave it had.
process.env.LARDER_RUNS = '1000'
await import('../modules/identity/grants.test.ts')

test('every permission opens the routes that name it, and no other of all', async t => {
  const { permissions, routes, knocks, wrong } = await tryDoors(t, { step: 1 })
  t.log(`${permissions} permissions, ${routes} routes`)
  t.is(knocks, permissions * routes)
  t.deepEqual(wrong, [])
})
