import test from 'ava'
import { createSecrets } from '../../../../kernel/base/secrets.ts'
import { type AdmissionDeps, createAdmission } from '../../../../modules/streams/realtime/admission.ts'
import { createMembership, type MembershipDeps } from '../../../../modules/streams/realtime/membership.ts'
import { createRooms } from '../../../../modules/streams/realtime/rooms.ts'
import type { Connection } from '../../../../modules/streams/realtime/types.ts'
import type { TokenGrant } from '../../../../modules/streams/services/token-service.ts'
import { manualClock } from '../fixtures.ts'

const row = (role: string) => ({ tenant_id: 't', peer_id: `p_${role}`, session_id: 'r', role, node_id: 'me' })

/** A room whose database refuses the join. The process has not yet added the peers of the room itself. */
async function refuse(
  role: 'publisher' | 'viewer',
  peers: readonly object[],
): Promise<{ close: number; code: string }> {
  const clock = manualClock()
  const nodes = { self: 'me', publish() {} }
  const grant = { session: { id: 'r', workspace_id: 't' }, kind: role, tokenId: 'stk_1' } as TokenGrant
  const deps = {
    nodes,
    clock,
    secrets: createSecrets(['a secret of thirty-two bytes or more']),
    rooms: createRooms(nodes, clock),
    registry: { join: async () => ({ joined: false, peers }) },
    membership: { load: async () => {}, evictDeadPeers: async () => false },
    streamTokens: { authenticate: async () => grant, recordUse: async () => true },
  } as unknown as AdmissionDeps
  let closed: { close: number; code: string } | undefined
  const socket = {
    peer: { markAuthenticated() {} },
    closeWithError: (close: number, { code }: { code: string }) => {
      closed = { close, code }
    },
  }
  await createAdmission(deps, {}).hello({ socket } as unknown as Connection, { token: 'st_1' })
  if (!closed) throw new Error('the socket was not closed')
  return closed
}

test('reports the publisher of the session before this process has added it to the room', async t => {
  t.deepEqual(await refuse('publisher', [row('publisher')]), { close: 4423, code: 'publisher_taken' })
})

test('reports a full session', async t => {
  const viewers = Array.from({ length: 100 }, () => row('viewer'))
  t.deepEqual(await refuse('publisher', viewers), { close: 4030, code: 'room_full' })
  t.deepEqual(await refuse('viewer', [row('publisher'), ...viewers.slice(1)]), { close: 4030, code: 'room_full' })
})

/** A process whose database answers joins with `joins`, and leaves with `remaining`. `join` returns the new peer session. */
function createProcess({ joins, remaining = [] }: { joins: readonly object[][]; remaining?: readonly object[] }) {
  const published: object[] = []
  const clock = manualClock()
  const nodes = { self: 'me', publish: (message: object) => void published.push(message) }
  const rooms = createRooms(nodes, clock)
  const answers = [...joins]
  const registry = {
    join: async () => ({ joined: true, peers: answers.shift() }),
    details: async () => undefined,
    leave: async () => remaining,
  }
  const membership = createMembership({ rooms, nodes, registry, clock } as unknown as MembershipDeps)
  const session = { id: 'r', workspace_id: 't', status: 'accepted' }
  const grant = { session, kind: 'viewer', tokenId: 'stk_1' } as TokenGrant
  const deps = {
    nodes,
    clock,
    rooms,
    registry,
    membership,
    secrets: createSecrets(['a secret of thirty-two bytes or more']),
    iceServers: { forPeer: () => ({ ice_servers: [], ice_expires_at: null }) },
    streamTokens: { authenticate: async () => grant, recordUse: async () => true },
  } as unknown as AdmissionDeps
  const admission = createAdmission(deps, {})
  async function join() {
    const socket = { peer: { markAuthenticated() {} }, sendFrame() {}, send() {} }
    const connection = { socket } as unknown as Connection
    await admission.hello(connection, { token: 'st_1' })
    if (!connection.peerSession) throw new Error('the peer did not join')
    return connection.peerSession
  }
  return { join, membership, published }
}

test('tells another process of a join and a leave before that process has announced its own peer', async t => {
  // The second join finds a peer of another process, which this one has not heard of.
  const { join, membership, published } = createProcess({
    joins: [[], [{ ...row('publisher'), node_id: 'other' }]],
  })
  await join()
  t.deepEqual(published, [])
  const second = await join()
  await membership.leave(second)
  t.deepEqual(published, [
    { kind: 'joined', room: 'r', peer: { id: second.id, role: 'viewer' } },
    { kind: 'left', room: 'r', peers: [second.id] },
  ])
})

test('tells another process of a leave if a peer has joined there since', async t => {
  const { join, membership, published } = createProcess({
    joins: [[]],
    remaining: [{ ...row('publisher'), node_id: 'other' }],
  })
  const peerSession = await join()
  await membership.leave(peerSession)
  t.deepEqual(published, [{ kind: 'left', room: 'r', peers: [peerSession.id] }])
})
