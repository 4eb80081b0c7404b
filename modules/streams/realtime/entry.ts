/** The way into a room: by a token, once; or back to one's place. */
import { type Deps, newId } from 'larder/kernel'
import { type Hello, parseHello } from '../core/frame.ts'
import { newLine, since } from '../core/line.ts'
import type { Member } from '../core/order.ts'
import { peerOfToken } from '../core/resume.ts'
import type { StreamsOptions } from '../options.ts'
import type { Pass, Role } from '../ports.ts'
import { isOver } from '../problems.ts'
import type { Filling } from './filling.ts'
import type { Nodes } from './nodes.ts'
import { fail, say } from './post.ts'
import { seenSession } from './record.ts'
import type { Registry } from './registry.ts'
import type { Rooms } from './rooms.ts'
import type { Link, Place, Room } from './types.ts'
import { welcome } from './welcome.ts'

export interface EntryDeps extends Deps<'streamTokens' | 'iceServers' | 'secrets' | 'clock'> {
  readonly rooms: Rooms
  readonly nodes: Nodes
  readonly registry: Registry
  readonly filling: Filling
}
export type Entry = ReturnType<typeof createEntry>

const OVER = { ended: 'session_ended', expired: 'session_expired' } as Readonly<Record<string, string>>

export function createEntry(deps: EntryDeps, { requireAccept = false }: StreamsOptions) {
  const { streamTokens, rooms, nodes, registry, filling, clock } = deps
  const over = (link: Link, status: string, id?: string) =>
    fail(link, 'over', { code: OVER[status] ?? 'session_ended', message: `The session is ${status}.` }, id)

  /** Accepted and connected; for a viewer of a session that must be accepted first, not more than that yet. */
  async function enter(link: Link, pass: Pass, role: Role, token: string | undefined, id?: string): Promise<void> {
    link.waiting = undefined
    const peer = { id: newId('peer', clock.now()), role, tokenId: pass.tokenId }
    const room = rooms.open(pass.session)
    room.entering++
    try {
      const joined = await joinRoom(room, pass, peer)
      if (!joined) return refused(link, room, role, id)
      if (link.gone || room.over) {
        await registry.leave(room.tenantId, [peer.id])
        return link.gone ? undefined : over(link, room.session.status, id)
      }
      const at = { lostAt: 0, arrivedAt: 0, iceAt: 0 }
      const place: Place = { ...peer, room, kind: pass.kind, token, line: newLine(), link, ...at }
      rooms.seat(place)
      link.place = place
      welcome(deps, link, place, { id })
      announce(place)
    } finally {
      room.entering--
      rooms.release(room)
    }
  }

  async function joinRoom(room: Room, pass: Pass, peer: Member & { tokenId: string | null }): Promise<boolean> {
    let outcome = await registry.join(pass.session, peer)
    if (!outcome.joined && (await filling.bury(room, outcome.peers))) outcome = await registry.join(pass.session, peer)
    await filling.fill(room, outcome.peers)
    return outcome.joined
  }

  function refused(link: Link, room: Room, role: Role, id?: string): void {
    const taken = [...room.members.values()].some(member => member.role === 'publisher')
    if (role === 'publisher' && taken)
      fail(
        link,
        'publisher_taken',
        { code: 'publisher_taken', message: 'Somebody publishes here.', retryable: true },
        id,
      )
    else fail(link, 'room_full', { code: 'room_full', message: 'This session is full.', retryable: true }, id)
  }

  function announce(place: Place): void {
    const { room, id, role } = place
    rooms.announce(room, place, 'peer_joined')
    if (rooms.hasRemotes(room)) nodes.tell({ kind: 'joined', room: room.id, peer: { id, role } })
  }

  async function greet(link: Link, hello: Hello, id?: string): Promise<void> {
    const token = hello.token ?? link.token
    if (token === undefined)
      return fail(link, 'unauthenticated', { code: 'token_required', message: 'Say hello with a token.' }, id)
    const pass = await streamTokens.passOf(token)
    if (!pass) return fail(link, 'unauthenticated', { code: 'invalid_token', message: 'This token opens nothing.' }, id)
    if (isOver(pass.session.status)) return over(link, pass.session.status, id)
    if (!(await streamTokens.spend(pass)))
      return fail(link, 'unauthenticated', { code: 'token_used_up', message: 'This token was used too often.' }, id)
    link.peer.markAuthenticated()
    link.token = token
    const role = pass.kind === 'join' ? (hello.role ?? 'viewer') : pass.kind
    if (requireAccept && role === 'viewer' && pass.session.status === 'created') {
      link.waiting = pass
      return say(link, 'session_updated', seenSession(pass.session, undefined), id === undefined ? {} : { id })
    }
    await enter(link, pass, role, pass.kind === 'join' ? token : undefined, id)
  }

  async function resume(link: Link, { resumeToken = '', lastSeq }: Hello, id?: string): Promise<void> {
    const expired = () =>
      fail(link, 'resume_expired', { code: 'resume_expired', message: 'This place is gone. Join anew.' }, id)
    const peerId = peerOfToken(deps.secrets, resumeToken)
    const place = peerId === undefined ? undefined : (rooms.places.get(peerId) ?? (await filling.fetch(peerId)))
    if (!place) return expired()
    if (place.room.over) return over(link, place.room.session.status, id)
    if (since(place.line, lastSeq) === undefined) {
      await filling.leave(place)
      return expired()
    }
    if (link.gone) return
    replace(place)
    link.peer.markAuthenticated()
    link.place = place
    place.link = link
    welcome(deps, link, place, { id, resumed: { since: lastSeq } })
  }

  /** The socket that it had, if that still seems open: it is the same client's, and dead. */
  function replace(place: Place): void {
    const { link } = place
    if (!link) return
    link.place = undefined
    link.peer.close(4409, 'replaced')
  }

  return {
    enter,
    async hello(link: Link, data: Readonly<Record<string, unknown>>, id?: string): Promise<void> {
      const hello = parseHello(data)
      if (typeof hello === 'string') return fail(link, 'bad_frame', { code: 'bad_data', message: hello }, id)
      if (hello.resumeToken !== undefined) return resume(link, hello, id)
      return greet(link, hello, id)
    },
  }
}
