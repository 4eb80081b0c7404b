/** How the messages of one process leave it: in their order, tried again while the way is cut, and none lost in silence. */

import { setTimeout as pause } from 'node:timers/promises'
import { SECOND } from 'larder/kernel'
import type { Logger } from 'pino'

export interface Sender<Line> {
  push(line: Line): void
  /** One last try for what waits; nobody waits for a way that is cut. */
  close(): Promise<void>
}

export interface SenderOptions<Line> {
  readonly send: (line: Line) => Promise<void>
  /** What tells the others that they have missed something. */
  readonly gap: Line
  readonly log: Logger
  /** Milliseconds before the next try, by the number of those that failed. */
  readonly patience?: (failed: number) => number
}

const TRIES = 10
/** What others hear this late is no longer worth more than being told of a gap. */
const MOST_WAITING = 10_000
const MOST_NODES = 1000

const backoff = (failed: number): number => Math.min(2 * SECOND, 50 * 2 ** (failed - 1))

/**
 * A message that is tried again may have arrived the first time. Each process counts its own, so whoever hears can tell
 * by the count: true where it is new.
 */
export function createOnce(): (from: string, count: number) => boolean {
  const last = new Map<string, number>()
  return (from, count) => {
    if (count <= (last.get(from) ?? 0)) return false
    // The one heard last stands last: what falls out is a process that is long gone.
    last.delete(from)
    last.set(from, count)
    if (last.size > MOST_NODES) last.delete(last.keys().next().value as string)
    return true
  }
}

export function createSender<Line>({ send, gap, log, patience = backoff }: SenderOptions<Line>): Sender<Line> {
  let waiting: Line[] = []
  let owesGap = false
  let sending: Promise<void> | undefined
  const over = new AbortController()

  async function drain(): Promise<void> {
    for (let failed = 0; waiting.length > 0 || owesGap; ) {
      const line = waiting.length > 0 ? (waiting[0] as Line) : gap
      try {
        await send(line)
        failed = 0
        if (waiting.length > 0) waiting.shift()
        else owesGap = false
      } catch (error) {
        failed++
        if (over.signal.aborted) return
        if (failed === 1) log.warn({ err: error }, 'messages of the bus wait: they cannot be sent')
        if (failed >= TRIES || waiting.length > MOST_WAITING) giveUp()
        await pause(patience(failed), undefined, { signal: over.signal }).catch(() => undefined)
      }
    }
    // In the same breath as the look at what waits: whoever pushes next begins anew.
    sending = undefined
  }

  /** The others drop what they keep once they can be told, which is right whatever the messages said. */
  function giveUp(): void {
    if (waiting.length > 0) log.warn({ messages: waiting.length }, 'messages of the bus were given up')
    waiting = []
    owesGap = true
  }

  return {
    push(line) {
      waiting.push(line)
      sending ??= drain()
    },
    async close() {
      over.abort()
      await sending
    },
  }
}
