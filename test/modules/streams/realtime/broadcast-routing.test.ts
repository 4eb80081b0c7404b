import test from 'ava'
import { newLine } from '../../../../modules/streams/domain/replay-buffer.ts'
import {
  believesHere,
  believesStillHere,
  knownMoves,
  LATELY,
} from '../../../../modules/streams/realtime/broadcast-routing.ts'
import type { Place, Remote, Room } from '../../../../modules/streams/realtime/types.ts'

const NOW = 1_000_000
const place = (arrivedAt: number): Place => ({
  ...{ id: 'p', role: 'viewer', room: {} as Room, kind: 'join', tokenId: null, token: undefined, line: newLine() },
  ...{ link: undefined, lostAt: 0, iceAt: 0, arrivedAt },
})
const remote = (node: string | null, movedAt: number): Remote => ({
  ...{ id: 'p', role: 'viewer', node, movedAt, waiting: [] },
})

test('a cast says where its sender has those that lately moved, or are on their way, and nothing of the others', t => {
  t.deepEqual(knownMoves([remote('b', 0), place(0)], 'me', NOW), {})
  t.deepEqual(knownMoves([remote('b', NOW - LATELY)], 'me', NOW), {})
  t.deepEqual(knownMoves([remote('b', NOW - LATELY + 1)], 'me', NOW), { moved: { p: 'b' } })
  t.deepEqual(knownMoves([remote(null, 0)], 'me', NOW), { moved: { p: null } })
  t.deepEqual(knownMoves([place(NOW - 1)], 'me', NOW), { moved: { p: 'me' } })
})

test('who came here lately hears a cast here only from a sender that knows of it', t => {
  const heard = (moved: Record<string, string | null> | undefined, member: Place | Remote) =>
    believesHere(moved ? { moved } : {}, member, 'me', NOW)
  t.true(heard(undefined, place(0)))
  t.false(heard(undefined, place(NOW - 1)))
  t.true(heard({ p: 'me' }, place(NOW - 1)))
  t.false(heard({ p: 'before' }, place(NOW - 1)))
  t.false(heard({ p: null }, place(0)))
  t.true(heard({ p: 'me' }, remote(null, NOW)))
  t.false(heard(undefined, remote(null, NOW)))
  t.false(heard({ p: 'me' }, remote('other', NOW)))
})

test('a cast is sent after who left here unless its sender knows where to', t => {
  t.true(believesStillHere({}, 'p', 'me'))
  t.true(believesStillHere({ moved: { q: 'other' } }, 'p', 'me'))
  t.true(believesStillHere({ moved: { p: 'me' } }, 'p', 'me'))
  t.false(believesStillHere({ moved: { p: 'other' } }, 'p', 'me'))
  t.false(believesStillHere({ moved: { p: null } }, 'p', 'me'))
})

test('of where a peer was and where it is, exactly one brings it a cast, whatever the sender knows', t => {
  for (const moved of [undefined, { p: 'before' }, { p: 'now' }] as const) {
    const message = moved ? { moved } : {}
    const brings = [believesStillHere(message, 'p', 'before'), believesHere(message, place(NOW - 1), 'now', NOW)]
    t.is(brings.filter(Boolean).length, 1, JSON.stringify(moved))
  }
})
