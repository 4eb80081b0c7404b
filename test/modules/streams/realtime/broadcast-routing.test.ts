import test from 'ava'
import { createReplayBuffer } from '../../../../modules/streams/domain/replay-buffer.ts'
import {
  isForDepartedPeer,
  isForLocalPeer,
  RECENT_MOVE_MS,
  recentMoves,
} from '../../../../modules/streams/realtime/broadcast-routing.ts'
import type { PeerSession, RemotePeer, Room } from '../../../../modules/streams/realtime/types.ts'

const NOW = 1_000_000
const peerSession = (arrivedAt: number): PeerSession => ({
  id: 'p',
  role: 'viewer',
  room: {} as Room,
  kind: 'join',
  tokenId: null,
  token: undefined,
  buffer: createReplayBuffer(),
  connection: undefined,
  disconnectedAt: 0,
  iceRefreshAt: 0,
  maxUnconfirmed: 64,
  arrivedAt,
})
const remote = (node: string | null, movedAt: number): RemotePeer => ({
  id: 'p',
  role: 'viewer',
  node,
  movedAt,
  claim: undefined,
  pendingFrames: [],
})

test('a broadcast contains the location of recently moved peers only', t => {
  t.deepEqual(recentMoves([remote('b', 0), peerSession(0)], 'me', NOW), {})
  t.deepEqual(recentMoves([remote('b', NOW - RECENT_MOVE_MS)], 'me', NOW), {})
  t.deepEqual(recentMoves([remote('b', NOW - RECENT_MOVE_MS + 1)], 'me', NOW), { moved: { p: 'b' } })
  t.deepEqual(recentMoves([remote(null, 0)], 'me', NOW), { moved: { p: null } })
  t.deepEqual(recentMoves([peerSession(NOW - 1)], 'me', NOW), { moved: { p: 'me' } })
})

test('delivers to a recently arrived peer only if the sender has received its location', t => {
  const isDelivered = (moved: Record<string, string | null> | undefined, member: PeerSession | RemotePeer) =>
    isForLocalPeer(moved ? { moved } : {}, member, 'me', NOW)
  t.true(isDelivered(undefined, peerSession(0)))
  t.false(isDelivered(undefined, peerSession(NOW - 1)))
  t.true(isDelivered({ p: 'me' }, peerSession(NOW - 1)))
  t.false(isDelivered({ p: 'before' }, peerSession(NOW - 1)))
  t.false(isDelivered({ p: null }, peerSession(0)))
  t.true(isDelivered({ p: 'me' }, remote(null, NOW)))
  t.false(isDelivered(undefined, remote(null, NOW)))
  t.false(isDelivered({ p: 'me' }, remote('other', NOW)))
})

test('forwards to a departed peer unless the sender has received its new location', t => {
  t.true(isForDepartedPeer({}, 'p', 'me'))
  t.true(isForDepartedPeer({ moved: { q: 'other' } }, 'p', 'me'))
  t.true(isForDepartedPeer({ moved: { p: 'me' } }, 'p', 'me'))
  t.false(isForDepartedPeer({ moved: { p: 'other' } }, 'p', 'me'))
  t.false(isForDepartedPeer({ moved: { p: null } }, 'p', 'me'))
})

test('exactly one of the previous and current process delivers a broadcast', t => {
  for (const moved of [undefined, { p: 'before' }, { p: 'now' }] as const) {
    const message = moved ? { moved } : {}
    const delivering = [
      isForDepartedPeer(message, 'p', 'before'),
      isForLocalPeer(message, peerSession(NOW - 1), 'now', NOW),
    ]
    t.is(delivering.filter(Boolean).length, 1, JSON.stringify(moved))
  }
})
