/** What processes tell each other of conversations, over the bus: gathered, for a notification costs more than its text. */

import type { Deps } from 'larder/kernel'

const CHANNEL = 'messaging.notices'
/** Milliseconds. The first of a while goes at once; what follows within this time goes together. */
const GATHER = 15

interface About {
  readonly tenantId: string
  readonly conversationId: string
}
/** One step of a conversation's version, with the frames that tell of it. */
export interface Change extends About {
  readonly kind: 'change'
  readonly version: number
  /** Of the newest message, after it. */
  readonly lastSeq: number
  readonly frames: readonly string[]
  /** User ids. */
  readonly joined?: readonly string[]
  readonly left?: readonly string[]
}
/** Tells of now, and is not told again: reading, typing. */
export interface Passing extends About {
  readonly kind: 'passing'
  readonly frame: string
  /** Who need not hear it: a user id. */
  readonly except?: string
}
export type Notice = Change | Passing

export function createNotices({ database, bus }: Deps<'database' | 'bus'>) {
  let waiting: Notice[] = []
  let timer: NodeJS.Timeout | undefined

  function flush(): void {
    timer = undefined
    if (waiting.length === 0) return
    const notices = waiting
    waiting = []
    timer = setTimeout(flush, GATHER)
    bus.publish(CHANNEL, notices)
  }

  return {
    /** After the unit that surrounds the call has committed; at once where there is none. */
    tell(...notices: readonly Notice[]): void {
      database.afterCommit(() => {
        waiting.push(...notices)
        if (timer === undefined) flush()
      })
    },
    listen: (hear: (notice: Notice) => void, onGap: () => void): (() => void) =>
      bus.subscribe(
        CHANNEL,
        message => {
          for (const notice of message as readonly Notice[]) hear(notice)
        },
        onGap,
      ),
    /** What still waits goes out now. */
    stop(): void {
      clearTimeout(timer)
      flush()
      clearTimeout(timer)
    },
  }
}
export type Notices = ReturnType<typeof createNotices>
