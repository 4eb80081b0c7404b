/** Applies changes of sessions and streams to the rooms, and notifies their peers. */
import type { Channels, Deps } from '@larder-dev/larder/kernel'
import { CLOSE_CODE } from '../domain/close-codes.ts'
import { encodeTail } from '../domain/frames.ts'
import type { StreamChanged, StreamDetails } from '../ports.ts'
import { isFinished } from '../problems.ts'
import type { TokenGrant } from '../services/token-service.ts'
import type { Admission } from './admission.ts'
import { deliver } from './delivery.ts'
import type { Membership } from './membership.ts'
import type { PeerRegistry } from './peer-registry.ts'
import type { Rooms } from './rooms.ts'
import { toSessionView } from './session-view.ts'
import type { Connection, PeerSession, Room } from './types.ts'

export interface ChangeListenerDeps extends Deps<'sessions' | 'bus' | 'log'> {
  readonly rooms: Rooms
  readonly registry: PeerRegistry
  readonly membership: Membership
  readonly admission: Admission
  connections(): Iterable<Connection>
}
type SessionChanged = Channels['sessions.changed']
/** Close code for each way in which a session can finish. */
const CLOSE_CODES = { ended: CLOSE_CODE.over, expired: CLOSE_CODE.over, removed: CLOSE_CODE.no_session } as const

export function createChangeListener({
  rooms,
  registry,
  membership,
  admission,
  connections,
  sessions,
  bus,
  log,
}: ChangeListenerDeps) {
  const logged = (work: Promise<unknown>) =>
    void work.catch(error => log.error({ err: error }, 'failed to apply a session change to its sockets'))
  const waitingFor = (sessionId: string) =>
    [...connections()].flatMap(connection =>
      connection.pendingGrant?.session.id === sessionId ? [{ connection, grant: connection.pendingGrant }] : [],
    )
  const sendToAll = (room: Room, type: string, data: unknown) => {
    const tail = encodeTail(type, data)
    const locals = rooms.locals(room)
    for (const peerSession of locals) deliver(peerSession, tail, locals.length > 1)
  }

  const revoke = ({ socket }: Connection) =>
    socket.closeWithNotice(CLOSE_CODE.revoked, { action: 'stop', reason: 'revoked' })

  /** Removes a peer and prevents it from resuming. */
  function evict(peerSession: PeerSession): void {
    const { connection } = peerSession
    logged(membership.leave(peerSession))
    if (connection) revoke(connection)
  }

  function close(sessionId: string, reason: keyof typeof CLOSE_CODES): void {
    for (const { connection } of waitingFor(sessionId))
      connection.socket.closeWithNotice(CLOSE_CODES[reason], { action: 'stop', reason })
    const room = rooms.rooms.get(sessionId)
    if (!room) return
    room.finished = true
    room.session = { ...room.session, status: reason === 'removed' ? 'ended' : reason }
    const peerSessions = rooms.locals(room)
    for (const peerSession of peerSessions) {
      rooms.peerSessions.delete(peerSession.id)
      room.members.delete(peerSession.id)
      peerSession.connection?.socket.closeWithNotice(CLOSE_CODES[reason], { action: 'stop', reason })
    }
    rooms.closeIfEmpty(room)
    const removed = peerSessions.map(({ id }) => id)
    if (removed.length > 0) logged(registry.leave(room, removed))
  }

  async function refresh(sessionId: string): Promise<void> {
    const [session] = await sessions.getManyAcrossTenants([sessionId])
    if (!session) return close(sessionId, 'removed')
    if (session.status === 'ended' || session.status === 'expired') return close(sessionId, session.status)
    const room = rooms.rooms.get(sessionId)
    if (room) {
      room.session = session
      sendToAll(room, 'session_updated', toSessionView(session, room.details))
    }
    if (session.status !== 'accepted') return
    for (const { connection, grant } of waitingFor(sessionId)) await admit(connection, { ...grant, session })
  }
  function removeAll(tenantId: string): void {
    const inRooms = [...rooms.rooms.values()].filter(room => room.tenantId === tenantId).map(({ id }) => id)
    const waiting = [...connections()].flatMap(({ pendingGrant }) =>
      pendingGrant?.session.workspace_id === tenantId ? pendingGrant.session.id : [],
    )
    for (const sessionId of new Set([...inRooms, ...waiting])) close(sessionId, 'removed')
  }
  /** Its peers join again after it is resumed. */
  function tenantSuspended({ tenantId }: Channels['tenants.suspended']): void {
    for (const connection of connections())
      if (connection.pendingGrant?.session.workspace_id === tenantId) revoke(connection)
    for (const room of [...rooms.rooms.values()])
      if (room.tenantId === tenantId) for (const peerSession of rooms.locals(room)) evict(peerSession)
  }
  const admit = (connection: Connection, grant: TokenGrant) =>
    admission.join(connection, grant, 'viewer', grant.kind === 'join' ? connection.token : undefined)

  function sessionChanged(message: SessionChanged) {
    if (message.change === 'removed') return removeAll(message.tenantId)
    const { sessionId, change } = message
    if (change === 'ended' || change === 'expired') return close(sessionId, change)
    if (change === 'accepted') return logged(refresh(sessionId))
    for (const { connection, grant } of waitingFor(sessionId)) if (grant.kind === 'join') revoke(connection)
    const room = rooms.rooms.get(sessionId)
    if (room) for (const peerSession of rooms.locals(room)) if (peerSession.kind === 'join') evict(peerSession)
  }

  function streamChanged(message: StreamChanged): void {
    const room = rooms.rooms.get(message.sessionId)
    if (message.change === 'token_revoked') {
      for (const { connection, grant } of waitingFor(message.sessionId))
        if (grant.tokenId === message.tokenId) revoke(connection)
      if (room)
        for (const peerSession of rooms.locals(room)) if (peerSession.tokenId === message.tokenId) evict(peerSession)
      return
    }
    if (!room) return
    if (room.details) room.details = applyChange(room.details, message)
    if (message.change === 'source') sendToAll(room, 'source_updated', message.source)
    else if (message.change === 'layout') sendToAll(room, 'layout_updated', message.layout)
    else sendToAll(room, 'session_updated', toSessionView(room.session, room.details))
  }

  return {
    listen(): () => void {
      const unsubscribe = [
        bus.subscribe('sessions.changed', sessionChanged),
        bus.subscribe('streams.changed', streamChanged),
        bus.subscribe('tenants.suspended', tenantSuspended),
      ]
      return () => {
        for (const stop of unsubscribe) stop()
      }
    },
    /** Checks every session and token again after messages may have been missed. */
    async recheck(isTokenValid: (peerSession: PeerSession) => Promise<boolean>): Promise<void> {
      const known = new Set([
        ...rooms.rooms.keys(),
        ...[...connections()].flatMap(connection => connection.pendingGrant?.session.id ?? []),
      ])
      for (const sessionId of known) await refresh(sessionId)
      for (const peerSession of [...rooms.peerSessions.values()])
        if (!isFinished(peerSession.room.session.status) && !(await isTokenValid(peerSession))) evict(peerSession)
    },
  }
}

function applyChange(details: StreamDetails, message: StreamChanged): StreamDetails {
  if (message.change === 'layout') return { ...details, layout: message.layout }
  if (message.change === 'live') return { ...details, live_status: message.live_status, live_at: message.live_at }
  if (message.change !== 'source') return details
  const { source } = message
  const others = details.sources.filter(({ source_id }) => source_id !== source.source_id)
  return { ...details, sources: 'removed' in source ? others : [...others, source] }
}
