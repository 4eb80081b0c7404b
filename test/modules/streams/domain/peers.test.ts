import test from 'ava'
import { canResume } from '../../../../modules/streams/domain/close-codes.ts'
import { isPolite, type PeerIdentity, resolveTargets, toPeerView } from '../../../../modules/streams/domain/peers.ts'

const publisher: PeerIdentity = { id: 'peer_b', role: 'publisher' }
const one: PeerIdentity = { id: 'peer_a', role: 'viewer' }
const two: PeerIdentity = { id: 'peer_c', role: 'viewer' }
const members = new Map([publisher, one, two].map(member => [member.id, member]))

test('exactly one of two peers is polite: the viewer, or the one with the smaller id', t => {
  t.true(isPolite(one, publisher))
  t.false(isPolite(publisher, one))
  t.true(isPolite(one, two))
  t.false(isPolite(two, one))
  t.deepEqual(toPeerView(publisher, one), { peer_id: 'peer_b', role: 'publisher', polite: false })
})

test('viewers send to the publisher only; the publisher to one or all viewers', t => {
  t.deepEqual(resolveTargets(members, one, undefined), { targets: [publisher] })
  t.deepEqual(resolveTargets(members, one, 'peer_b'), { targets: [publisher] })
  t.like(resolveTargets(members, one, 'peer_c'), { code: 'not_allowed' })
  t.like(resolveTargets(members, one, 'peer_x'), { code: 'unknown_peer' })
  t.like(resolveTargets(members, one, 'peer_a'), { code: 'unknown_peer' })
  t.deepEqual(resolveTargets(members, publisher, undefined), { targets: [one, two] })
  t.deepEqual(resolveTargets(members, publisher, 'peer_c'), { targets: [two] })
  t.like(resolveTargets(new Map([[one.id, one]]), one, undefined), { code: 'no_publisher' })
})

test('a peer can resume unless it left or received a final close code', t => {
  for (const code of [1001, 1005, 1006, 1011, 4000, 4001, 4008, 4029]) t.true(canResume(code), String(code))
  for (const code of [1000, 4400, 4401, 4403, 4409, 4410, 4413, 4499]) t.false(canResume(code), String(code))
})
