import test from 'ava'
import { nextOf, type Pace, plentiful } from '../../../../modules/webhooks/domain/host-scheduling.ts'

const of = (...addresses: string[]) => addresses.map(address => ({ address }))
const pace = (address: string): Pace =>
  address.startsWith('slow') ? 'slow' : address.startsWith('new') ? 'unknown' : 'quick'
const next = (waiting: string[], inFlight: string[]) => nextOf(of(...waiting), of(...inFlight), pace)

test('four requests to a host are under way at a time, the oldest first', t => {
  t.is(next(['a', 'b'], []), 0)
  t.is(next(['a'], ['a', 'a', 'a']), 0)
  t.is(next(['a'], ['a', 'a', 'a', 'a']), undefined)
  t.is(next([], []), undefined)
})

test('an address that has not answered yet takes two of them at most', t => {
  t.is(next(['new', 'new', 'a'], ['new', 'new']), 2)
  t.is(next(['new'], ['new', 'new']), undefined)
  t.is(next(['new2', 'new'], ['new', 'new']), 0)
})

test('addresses that hung let others pass, and together take two of the four at most', t => {
  t.is(next(['slow', 'slow', 'a'], []), 2)
  t.is(next(['slow'], ['slow']), 0)
  t.is(next(['slow'], ['slow', 'slow2']), undefined)
  t.is(next(['slow', 'new'], ['slow', 'slow2']), 1)
})

test('of an address enough waits when it could take every place of its host', t => {
  t.deepEqual(plentiful(of('a', 'b', 'a', 'a', 'b')), [])
  t.deepEqual(plentiful(of('a', 'b', 'a', 'a', 'a')), ['a'])
})
