/** Handlers of the frames that clients send. */
import type { Deps } from 'larder/kernel'
import { encodeRelayTail, type Frame, isRelayed, validateRelayed } from '../domain/frames.ts'
import { resolveTargets } from '../domain/peers.ts'
import { confirm } from '../domain/replay-buffer.ts'
import type { Admission } from './admission.ts'
import { acknowledge, closeWithError, reject, sendUnnumbered } from './delivery.ts'
import type { Membership } from './membership.ts'
import type { Rooms } from './rooms.ts'
import type { Connection, PeerSession } from './types.ts'
import { issueIceServers } from './welcome.ts'

export interface MessageHandlerDeps extends Deps<'iceServers' | 'clock'> {
  readonly rooms: Rooms
  readonly membership: Membership
  readonly admission: Admission
}
export type MessageHandlers = ReturnType<typeof createMessageHandlers>

const NORMAL_CLOSURE = 1000

export function createMessageHandlers({ rooms, membership, admission, iceServers, clock }: MessageHandlerDeps) {
  function relay(peerSession: PeerSession, frame: Frame) {
    if (!isRelayed(frame.type))
      return reject(peerSession, { code: 'unknown_type', message: `Unknown type '${frame.type}'.` }, frame.id)
    const error = validateRelayed(frame.type, frame.data)
    if (error !== undefined) return reject(peerSession, { code: 'bad_data', message: error }, frame.id)
    const { room } = peerSession
    const route = resolveTargets(room.members, peerSession, frame.to)
    if ('code' in route) return reject(peerSession, { ...route, retryable: route.code === 'no_publisher' }, frame.id)
    const tail = encodeRelayTail(frame, peerSession.id)
    const [target] = route.targets
    if (target && route.targets.length === 1) rooms.send(room, target, tail)
    else rooms.broadcast(room, peerSession.id, route.targets, tail)
    acknowledge(peerSession, frame.id)
  }

  async function leave(connection: Connection, peerSession: PeerSession, id: string | undefined): Promise<void> {
    acknowledge(peerSession, id)
    connection.peerSession = undefined
    peerSession.connection = undefined
    await membership.leave(peerSession)
    connection.socket.close(NORMAL_CLOSURE, 'left')
  }

  /** After joining by query token, the first hello may still change the role. */
  async function rejoin(connection: Connection, peerSession: PeerSession, { data, id }: Frame): Promise<void> {
    connection.joinedByQuery = false
    const role = data.role ?? peerSession.role
    if (role === peerSession.role && data.resume_token === undefined) return acknowledge(peerSession, id)
    connection.peerSession = undefined
    peerSession.connection = undefined
    await membership.leave(peerSession)
    await admission.hello(connection, data, id)
  }

  function pong(connection: Connection, { data }: Frame): void {
    if (connection.pendingPing === 0 || data.t !== connection.pendingPing) return
    connection.pendingPing = 0
    if (connection.peerSession) confirm(connection.peerSession.buffer, connection.pendingPingSeq)
  }

  return {
    joinByQuery: (connection: Connection) =>
      admission.hello(
        connection,
        connection.socket.query.role === undefined ? {} : { role: connection.socket.query.role },
      ),
    handle(connection: Connection, frame: Frame): void | Promise<void> {
      const { type, data, id } = frame
      if (type === 'ping') return sendUnnumbered(connection, 'pong', { t: data.t ?? null })
      if (type === 'pong') return pong(connection, frame)
      const { peerSession } = connection
      if (!peerSession) {
        if (type === 'hello' && !connection.pendingGrant) return admission.hello(connection, data, id)
        if (connection.pendingGrant)
          return type === 'leave' ? connection.socket.close(NORMAL_CLOSURE, 'left') : undefined
        return closeWithError(
          connection,
          'unauthenticated',
          { code: 'hello_first', message: 'The first frame must be hello.' },
          id,
        )
      }
      if (type === 'hello' && connection.joinedByQuery) return rejoin(connection, peerSession, frame)
      connection.joinedByQuery = false
      if (type === 'hello')
        return reject(peerSession, { code: 'already_joined', message: 'This connection has already joined.' }, id)
      if (type === 'leave') return leave(connection, peerSession, id)
      if (type !== 'request_ice') return relay(peerSession, frame)
      sendUnnumbered(
        connection,
        'ice_servers',
        issueIceServers({ iceServers, clock }, peerSession),
        id === undefined ? {} : { id },
      )
    },
  }
}
