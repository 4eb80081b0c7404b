/** Handlers of the frames that clients send. */
import { type ClientFrame, type Deps, wording } from '@larder-dev/larder/kernel'
import { NORMAL_CLOSURE } from '../domain/close-codes.ts'
import { encodeRelayTail, isRelayed, recipientOf, validateRelayed } from '../domain/frames.ts'
import { resolveTargets } from '../domain/peers.ts'
import type { Admission } from './admission.ts'
import { acknowledge, reject } from './delivery.ts'
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

export function createMessageHandlers({ rooms, membership, admission, iceServers, clock }: MessageHandlerDeps) {
  function relay(peerSession: PeerSession, frame: ClientFrame) {
    if (!isRelayed(frame.type))
      return reject(peerSession, { code: 'unknown_type', message: wording('Unknown frame type.') }, frame.id)
    const error = validateRelayed(frame.type, frame.data)
    if (error !== undefined) return reject(peerSession, { code: 'bad_data', message: error }, frame.id)
    const { room } = peerSession
    const route = resolveTargets(room.members, peerSession, recipientOf(frame))
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
  async function rejoin(connection: Connection, peerSession: PeerSession, { data, id }: ClientFrame): Promise<void> {
    connection.joinedByQuery = false
    const role = data.role ?? peerSession.role
    if (role === peerSession.role && data.resume_token === undefined) return acknowledge(peerSession, id)
    connection.peerSession = undefined
    peerSession.connection = undefined
    await membership.leave(peerSession)
    await admission.hello(connection, data, id)
  }

  return {
    joinByQuery(connection: Connection): Promise<void> {
      const { role } = connection.socket.peer.query
      return admission.hello(connection, role === undefined ? {} : { role })
    },
    hello: (connection: Connection, { data, id }: ClientFrame): Promise<void> => admission.hello(connection, data, id),
    message(connection: Connection, frame: ClientFrame): void | Promise<void> {
      const { type, id } = frame
      const { socket, peerSession } = connection
      if (!peerSession) {
        // A viewer that waits for acceptance may only leave. Other sockets without a peer are closing.
        if (connection.pendingGrant && type === 'leave') socket.close(NORMAL_CLOSURE, 'left')
        return
      }
      if (type === 'hello' && connection.joinedByQuery) return rejoin(connection, peerSession, frame)
      connection.joinedByQuery = false
      if (type === 'hello')
        return reject(
          peerSession,
          { code: 'already_joined', message: wording('This connection has already joined.') },
          id,
        )
      if (type === 'leave') return leave(connection, peerSession, id)
      if (type !== 'request_ice') return relay(peerSession, frame)
      socket.sendFrame('ice_servers', issueIceServers({ iceServers, clock }, peerSession), id)
    },
  }
}
