/** The way in: hello, welcome, what was missed, what is unread. And whether one may still stay. */
import { type Deps, KIB, MINUTE, type Rate, SECOND } from 'larder/kernel'
import { type Hello, MAX_NAMED } from '../core/frames.ts'
import type { Reading } from '../services/reading.ts'
import type { Followed } from './history.ts'
import { isRefused, type Pass } from './pass.ts'
import { fail, say } from './post.ts'
import type { Replay, Seen } from './replay.ts'
import type { Rooms } from './rooms.ts'
import type { Link, Who } from './types.ts'

export const PROTOCOL = 1
export const PING_EVERY = 20 * SECOND
export const DEAD_AFTER = 45 * SECOND
const CHECK_EVERY = 5 * MINUTE
const RETRY_EVERY = 5 * SECOND
export const MAX_FRAME = 64 * KIB
export const MAX_BUFFER = 1024 * KIB
/** That one socket may send. */
export const FRAMES: Rate = { perSecond: 10, burst: 50 }
const LIMITS = {
  frameBytes: MAX_FRAME,
  bufferBytes: MAX_BUFFER,
  framesPerSecond: FRAMES.perSecond,
  burst: FRAMES.burst,
  named: MAX_NAMED,
}
const BROKEN = 1011

export interface EntryDeps extends Deps<'clock' | 'log'> {
  readonly pass: Pass
  readonly rooms: Rooms
  readonly replay: Replay
  readonly reading: Reading
}

export function createEntry({ pass, rooms, replay, reading, clock, log }: EntryDeps) {
  async function missed(link: Link, who: Who, behind: readonly Followed[], seen: ReadonlyMap<string, Seen>) {
    try {
      for (const { id, lastSeq: seq, version } of behind)
        await replay.catchUp(link, who, id, seen.get(id) ?? { seq, version })
      if (!link.gone) say(link, 'unread', await reading.totals(who.tenantId, who.userId))
    } catch (error) {
      log.warn({ err: error }, 'a socket could not be told what it missed')
      link.peer.close(BROKEN, 'internal')
    }
  }

  /** What it missed follows by itself: frames of the client need not wait for it. */
  async function greet(link: Link, hello: Hello, id: string | undefined): Promise<void> {
    const who = await pass.of(link.peer, hello)
    if (link.gone) return
    if (isRefused(who)) return fail(link, who.code === 'unauthenticated' ? 'unauthenticated' : 'revoked', who, id)
    link.peer.markAuthenticated()
    link.who = who
    link.checkAt = nextCheck(who)
    const behind = await rooms.join(link, who, conversation => hello.seen.has(conversation))
    const { tenantId, userId } = who
    say(link, 'welcome', { protocol: PROTOCOL, tenantId, userId, pingIntervalMs: PING_EVERY, limits: LIMITS }, id)
    void missed(link, who, behind, hello.seen)
  }

  const nextCheck = ({ principal: { expiresAt } }: Who): number => {
    const soon = clock.now() + CHECK_EVERY
    return expiresAt === null ? soon : Math.min(soon, Math.max(Date.parse(expiresAt), clock.now() + SECOND))
  }

  /** Looks at the credential, the membership and the conversations anew. */
  async function check(link: Link): Promise<void> {
    const { who } = link
    if (!who || link.gone) return
    link.checkAt = clock.now() + RETRY_EVERY
    const now = await pass.again(who)
    if (link.gone) return
    if (isRefused(now)) return fail(link, 'revoked', now)
    link.who = now
    const behind = await rooms.join(link, who, () => true)
    link.checkAt = nextCheck(now)
    // Conversations that it did not follow: the client is told of them as a whole.
    await missed(link, who, behind, new Map(behind.map(({ id, lastSeq: seq }) => [id, { seq, version: undefined }])))
  }

  return { greet, check }
}
export type Entry = ReturnType<typeof createEntry>
