import test from 'ava'
import type { Caller } from '../../../../kernel/index.ts'
import { readReach, retryReach } from '../../../../modules/platform/domain/tenant-scope.ts'

const caller = (...permissions: string[]) => ({ can: (wanted: string) => permissions.includes(wanted) }) as Caller

test('a tenant reads and retries what is its own', t => {
  t.is(readReach(caller(), 'ten_a'), 'ten_a')
  t.is(retryReach(caller(), 'ten_a'), 'ten_a')
})

test('naming another tenant does not widen the reach', t => {
  t.is(readReach(caller(), 'ten_a', 'ten_b'), 'ten_a')
})

test('the whole platform is in reach with the permission for it, of reading or of retrying', t => {
  t.is(readReach(caller('platform.tenant.read_all'), 'ten_a'), null)
  t.is(readReach(caller('platform.tenant.read_all'), 'ten_a', 'ten_b'), 'ten_b')
  t.is(retryReach(caller('platform.tenant.read_all'), 'ten_a'), 'ten_a')
  t.is(retryReach(caller('platform.tenant.retry_all'), undefined), null)
})

test('a missing tenant never becomes all tenants', t => {
  t.throws(() => readReach(caller(), undefined))
})
