import test from 'ava'
import { cutOff, mixTenants } from '../reliability/tenants.ts'

test('100,000 requests of 100 tenants over one pool see and leave no foreign row', async t => {
  const { statuses, ...damage } = await mixTenants({ requests: 100_000, tenants: 100 })
  t.log(JSON.stringify(statuses))
  t.true(cutOff({ statuses }) < 10)
  t.deepEqual(damage, { foreign: 0, stray: 0, lost: 0 })
})
