import test from 'ava'
import { countBrokenConnections, runMixedTenants } from '../reliability/tenants.ts'

test('100,000 mixed requests of 100 tenants over one pool neither read nor write rows of another tenant', async t => {
  const { statuses, ...damage } = await runMixedTenants({ requests: 100_000, tenants: 100 })
  t.log(JSON.stringify(statuses))
  t.true(countBrokenConnections({ statuses }) < 10)
  t.deepEqual(damage, { foreign: 0, stray: 0, lost: 0 })
})
