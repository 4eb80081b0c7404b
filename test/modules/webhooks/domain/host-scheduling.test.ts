import test from 'ava'
import { type ResponseSpeed, saturated, selectNext } from '../../../../modules/webhooks/domain/host-scheduling.ts'

const of = (...addresses: string[]) => addresses.map(address => ({ address }))
const pace = (address: string): ResponseSpeed =>
  address.startsWith('slow') ? 'slow' : address.startsWith('new') ? 'unknown' : 'quick'
const next = (waiting: string[], inFlight: string[]) => selectNext(of(...waiting), of(...inFlight), pace)

test('allows 4 concurrent requests per host, oldest first', t => {
  t.is(next(['a', 'b'], []), 0)
  t.is(next(['a'], ['a', 'a', 'a']), 0)
  t.is(next(['a'], ['a', 'a', 'a', 'a']), undefined)
  t.is(next([], []), undefined)
})

test('allows 2 concurrent requests to a URL without a response so far', t => {
  t.is(next(['new', 'new', 'a'], ['new', 'new']), 2)
  t.is(next(['new'], ['new', 'new']), undefined)
  t.is(next(['new2', 'new'], ['new', 'new']), 0)
})

test('slow URLs let others pass and share 2 of the 4 requests', t => {
  t.is(next(['slow', 'slow', 'a'], []), 2)
  t.is(next(['slow'], ['slow']), 0)
  t.is(next(['slow'], ['slow', 'slow2']), undefined)
  t.is(next(['slow', 'new'], ['slow', 'slow2']), 1)
})

test('an address is saturated once it could fill all requests of its host', t => {
  const waiting = (...addresses: string[]) =>
    addresses.map((address, at) => ({ address, host: 'h', tenant_id: `${at}` }))
  t.deepEqual(saturated(waiting('new', 'slow', 'new', 'new', 'slow'), pace).addresses, [])
  t.deepEqual(saturated(waiting('new', 'slow', 'new', 'new', 'new'), pace).addresses, ['new'])
})

test('a quick address is saturated with 64 deliveries, so that requests do not wait for a claim', t => {
  const waiting = (count: number) => Array.from({ length: count }, () => ({ address: 'a', host: 'h', tenant_id: 't' }))
  t.deepEqual(saturated(waiting(63), pace).addresses, [])
  t.deepEqual(saturated(waiting(64), pace).addresses, ['a'])
})

test('a tenant is saturated on a host once it could fill all requests of the host', t => {
  const waiting = ['x', 'x', 'y', 'x'].map((host, at) => ({ address: `new-${host}/${at}`, host, tenant_id: 't' }))
  t.deepEqual(saturated(waiting, pace).hostTenants, [])
  t.deepEqual(saturated([...waiting, { address: 'new-x/5', host: 'x', tenant_id: 't' }], pace).hostTenants, ['x t'])
})

test('tenants take turns', t => {
  const waiting = ['a', 'a', 'b'].map((tenant_id, at) => ({ address: `${at}`, tenant_id }))
  const busy = [{ address: 'x', tenant_id: 'a' }]
  t.is(selectNext(waiting, [], pace), 0)
  t.is(selectNext(waiting, busy, pace), 2)
  t.is(selectNext(waiting, [...busy, { address: 'y', tenant_id: 'b' }], pace), 0)
})

test('sends deliveries with the same order key one after the other', t => {
  const ordered = (...keys: (string | null)[]) => keys.map(orderKey => ({ address: 'a', orderKey }))
  const first = (waiting: (string | null)[], inFlight: (string | null)[]) =>
    selectNext(ordered(...waiting), ordered(...inFlight), pace)
  t.is(first(['x', 'y'], ['x']), 1)
  t.is(first(['x', 'x'], ['x']), undefined)
  t.is(first(['x', 'x'], []), 0)
  t.is(first([null, null], [null]), 0)
})

test('a delivery does not overtake an earlier one that must wait for its slow URL', t => {
  const waiting = [
    { address: 'slow-1', orderKey: 'x' },
    { address: 'b', orderKey: 'x' },
    { address: 'b', orderKey: 'y' },
  ]
  t.is(selectNext(waiting, of('slow-2', 'slow-3'), pace), 2)
})
