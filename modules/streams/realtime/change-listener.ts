/** What happens to sessions and streams, told to the peers that are in them. */
import type { Deps } from 'larder/kernel'
import { tailOf } from '../domain/frames.ts'
import type { Pass, StreamChanged, StreamDetails } from '../ports.ts'
import { isOver } from '../problems.ts'
import type { Entry } from './admission.ts'
import { deliver, dismiss } from './delivery.ts'
import type { Filling } from './membership.ts'
import type { Registry } from './peer-registry.ts'
import type { Rooms } from './rooms.ts'
import { seenSession } from './session-view.ts'
import type { Link, Place, Room } from './types.ts'

export interface ChangesDeps extends Deps<'sessions' | 'streamTokens' | 'bus' | 'log'> {
  readonly rooms: Rooms
  readonly registry: Registry
  readonly filling: Filling
  readonly entry: Entry
  readonly links: ReadonlySet<Link>
}
type SessionChanged =
  | { readonly sessionId: string; readonly change: 'accepted' | 'ended' | 'expired' | 'token_rotated' }
  | { readonly tenantId: string; readonly change: 'removed' }
/** How a session is over for its peers: the code that closes their sockets. */
const OVER = { ended: 'over', expired: 'over', removed: 'no_session' } as const

export function createChanges({ rooms, registry, filling, entry, links, sessions, bus, log }: ChangesDeps) {
  const logged = (work: Promise<unknown>) =>
    void work.catch(error => log.error({ err: error }, 'a change of a session did not reach its sockets'))
  const waitingFor = (sessionId: string) =>
    [...links].flatMap(link => (link.waiting?.session.id === sessionId ? [{ link, pass: link.waiting }] : []))
  const tellAll = (room: Room, type: string, data: unknown) => {
    const tail = tailOf(type, data)
    for (const place of rooms.locals(room)) deliver(place, tail)
  }

  /** The peer may not come back to this place. */
  function evict(place: Place): void {
    const { link } = place
    logged(filling.leave(place))
    if (link) dismiss(link, 'revoked', { action: 'stop', reason: 'revoked' })
  }

  function close(sessionId: string, reason: keyof typeof OVER): void {
    for (const { link } of waitingFor(sessionId)) dismiss(link, OVER[reason], { action: 'stop', reason })
    const room = rooms.rooms.get(sessionId)
    if (!room) return
    room.over = true
    room.session = { ...room.session, status: reason === 'removed' ? 'ended' : reason }
    const places = rooms.locals(room)
    for (const place of places) {
      rooms.places.delete(place.id)
      room.members.delete(place.id)
      if (place.link) dismiss(place.link, OVER[reason], { action: 'stop', reason })
    }
    rooms.release(room)
    const gone = places.map(({ id }) => id)
    if (gone.length > 0) logged(registry.leave(room.tenantId, gone))
  }

  async function refresh(sessionId: string): Promise<void> {
    const [session] = await sessions.getManyAcrossTenants([sessionId])
    if (!session) return close(sessionId, 'removed')
    if (session.status === 'ended' || session.status === 'expired') return close(sessionId, session.status)
    const room = rooms.rooms.get(sessionId)
    if (room) {
      room.session = session
      tellAll(room, 'session_updated', seenSession(session, room.details))
    }
    if (session.status !== 'accepted') return
    for (const { link, pass } of waitingFor(sessionId)) await admit(link, { ...pass, session })
  }
  function removeAll(tenantId: string): void {
    const mine = [...rooms.rooms.values()].filter(room => room.tenantId === tenantId).map(({ id }) => id)
    const waiting = [...links].flatMap(({ waiting }) =>
      waiting?.session.workspace_id === tenantId ? waiting.session.id : [],
    )
    for (const sessionId of new Set([...mine, ...waiting])) close(sessionId, 'removed')
  }
  const admit = (link: Link, pass: Pass) =>
    entry.enter(link, pass, 'viewer', pass.kind === 'join' ? link.token : undefined)

  function sessionChanged(message: SessionChanged) {
    if (message.change === 'removed') return removeAll(message.tenantId)
    const { sessionId, change } = message
    if (change === 'ended' || change === 'expired') return close(sessionId, change)
    if (change === 'accepted') return logged(refresh(sessionId))
    for (const { link, pass } of waitingFor(sessionId))
      if (pass.kind === 'join') dismiss(link, 'revoked', { action: 'stop', reason: 'revoked' })
    const room = rooms.rooms.get(sessionId)
    if (room) for (const place of rooms.locals(room)) if (place.kind === 'join') evict(place)
  }

  function streamChanged(message: StreamChanged): void {
    const room = rooms.rooms.get(message.sessionId)
    if (message.change === 'token_revoked') {
      for (const { link, pass } of waitingFor(message.sessionId))
        if (pass.tokenId === message.tokenId) dismiss(link, 'revoked', { action: 'stop', reason: 'revoked' })
      if (room) for (const place of rooms.locals(room)) if (place.tokenId === message.tokenId) evict(place)
      return
    }
    if (!room) return
    if (room.details) room.details = changed(room.details, message)
    if (message.change === 'source') tellAll(room, 'source_updated', message.source)
    else if (message.change === 'layout') tellAll(room, 'layout_updated', message.layout)
    else tellAll(room, 'session_updated', seenSession(room.session, room.details))
  }

  return {
    listen(): () => void {
      const stops = [
        bus.subscribe('sessions.changed', message => sessionChanged(message as SessionChanged)),
        bus.subscribe('streams.changed', message => streamChanged(message as StreamChanged)),
      ]
      return () => {
        for (const stop of stops) stop()
      }
    },
    /** Messages may have been missed: everything is looked at again. */
    async recheck(tokenHolds: (place: Place) => Promise<boolean>): Promise<void> {
      const known = new Set([...rooms.rooms.keys(), ...[...links].flatMap(link => link.waiting?.session.id ?? [])])
      for (const sessionId of known) await refresh(sessionId)
      for (const place of [...rooms.places.values()])
        if (!isOver(place.room.session.status) && !(await tokenHolds(place))) evict(place)
    },
  }
}

function changed(details: StreamDetails, message: StreamChanged): StreamDetails {
  if (message.change === 'layout') return { ...details, layout: message.layout }
  if (message.change === 'live') return { ...details, live_status: message.live_status, live_at: message.live_at }
  if (message.change !== 'source') return details
  const { source } = message
  const others = details.sources.filter(({ source_id }) => source_id !== source.source_id)
  return { ...details, sources: 'removed' in source ? others : [...others, source] }
}
