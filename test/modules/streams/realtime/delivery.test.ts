import test from 'ava'
import { KIB } from '../../../../kernel/base/units.ts'
import { confirm, createReplayBuffer } from '../../../../modules/streams/domain/replay-buffer.ts'
import { deliver } from '../../../../modules/streams/realtime/delivery.ts'
import { createPeerSession } from '../../../../modules/streams/realtime/peer-session.ts'
import type { Connection, PeerSession } from '../../../../modules/streams/realtime/types.ts'

/** A connected peer whose pings are counted and answered at once. */
function connectedPeer(id: string, onPing: () => void): PeerSession {
  const buffer = createReplayBuffer()
  const socket = {
    awaitsPong: false,
    send: () => true,
    ping() {
      onPing()
      confirm(buffer, buffer.seq)
    },
  }
  return createPeerSession({
    id,
    role: 'viewer',
    room: {},
    kind: 'join',
    tokenId: null,
    token: undefined,
    buffer,
    connection: { socket } as unknown as Connection,
    disconnectedAt: 0,
    arrivedAt: 0,
  } as unknown as PeerSession)
}

test('the viewers of a session confirm its frames at different times', t => {
  const viewers = 99
  const pings = new Map<string, number>()
  let pingsOfFrame = 0
  const peers = Array.from({ length: viewers }, (_, index) =>
    connectedPeer(`v${index}`, () => {
      pingsOfFrame++
      pings.set(`v${index}`, (pings.get(`v${index}`) ?? 0) + 1)
    }),
  )
  let most = 0
  for (let frame = 0; frame < 96; frame++) {
    pingsOfFrame = 0
    for (const peer of peers) deliver(peer, '"type":"candidate"}', true)
    most = Math.max(most, pingsOfFrame)
  }
  t.is(pings.size, viewers)
  t.true(most < viewers / 4, `${most} pings for one frame`)
})

test('an early ping lets a peer confirm large frames', t => {
  let pings = 0
  const peer = connectedPeer('v', () => pings++)
  const tail = 'x'.repeat(8 * KIB)
  for (let frame = 0; frame < 3; frame++) deliver(peer, tail)
  t.is(pings, 0)
  for (let frame = 3; frame < 12; frame++) deliver(peer, tail)
  t.true(pings > 0)
})
