import test from 'ava'
import {
  type ResponseSpeed,
  saturatedAddresses,
  selectNext,
} from '../../../../modules/webhooks/domain/host-scheduling.ts'

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
  t.deepEqual(saturatedAddresses(of('a', 'b', 'a', 'a', 'b')), [])
  t.deepEqual(saturatedAddresses(of('a', 'b', 'a', 'a', 'a')), ['a'])
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
