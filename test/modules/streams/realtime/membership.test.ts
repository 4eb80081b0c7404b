import test from 'ava'
import type { HandoverState, RoomMessage } from '../../../../modules/streams/domain/messages.ts'
import { allFrames } from '../../../../modules/streams/domain/replay-buffer.ts'
import { createMembership, type MembershipDeps } from '../../../../modules/streams/realtime/membership.ts'
import { createRooms } from '../../../../modules/streams/realtime/rooms.ts'
import { manualClock } from '../fixtures.ts'

const STATE: HandoverState = {
  id: 'v',
  role: 'viewer',
  kind: 'join',
  tokenId: null,
  seq: 1,
  frames: ['1'],
  disconnectedAt: 0,
}
const row = (node_id: string | null) => ({ tenant_id: 't', peer_id: 'v', session_id: 'r', role: 'viewer', node_id })

/** The process `me`, and the viewer `v` on process `b`. `claim` answers the claims sent to `b`. */
function createFixture(
  claim: (deliver: (message: object) => void) => HandoverState | null | 'unresponsive',
  taken = true,
) {
  const published: { kind?: string }[] = []
  const claimed: string[] = []
  const left: string[] = []
  const clock = manualClock()
  const nodes = {
    self: 'me',
    publish: (message: object) => void published.push(message),
    async claim(node: string) {
      claimed.push(node)
      return claim(message => {
        const room = rooms.rooms.get('r')
        if (room) rooms.handleMessage(room, { from: 'c', room: 'r', ...message } as RoomMessage)
      })
    },
  }
  const rooms = createRooms(nodes, clock)
  const registry = {
    find: async () => row('b'),
    take: async () => taken,
    peers: async () => [row('me'), { ...row('c'), peer_id: 'c', role: 'publisher' }],
    details: async () => undefined,
    async leave(_: object, peers: string[]) {
      left.push(...peers)
      return []
    },
  }
  const sessions = { getManyAcrossTenants: async () => [{ id: 'r', workspace_id: 't' }] }
  const log = { info() {} }
  const deps = { nodes, rooms, registry, sessions, clock, log } as unknown as MembershipDeps
  return { membership: createMembership(deps), rooms, published, claimed, left }
}
const frame = (tail: string) => ({ kind: 'frame', at: 'me', to: 'v', tail })

test('delivers frames sent during a transfer after the transferred ones', async t => {
  const { membership, published } = createFixture(deliver => {
    deliver(frame('2'))
    deliver({ kind: 'broadcast', except: 'c', tail: '3', moved: { v: 'me' } })
    return STATE
  })
  const peerSession = await membership.transfer('v')
  t.deepEqual(peerSession && allFrames(peerSession.buffer), ['1', '2', '3'])
  t.is(peerSession?.buffer.seq, 3)
  t.deepEqual(published, [{ kind: 'moved', room: 'r', peers: ['v'] }])
})

test('holds frames back until the transfer ends, even if an earlier move is reported meanwhile', async t => {
  const { membership, published } = createFixture(deliver => {
    deliver(frame('2'))
    deliver({ kind: 'moved', from: 'b', peers: ['v'] })
    deliver(frame('3'))
    return STATE
  })
  const peerSession = await membership.transfer('v')
  t.deepEqual(peerSession && allFrames(peerSession.buffer), ['1', '2', '3'])
  t.deepEqual(published, [{ kind: 'moved', room: 'r', peers: ['v'] }])
})

test('sends the frames held back to the reported process if the transfer fails', async t => {
  const { membership, rooms, published } = createFixture(deliver => {
    deliver(frame('2'))
    deliver({ kind: 'moved', from: 'c', peers: ['v'] })
    throw new Error('no database')
  })
  rooms.open({ id: 'r', workspace_id: 't' } as Parameters<typeof rooms.open>[0]).loaded = true
  await t.throwsAsync(membership.transfer('v'), { message: 'no database' })
  t.deepEqual(published, [{ kind: 'frame', room: 'r', at: 'c', to: 'v', tail: '2' }])
})

test('concurrent transfers of the same peer session share one claim', async t => {
  const { membership, claimed } = createFixture(() => STATE)
  const [one, two] = await Promise.all([membership.transfer('v'), membership.transfer('v')])
  t.is(one, two)
  t.is(one?.id, 'v')
  t.deepEqual(claimed, ['b'])
})

test('removes a peer that no process holds or whose process does not respond', async t => {
  for (const answer of [null, 'unresponsive'] as const) {
    const { membership, published, left } = createFixture(() => answer)
    t.is(await membership.transfer('v'), undefined)
    t.deepEqual(left, ['v'])
    t.deepEqual(
      published.map(({ kind }) => kind),
      ['left'],
    )
  }
})

test('does not restore a peer that left during the transfer', async t => {
  const { membership, published } = createFixture(() => STATE, false)
  t.is(await membership.transfer('v'), undefined)
  t.deepEqual(published, [])
})
