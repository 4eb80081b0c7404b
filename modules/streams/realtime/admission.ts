/** Admits connections to a room: with a token, or with a resume token to an existing peer session. */
import { type ClientFrame, type Deps, newId, Problem, wording } from '@larder-dev/larder/kernel'
import type { FrameError } from '@larder-dev/larder/kernel/internal'
import { CLOSE_CODE } from '../domain/close-codes.ts'
import { type Hello, parseHello } from '../domain/frames.ts'
import type { PeerIdentity } from '../domain/peers.ts'
import { createReplayBuffer, framesSince } from '../domain/replay-buffer.ts'
import { verifyResumeToken } from '../domain/resume-token.ts'
import type { Role } from '../domain/values.ts'
import type { StreamsOptions } from '../options.ts'
import { isFinished } from '../problems.ts'
import { type StreamTokens, suspensionOf, type TokenGrant } from '../services/token-service.ts'
import type { Membership } from './membership.ts'
import type { Nodes } from './node-messaging.ts'
import type { PeerRegistry, PeerRow } from './peer-registry.ts'
import { createPeerSession } from './peer-session.ts'
import type { Rooms } from './rooms.ts'
import { toSessionView } from './session-view.ts'
import type { Connection, PeerSession, Room } from './types.ts'
import { sendWelcome } from './welcome.ts'

export interface AdmissionDeps extends Deps<'iceServers' | 'secrets' | 'clock'> {
  readonly streamTokens: StreamTokens
  readonly rooms: Rooms
  readonly nodes: Nodes
  readonly registry: PeerRegistry
  readonly membership: Membership
}
export type Admission = ReturnType<typeof createAdmission>

const PUBLISHER_TAKEN = {
  code: 'publisher_taken',
  message: wording('The session already has a publisher.'),
  retryable: true,
}
const ROOM_FULL = { code: 'room_full', message: wording('The session is full.'), retryable: true }
const SESSION_ENDED = { code: 'session_ended', message: wording('The session has ended.') }
const SESSION_EXPIRED = { code: 'session_expired', message: wording('The session has expired.') }

export function createAdmission(deps: AdmissionDeps, { requireAccept = false }: StreamsOptions) {
  const { streamTokens, rooms, nodes, registry, membership, clock } = deps
  const failFinished = ({ socket }: Connection, status: string, id?: string) =>
    socket.closeWithError(CLOSE_CODE.over, status === 'expired' ? SESSION_EXPIRED : SESSION_ENDED, id)
  const failUnauthenticated = ({ socket }: Connection, error: FrameError, id?: string) =>
    socket.closeWithError(CLOSE_CODE.unauthenticated, error, id)

  /** Joins the room with a verified token. */
  async function join(
    connection: Connection,
    grant: TokenGrant,
    role: Role,
    token: string | undefined,
    id?: string,
  ): Promise<void> {
    connection.pendingGrant = undefined
    const peer = { id: newId('peer', clock.now()), role, tokenId: grant.tokenId }
    const room = rooms.open(grant.session)
    room.pendingJoins++
    try {
      const { joined, peers } = await joinRoom(room, grant, peer)
      if (!joined) return rejectJoin(connection, peers, role, id)
      if (connection.socket.closed || room.finished) {
        await registry.leave(room, [peer.id])
        return connection.socket.closed ? undefined : failFinished(connection, room.session.status, id)
      }
      const peerSession = createPeerSession({
        ...peer,
        room,
        kind: grant.kind,
        token,
        connection,
        buffer: createReplayBuffer(),
        disconnectedAt: 0,
        arrivedAt: 0,
      })
      rooms.add(peerSession)
      connection.peerSession = peerSession
      sendWelcome(deps, connection, peerSession, { id })
      announce(peerSession)
    } finally {
      room.pendingJoins--
      rooms.closeIfEmpty(room)
    }
  }

  async function joinRoom(
    room: Room,
    grant: TokenGrant,
    peer: PeerIdentity & { tokenId: string | null },
  ): Promise<{ joined: boolean; peers: readonly PeerRow[] }> {
    let outcome = await registry.join(grant.session, peer)
    if (!outcome.joined && (await membership.evictDeadPeers(room, outcome.peers)))
      outcome = await registry.join(grant.session, peer)
    await membership.load(room, outcome.peers)
    return outcome
  }

  /** `peers` are those of the database. This process may not have added them to the room yet. */
  function rejectJoin({ socket }: Connection, peers: readonly PeerRow[], role: Role, id?: string): void {
    const hasPublisher = peers.some(peer => peer.role === 'publisher')
    if (role === 'publisher' && hasPublisher) socket.closeWithError(CLOSE_CODE.publisher_taken, PUBLISHER_TAKEN, id)
    else socket.closeWithError(CLOSE_CODE.room_full, ROOM_FULL, id)
  }

  function announce(peerSession: PeerSession): void {
    const { room, id, role } = peerSession
    rooms.announce(room, peerSession, 'peer_joined')
    if (room.spansProcesses) nodes.publish({ kind: 'joined', room: room.id, peer: { id, role } })
  }

  async function joinWithToken(connection: Connection, hello: Hello, id?: string): Promise<void> {
    const token = hello.token ?? connection.token
    if (token === undefined)
      return failUnauthenticated(connection, { code: 'token_required', message: wording('A hello needs a token.') }, id)
    const grant = await streamTokens.authenticate(token).catch(suspensionOf)
    if (Problem.is(grant)) return connection.socket.closeWithError(CLOSE_CODE.revoked, errorOf(grant), id)
    if (!grant)
      return failUnauthenticated(connection, { code: 'invalid_token', message: wording('The token is invalid.') }, id)
    if (isFinished(grant.session.status)) return failFinished(connection, grant.session.status, id)
    if (!(await streamTokens.recordUse(grant)))
      return failUnauthenticated(
        connection,
        { code: 'token_used_up', message: wording('The token has no uses left.') },
        id,
      )
    // Everybody can have the token of a visitor, so its sockets count as anonymous ones.
    if (!isVisitor(grant)) connection.socket.peer.markAuthenticated()
    connection.token = token
    const role = grant.kind === 'join' ? (hello.role ?? 'viewer') : grant.kind
    if (requireAccept && role === 'viewer' && grant.session.status === 'created') {
      connection.pendingGrant = grant
      connection.socket.sendFrame('session_updated', toSessionView(grant.session, undefined), id)
      return
    }
    await join(connection, grant, role, grant.kind === 'join' ? token : undefined, id)
  }

  async function resume(connection: Connection, { resumeToken = '', lastSeq }: Hello, id?: string): Promise<void> {
    const expired = () =>
      connection.socket.closeWithError(
        CLOSE_CODE.resume_expired,
        { code: 'resume_expired', message: wording('The peer session no longer exists. Join again.') },
        id,
      )
    const peerId = verifyResumeToken(deps.secrets, resumeToken)
    const peerSession =
      peerId === undefined ? undefined : (rooms.peerSessions.get(peerId) ?? (await membership.transfer(peerId)))
    if (!peerSession) return expired()
    if (peerSession.room.finished) return failFinished(connection, peerSession.room.session.status, id)
    if (framesSince(peerSession.buffer, lastSeq) === undefined) {
      await membership.leave(peerSession)
      return expired()
    }
    if (connection.socket.closed) return
    replaceConnection(peerSession)
    if (!isVisitor(peerSession)) connection.socket.peer.markAuthenticated()
    connection.peerSession = peerSession
    peerSession.connection = connection
    sendWelcome(deps, connection, peerSession, { id, resumed: { since: lastSeq } })
  }

  /** Closes the previous socket of the peer, which the client has abandoned. */
  function replaceConnection(peerSession: PeerSession): void {
    const { connection } = peerSession
    if (!connection) return
    connection.peerSession = undefined
    connection.socket.close(CLOSE_CODE.replaced, 'replaced')
  }

  return {
    join,
    async hello(connection: Connection, data: ClientFrame['data'], id?: string): Promise<void> {
      const hello = parseHello(data)
      if ('sentence' in hello)
        return connection.socket.closeWithError(CLOSE_CODE.bad_frame, { code: 'bad_data', message: hello }, id)
      if (hello.resumeToken !== undefined) return resume(connection, hello, id)
      return joinWithToken(connection, hello, id)
    },
  }
}

const isVisitor = ({ kind, tokenId }: Pick<TokenGrant, 'kind' | 'tokenId'>): boolean =>
  kind !== 'join' && tokenId === null

const errorOf = (problem: Problem): FrameError => ({ code: problem.code, message: problem })
