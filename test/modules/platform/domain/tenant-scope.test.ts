import test from 'ava'
import type { Caller } from '../../../../kernel/index.ts'
import { readScope, retryScope } from '../../../../modules/platform/domain/tenant-scope.ts'

const caller = (...permissions: string[]) => ({ can: (wanted: string) => permissions.includes(wanted) }) as Caller

test('limits a tenant to its own records', t => {
  t.is(readScope(caller(), 'ten_a'), 'ten_a')
  t.is(retryScope(caller(), 'ten_a'), 'ten_a')
})

test('ignores the tenant filter without platform permission', t => {
  t.is(readScope(caller(), 'ten_a', 'ten_b'), 'ten_a')
})

test('reads or retries in all tenants with the matching platform permission', t => {
  t.is(readScope(caller('platform.tenant.read_all'), 'ten_a'), null)
  t.is(readScope(caller('platform.tenant.read_all'), 'ten_a', 'ten_b'), 'ten_b')
  t.is(retryScope(caller('platform.tenant.read_all'), 'ten_a'), 'ten_a')
  t.is(retryScope(caller('platform.tenant.retry_all'), undefined), null)
})

test('rejects a missing tenant without platform permission', t => {
  t.throws(() => readScope(caller(), undefined))
})
