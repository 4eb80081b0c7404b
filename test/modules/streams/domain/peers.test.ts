import test from 'ava'
import { keepsPlace } from '../../../../modules/streams/domain/close-codes.ts'
import { isPolite, type Member, routeOf, seenBy } from '../../../../modules/streams/domain/peers.ts'

const publisher: Member = { id: 'peer_b', role: 'publisher' }
const one: Member = { id: 'peer_a', role: 'viewer' }
const two: Member = { id: 'peer_c', role: 'viewer' }
const members = new Map([publisher, one, two].map(member => [member.id, member]))

test('of two peers exactly one is polite: the viewer, between equals the smaller id', t => {
  t.true(isPolite(one, publisher))
  t.false(isPolite(publisher, one))
  t.true(isPolite(one, two))
  t.false(isPolite(two, one))
  t.deepEqual(seenBy(publisher, one), { peer_id: 'peer_b', role: 'publisher', polite: false })
})

test('viewers speak to the publisher alone, the publisher to whom it names or to all', t => {
  t.deepEqual(routeOf(members, one, undefined), { targets: [publisher] })
  t.deepEqual(routeOf(members, one, 'peer_b'), { targets: [publisher] })
  t.like(routeOf(members, one, 'peer_c'), { code: 'not_allowed' })
  t.like(routeOf(members, one, 'peer_x'), { code: 'unknown_peer' })
  t.like(routeOf(members, one, 'peer_a'), { code: 'unknown_peer' })
  t.deepEqual(routeOf(members, publisher, undefined), { targets: [one, two] })
  t.deepEqual(routeOf(members, publisher, 'peer_c'), { targets: [two] })
  t.like(routeOf(new Map([[one.id, one]]), one, undefined), { code: 'no_publisher' })
})

test('a peer may come back after anything but a goodbye or a final code', t => {
  for (const code of [1001, 1005, 1006, 1011, 4000, 4001, 4008, 4029]) t.true(keepsPlace(code), String(code))
  for (const code of [1000, 4400, 4401, 4403, 4409, 4410, 4413, 4499]) t.false(keepsPlace(code), String(code))
})
