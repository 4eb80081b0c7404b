import test from 'ava'
import { countBrokenConnections, runMixedTenants } from './tenants.ts'

test('mixed requests of many tenants over one pool neither read nor write rows of another tenant', async t => {
  const { statuses, ...damage } = await runMixedTenants({ requests: 800, tenants: 20 })
  t.log(JSON.stringify(statuses))
  t.deepEqual(damage, { foreign: 0, stray: 0, lost: 0 })
  t.true(countBrokenConnections({ statuses }) <= 3)
  // The counts above mean nothing unless each kind of request occurred.
  for (const status of ['200', '201', '500', 'aborted']) t.true((statuses[status] ?? 0) > 50, status)
})
