import test from 'ava'
import { cutOff, mixTenants } from './tenants.ts'

test('requests of many tenants over one pool, failing and abandoned, see and leave no foreign row', async t => {
  const { statuses, ...damage } = await mixTenants({ requests: 1200, tenants: 20 })
  t.log(JSON.stringify(statuses))
  t.deepEqual(damage, { foreign: 0, stray: 0, lost: 0 })
  t.true(cutOff({ statuses }) <= 3)
  // Of each kind there were some, or the count above says nothing.
  for (const status of ['200', '201', '500', 'aborted']) t.true((statuses[status] ?? 0) > 50, status)
})
