/** What a client says, and what becomes of it. */
import type { Deps } from 'larder/kernel'
import { type Frame, isRelayed, relayFlaw, relayTail } from '../domain/frames.ts'
import { routeOf } from '../domain/peers.ts'
import { arrived } from '../domain/replay-buffer.ts'
import type { Entry } from './admission.ts'
import { acknowledge, fail, refuse, say } from './delivery.ts'
import type { Filling } from './membership.ts'
import type { Rooms } from './rooms.ts'
import type { Link, Place } from './types.ts'
import { iceFor } from './welcome.ts'

export interface SpeechDeps extends Deps<'iceServers' | 'clock'> {
  readonly rooms: Rooms
  readonly filling: Filling
  readonly entry: Entry
}
export type Speech = ReturnType<typeof createSpeech>

const NORMAL = 1000

export function createSpeech({ rooms, filling, entry, iceServers, clock }: SpeechDeps) {
  function relay(place: Place, frame: Frame) {
    if (!isRelayed(frame.type))
      return refuse(place, { code: 'unknown_type', message: `Nobody knows the type '${frame.type}'.` }, frame.id)
    const flaw = relayFlaw(frame.type, frame.data)
    if (flaw !== undefined) return refuse(place, { code: 'bad_data', message: flaw }, frame.id)
    const { room } = place
    const route = routeOf(room.members, place, frame.to)
    if ('code' in route) return refuse(place, { ...route, retryable: route.code === 'no_publisher' }, frame.id)
    const tail = relayTail(frame, place.id)
    const [only] = route.targets
    if (only && route.targets.length === 1) rooms.send(room, only, tail)
    else rooms.cast(room, place.id, route.targets, tail)
    acknowledge(place, frame.id)
  }

  async function leave(link: Link, place: Place, id: string | undefined): Promise<void> {
    acknowledge(place, id)
    link.place = undefined
    place.link = undefined
    await filling.leave(place)
    link.peer.close(NORMAL, 'left')
  }

  /** A socket that joined by its query may still say which role it wants. */
  async function again(link: Link, place: Place, { data, id }: Frame): Promise<void> {
    link.unasked = false
    const wanted = data.role ?? place.role
    if (wanted === place.role && data.resume_token === undefined) return acknowledge(place, id)
    link.place = undefined
    place.link = undefined
    await filling.leave(place)
    await entry.hello(link, data, id)
  }

  function pong(link: Link, { data }: Frame): void {
    if (link.pinged === 0 || data.t !== link.pinged) return
    link.pinged = 0
    if (link.place) arrived(link.place.line, link.pingedSeq)
  }

  return {
    greetUnasked: (link: Link) =>
      entry.hello(link, link.peer.query.role === undefined ? {} : { role: link.peer.query.role }),
    said(link: Link, frame: Frame): void | Promise<void> {
      const { type, data, id } = frame
      if (type === 'ping') return say(link, 'pong', { t: data.t ?? null })
      if (type === 'pong') return pong(link, frame)
      const { place } = link
      if (!place) {
        if (type === 'hello' && !link.waiting) return entry.hello(link, data, id)
        if (link.waiting) return type === 'leave' ? link.peer.close(NORMAL, 'left') : undefined
        return fail(link, 'unauthenticated', { code: 'hello_first', message: 'Say hello first.' }, id)
      }
      if (type === 'hello' && link.unasked) return again(link, place, frame)
      link.unasked = false
      if (type === 'hello') return refuse(place, { code: 'already_joined', message: 'You are in already.' }, id)
      if (type === 'leave') return leave(link, place, id)
      if (type !== 'request_ice') return relay(place, frame)
      say(link, 'ice_servers', iceFor({ iceServers, clock }, place), id === undefined ? {} : { id })
    },
  }
}
