import test from 'ava'
import { createFilling, type FillingDeps } from '../../../../modules/streams/realtime/membership.ts'
import { createRooms } from '../../../../modules/streams/realtime/rooms.ts'
import type { Luggage, RoomMessage } from '../../../../modules/streams/realtime/types.ts'
import { handClock } from '../fixtures.ts'

const LUGGAGE: Luggage = { id: 'v', role: 'viewer', kind: 'join', tokenId: null, seq: 1, kept: ['1'], lostAt: 0 }
const row = (node_id: string | null) => ({ tenant_id: 't', peer_id: 'v', session_id: 'r', role: 'viewer', node_id })

/** The process `me`, and the viewer `v` on `b`; `claim` is what becomes of asking `b` for it. */
function stage(claim: (say: (message: object) => void) => Luggage | null | 'silent', taken = true) {
  const told: { kind?: string }[] = []
  const asked: string[] = []
  const left: string[] = []
  const clock = handClock()
  const nodes = {
    self: 'me',
    tell: (message: object) => void told.push(message),
    async claim(node: string) {
      asked.push(node)
      return claim(message => {
        const room = rooms.rooms.get('r')
        if (room) rooms.heard(room, { from: 'c', room: 'r', ...message } as RoomMessage)
      })
    },
  }
  const rooms = createRooms(nodes, clock)
  const registry = {
    find: async () => row('b'),
    take: async () => taken,
    peers: async () => [row('me'), { ...row('c'), peer_id: 'c', role: 'publisher' }],
    details: async () => undefined,
    leave: async (_: string, peers: string[]) => void left.push(...peers),
  }
  const sessions = { getManyAcrossTenants: async () => [{ id: 'r', workspace_id: 't' }] }
  const log = { info() {} }
  const deps = { nodes, rooms, registry, sessions, clock, log } as unknown as FillingDeps
  return { filling: createFilling(deps), told, asked, left }
}
const frame = (tail: string) => ({ kind: 'frame', at: 'me', to: 'v', tail })

test('what is sent to a place that is fetched waits for it, and comes after what it brings', async t => {
  const { filling, told } = stage(say => {
    say(frame('2'))
    say({ kind: 'cast', except: 'c', tail: '3', moved: { v: 'me' } })
    return LUGGAGE
  })
  const place = await filling.fetch('v')
  t.deepEqual(place?.line.kept, ['1', '2', '3'])
  t.is(place?.line.seq, 3)
  t.deepEqual(told, [{ kind: 'moved', room: 'r', peers: ['v'] }])
})

test('two who fetch the same place at the same time get the same, and ask once', async t => {
  const { filling, asked } = stage(() => LUGGAGE)
  const [one, two] = await Promise.all([filling.fetch('v'), filling.fetch('v')])
  t.is(one, two)
  t.is(one?.id, 'v')
  t.deepEqual(asked, ['b'])
})

test('a place that nobody holds, or whose process is silent, is given up, and the others are told', async t => {
  for (const answer of [null, 'silent'] as const) {
    const { filling, told, left } = stage(() => answer)
    t.is(await filling.fetch('v'), undefined)
    t.deepEqual(left, ['v'])
    t.deepEqual(
      told.map(({ kind }) => kind),
      ['left'],
    )
  }
})

test('a place that was given up while it was on its way is not taken up again', async t => {
  const { filling, told } = stage(() => LUGGAGE, false)
  t.is(await filling.fetch('v'), undefined)
  t.deepEqual(told, [])
})
