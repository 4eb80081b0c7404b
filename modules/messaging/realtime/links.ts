/** A socket's life: opened, heard, closed, drained. */
import { type Deps, newBucket, SECOND, type SocketPeer, type SocketSession, take } from 'larder/kernel'
import { conversationOf, frameOf, type Heard, parseFrame, parseHello } from '../core/frames.ts'
import type { Notices } from '../services/notices.ts'
import { type Entry, FRAMES, PING_EVERY } from './entry.ts'
import { dismiss, fail, say } from './post.ts'
import type { Rooms } from './rooms.ts'
import type { Link } from './types.ts'

export interface LinksDeps extends Deps<'clock'> {
  readonly links: Set<Link>
  readonly rooms: Rooms
  readonly entry: Entry
  readonly notices: Notices
  start(): void
}
/** Milliseconds, at most, until a drained client tries again: not all at one instant. */
const SPREAD = 1000
/** Typing in one conversation is passed on no more often. */
const TYPING_EVERY = SECOND

export function createLinks({ links, rooms, entry, notices, start, clock }: LinksDeps) {
  function open(peer: SocketPeer): SocketSession {
    start()
    const link = newLink(peer, clock.now())
    links.add(link)
    return {
      message: text => hear(link, text),
      closed() {
        link.gone = true
        links.delete(link)
        rooms.leave(link)
      },
      drain() {
        const retryAfterMs = Math.floor(Math.random() * SPREAD)
        dismiss(link, 'draining', { action: 'reconnect', reason: 'draining', retryAfterMs })
      },
    }
  }

  function hear(link: Link, text: string): void | Promise<void> {
    if (link.gone) return
    const now = clock.now()
    link.seenAt = now
    if (!take(link.bucket, FRAMES, now))
      return fail(link, 'rate_limited', { code: 'rate_limited', message: 'Too many frames.' })
    const frame = parseFrame(text)
    if (typeof frame === 'string') return fail(link, 'bad_frame', { code: 'bad_frame', message: frame })
    if (frame.type === 'hello') return hello(link, frame)
    if (!link.who) return fail(link, 'unauthenticated', { code: 'hello_first', message: 'Say hello first.' }, frame.id)
    if (frame.type === 'typing') return typing(link, frame, now)
    if (frame.type === 'ping') return say(link, 'pong', frame.data, frame.id)
    if (frame.type !== 'pong')
      say(link, 'error', { code: 'unknown_type', message: 'There is no such frame.' }, frame.id)
  }

  function hello(link: Link, frame: Heard): void | Promise<void> {
    const said = parseHello(frame.data)
    if (typeof said === 'string') return fail(link, 'bad_frame', { code: 'bad_data', message: said }, frame.id)
    if (link.greeted)
      return say(link, 'error', { code: 'greeted', message: 'One hello is enough: open another socket.' }, frame.id)
    link.greeted = true
    return entry.greet(link, said, frame.id)
  }

  function typing(link: Link, frame: Heard, now: number) {
    const conversationId = conversationOf(frame)
    const { who } = link
    if (!who || conversationId === undefined || !link.at.has(conversationId))
      return say(link, 'error', { code: 'not_found', message: 'No conversation has this ID.' }, frame.id)
    if (link.typed.conversationId === conversationId && now - link.typed.at < TYPING_EVERY) return
    link.typed = { conversationId, at: now }
    const { tenantId, userId } = who
    const text = frameOf('typing', { conversationId }, { userId })
    notices.tell({ kind: 'passing', tenantId, conversationId, frame: text, except: userId })
  }

  return { open }
}

const newLink = (peer: SocketPeer, now: number): Link => ({
  peer,
  bucket: newBucket(FRAMES, now),
  openedAt: now,
  who: undefined,
  at: new Map(),
  greeted: false,
  gone: false,
  seenAt: now,
  pingAt: now + PING_EVERY,
  checkAt: Number.POSITIVE_INFINITY,
  typed: { conversationId: '', at: 0 },
})
