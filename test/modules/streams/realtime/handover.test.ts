import test from 'ava'
import type { RoomMessage } from '../../../../modules/streams/domain/messages.ts'
import { createReplayBuffer } from '../../../../modules/streams/domain/replay-buffer.ts'
import { createHandover, type HandoverDeps } from '../../../../modules/streams/realtime/handover.ts'
import { createRooms } from '../../../../modules/streams/realtime/rooms.ts'
import { isLocal, type PeerSession } from '../../../../modules/streams/realtime/types.ts'
import { manualClock } from '../fixtures.ts'

type Session = Parameters<ReturnType<typeof createRooms>['open']>[0]

/** The process `me` holds a publisher and a viewer `v` in room `r`; process `b` holds the viewer `far`. */
function createFixture(park: () => void = () => {}) {
  const published: object[] = []
  const clock = manualClock()
  const nodes = { self: 'me', publish: (message: object) => void published.push(message), flush: async () => {} }
  const rooms = createRooms(nodes, clock)
  const room = rooms.open({ id: 'r', workspace_id: 't' } as Session)
  room.loaded = true
  const add = (id: string, role: PeerSession['role']) =>
    rooms.add({
      id,
      role,
      room,
      kind: 'join',
      tokenId: null,
      token: undefined,
      buffer: createReplayBuffer(),
      connection: undefined,
      disconnectedAt: 0,
      arrivedAt: 0,
      iceRefreshAt: 0,
      maxUnconfirmed: 64,
    })
  add('publisher', 'publisher')
  add('v', 'viewer')
  rooms.addRemote(room, { id: 'far', role: 'viewer' }, 'b', 0)
  const registry = { park: async () => park() }
  const handover = createHandover({ nodes, rooms, registry, clock } as unknown as HandoverDeps)
  const receive = (message: object) => handover.handleMessage({ from: 'c', room: 'r', ...message } as RoomMessage)
  return { handover, receive, published, rooms, room, clock }
}
const broadcast = (more: object = {}) => ({ kind: 'broadcast', except: 'publisher', tail: 'x', ...more })
const forwarded = (to: string, at: string) => ({ kind: 'frame', room: 'r', at, to, tail: 'x' })

test('forwards broadcasts to a released peer unless the sender has received its new location', t => {
  const { handover, receive, published, clock } = createFixture()
  t.is(handover.release('nobody', 'b'), null)
  t.is(handover.release('v', 'b')?.id, 'v')
  receive(broadcast())
  receive(broadcast({ moved: { v: 'me' } }))
  t.deepEqual(published.splice(0), [forwarded('v', 'b'), forwarded('v', 'b')])
  receive(broadcast({ moved: { v: 'b' } }))
  receive(broadcast({ except: 'v' }))
  receive({ ...broadcast(), room: 'other' })
  t.deepEqual(published, [])
  clock.forward(20_000)
  handover.release('publisher', 'b')
  receive(broadcast())
  t.deepEqual(published, [])
})

test('does not forward frames for a peer that returned', t => {
  const { handover, receive, published, rooms, room } = createFixture()
  handover.release('v', 'b')
  const peerSession = { id: 'v', role: 'viewer', room, buffer: createReplayBuffer() } as unknown as PeerSession
  rooms.add(peerSession)
  receive(broadcast())
  t.deepEqual(published, [])
})

test('holds back a broadcast for a peer that is on its way back, and does not forward it', t => {
  const { handover, receive, published, rooms, room } = createFixture()
  handover.release('v', 'b')
  rooms.beginClaim(room, { id: 'v', role: 'viewer' })
  const message = broadcast({ moved: { v: 'me' } })
  receive(message)
  rooms.handleMessage(room, { from: 'c', room: 'r', ...message } as RoomMessage)
  t.deepEqual(published, [])
  const member = room.members.get('v')
  t.deepEqual(member && !isLocal(member) && member.pendingFrames, ['x'])
  receive(broadcast())
  t.deepEqual(published, [forwarded('v', 'b')])
})

test('forwards frames for a released peer after its room has closed', t => {
  const { handover, receive, published } = createFixture()
  handover.release('v', 'b')
  handover.release('publisher', 'b')
  receive({ kind: 'frame', at: 'me', to: 'v', tail: 'x' })
  receive({ kind: 'frame', at: 'other', to: 'v', tail: 'x' })
  t.deepEqual(published, [forwarded('v', 'b')])
})

test('a stop announces the handover first and returns late frames to their sender', async t => {
  let duringPark = () => {}
  const { handover, receive, published } = createFixture(() => duringPark())
  duringPark = () => {
    t.true(receive({ kind: 'frame', at: 'me', to: 'v', tail: 'x' }))
    t.true(receive(broadcast()))
    t.false(receive(broadcast({ moved: { v: null, publisher: null }, except: '' })))
    t.false(receive({ kind: 'left', peers: ['far'] }))
  }
  t.false(receive(broadcast()))
  await handover.releaseAll()
  t.deepEqual(published, [
    { kind: 'leaving', room: 'r', peers: ['publisher', 'v'] },
    { kind: 'parked', room: 'r', peers: ['publisher', 'v'] },
    forwarded('v', 'c'),
    forwarded('v', 'c'),
  ])
})

test('does not announce a peer claimed during parking as parked', async t => {
  let duringPark = () => {}
  const { handover, published } = createFixture(() => duringPark())
  duringPark = () => void handover.release('v', 'b')
  await handover.releaseAll()
  t.deepEqual(published.at(-1), { kind: 'parked', room: 'r', peers: ['publisher'] })
})
