/** A socket's life: opened, heard, closed, drained. */
import { type Deps, newBucket, type SocketPeer, type SocketSession, take } from 'larder/kernel'
import { keepsPlace } from '../domain/close-codes.ts'
import { isFlaw, parseFrame } from '../domain/frames.ts'
import { dismiss, fail } from './delivery.ts'
import type { Filling } from './membership.ts'
import type { Speech } from './message-handlers.ts'
import type { Link } from './types.ts'
import { FRAMES, PING_EVERY } from './welcome.ts'

export interface LinksDeps extends Deps<'clock' | 'log'> {
  readonly links: Set<Link>
  readonly filling: Filling
  readonly speech: Speech
  start(): Promise<void>
}
/** Milliseconds, at most, until a drained client tries again: not all at one instant. */
const SPREAD = 1000

export function createLinks({ links, filling, speech, start, clock, log }: LinksDeps) {
  function open(peer: SocketPeer): SocketSession {
    const link = newLink(peer, clock.now())
    links.add(link)
    let begun = false
    const ready = begin(link).finally(() => {
      begun = true
    })
    return {
      message: text => (begun ? hear(link, text) : ready.then(() => hear(link, text))),
      closed: code => gone(link, code),
      drain() {
        const retry_after_ms = Math.floor(Math.random() * SPREAD)
        dismiss(link, 'draining', { action: link.place ? 'resume' : 'reconnect', reason: 'draining', retry_after_ms })
      },
    }
  }

  /** A token in the query is as good as a hello. */
  async function begin(link: Link): Promise<void> {
    try {
      await start()
      if (link.token === undefined || link.gone) return
      link.unasked = true
      await speech.greetUnasked(link)
    } catch (error) {
      log.error({ err: error }, 'a socket could not be welcomed')
      link.peer.close(1011, 'internal')
    }
  }

  function hear(link: Link, text: string): void | Promise<void> {
    if (link.gone) return
    const now = clock.now()
    link.seenAt = now
    if (!take(link.bucket, FRAMES, now))
      return fail(link, 'rate_limited', { code: 'rate_limited', message: 'Too many messages.', retryable: true })
    const frame = parseFrame(text)
    if (isFlaw(frame)) return fail(link, 'bad_frame', frame)
    return speech.said(link, frame)
  }

  async function gone(link: Link, code: number): Promise<void> {
    link.gone = true
    links.delete(link)
    const { place } = link
    if (!place) return
    place.link = undefined
    place.lostAt = clock.now()
    if (!keepsPlace(code)) await filling.leave(place)
  }

  return { open }
}

const newLink = (peer: SocketPeer, now: number): Link => ({
  peer,
  bucket: newBucket(FRAMES, now),
  openedAt: now,
  token: peer.query.join_token,
  place: undefined,
  waiting: undefined,
  unasked: false,
  gone: false,
  seenAt: now,
  pingAt: now + PING_EVERY,
  pinged: 0,
  pingedSeq: 0,
})
