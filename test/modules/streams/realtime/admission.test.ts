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
    ...{ nodes, clock, secrets: createSecrets(['a secret of thirty-two bytes or more']) },
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

test('tells another process of a join and a leave before that process has announced its own peer', async t => {
  const published: object[] = []
  const clock = manualClock()
  const nodes = { self: 'me', publish: (message: object) => void published.push(message) }
  const rooms = createRooms(nodes, clock)
  // The second join finds a peer of another process, which this one has not heard of.
  const answers = [[], [{ ...row('publisher'), node_id: 'other' }]]
  const registry = {
    join: async () => ({ joined: true, peers: answers.shift() }),
    details: async () => undefined,
    leave: async () => {},
  }
  const membership = createMembership({ rooms, nodes, registry, clock } as unknown as MembershipDeps)
  const session = { id: 'r', workspace_id: 't', status: 'accepted' }
  const grant = { session, kind: 'viewer', tokenId: 'stk_1' } as TokenGrant
  const deps = {
    ...{ nodes, clock, rooms, registry, membership, secrets: createSecrets(['a secret of thirty-two bytes or more']) },
    iceServers: { forPeer: () => ({ ice_servers: [], ice_expires_at: null }) },
    streamTokens: { authenticate: async () => grant, recordUse: async () => true },
  } as unknown as AdmissionDeps
  const admission = createAdmission(deps, {})
  const join = async () => {
    const socket = { peer: { markAuthenticated() {} }, sendFrame() {}, send() {} }
    const connection = { socket } as unknown as Connection
    await admission.hello(connection, { token: 'st_1' })
    return connection.peerSession
  }
  await join()
  t.deepEqual(published, [])
  const second = await join()
  if (!second) return t.fail('the second peer did not join')
  await membership.leave(second)
  t.deepEqual(published, [
    { kind: 'joined', room: 'r', peer: { id: second.id, role: 'viewer' } },
    { kind: 'left', room: 'r', peers: [second.id] },
  ])
})
