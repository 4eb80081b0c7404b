import test from 'ava'
import { newLine } from '../../../../modules/streams/domain/replay-buffer.ts'
import { createFarewell, type FarewellDeps } from '../../../../modules/streams/realtime/handover.ts'
import { createRooms } from '../../../../modules/streams/realtime/rooms.ts'
import type { Place, RoomMessage } from '../../../../modules/streams/realtime/types.ts'
import { handClock } from '../fixtures.ts'

type Session = Parameters<ReturnType<typeof createRooms>['open']>[0]

/** The process `me` with a publisher and a viewer `v` in the room `r`, and `far`, who is with the process `b`. */
function stage(park: () => void = () => {}) {
  const told: object[] = []
  const clock = handClock()
  const nodes = { self: 'me', tell: (message: object) => void told.push(message), reached: async () => {} }
  const rooms = createRooms(nodes, clock)
  const room = rooms.open({ id: 'r', workspace_id: 't' } as Session)
  room.loaded = true
  const seat = (id: string, role: Place['role']) =>
    rooms.seat({
      ...{ id, role, room, kind: 'join', tokenId: null, token: undefined, line: newLine(), link: undefined },
      ...{ lostAt: 0, arrivedAt: 0, iceAt: 0 },
    })
  seat('publisher', 'publisher')
  seat('v', 'viewer')
  rooms.addRemote(room, { id: 'far', role: 'viewer' }, 'b', 0)
  const registry = { park: async () => park() }
  const farewell = createFarewell({ nodes, rooms, registry, clock } as unknown as FarewellDeps)
  const heard = (message: object) => farewell.heard({ from: 'c', room: 'r', ...message } as RoomMessage)
  return { farewell, heard, told, rooms, room, clock }
}
const cast = (more: object = {}) => ({ kind: 'cast', except: 'publisher', tail: 'x', ...more })
const sentOn = (to: string, at: string) => ({ kind: 'frame', room: 'r', at, to, tail: 'x' })

test('what is cast to a place that was given away is sent after it, unless its sender knows where it is', t => {
  const { farewell, heard, told, clock } = stage()
  t.is(farewell.give('nobody', 'b'), null)
  t.is(farewell.give('v', 'b')?.id, 'v')
  heard(cast())
  heard(cast({ moved: { v: 'me' } }))
  t.deepEqual(told.splice(0), [sentOn('v', 'b'), sentOn('v', 'b')])
  heard(cast({ moved: { v: 'b' } }))
  heard(cast({ except: 'v' }))
  heard({ ...cast(), room: 'other' })
  t.deepEqual(told, [])
  clock.forward(20_000)
  farewell.give('publisher', 'b')
  heard(cast())
  t.deepEqual(told, [])
})

test('a place that came back is sent nothing after', t => {
  const { farewell, heard, told, rooms, room } = stage()
  farewell.give('v', 'b')
  const place = { id: 'v', role: 'viewer', room, line: newLine() } as unknown as Place
  rooms.seat(place)
  heard(cast())
  t.deepEqual(told, [])
})

test('frames for a place that left find it though its room is closed here', t => {
  const { farewell, heard, told } = stage()
  farewell.give('v', 'b')
  farewell.give('publisher', 'b')
  heard({ kind: 'frame', at: 'me', to: 'v', tail: 'x' })
  heard({ kind: 'frame', at: 'other', to: 'v', tail: 'x' })
  t.deepEqual(told, [sentOn('v', 'b')])
})

test('at a stop others hold back first, and what still comes once places are written down goes back to them', async t => {
  let whileWritten = () => {}
  const { farewell, heard, told } = stage(() => whileWritten())
  whileWritten = () => {
    t.true(heard({ kind: 'frame', at: 'me', to: 'v', tail: 'x' }))
    t.true(heard(cast()))
    t.false(heard(cast({ moved: { v: null, publisher: null }, except: '' })))
    t.false(heard({ kind: 'left', peers: ['far'] }))
  }
  t.false(heard(cast()))
  await farewell.all()
  t.deepEqual(told, [
    { kind: 'leaving', room: 'r', peers: ['publisher', 'v'] },
    { kind: 'parked', room: 'r', peers: ['publisher', 'v'] },
    sentOn('v', 'c'),
    sentOn('v', 'c'),
  ])
})

test('a place that is fetched while it is written down is not told as left', async t => {
  let whileWritten = () => {}
  const { farewell, told } = stage(() => whileWritten())
  whileWritten = () => void farewell.give('v', 'b')
  await farewell.all()
  t.deepEqual(told.at(-1), { kind: 'parked', room: 'r', peers: ['publisher'] })
})
