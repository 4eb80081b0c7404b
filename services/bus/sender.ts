/** Sends the messages of one process in order, retries during outages, and reports dropped messages as a gap. */

import { setTimeout as pause } from 'node:timers/promises'
import { createOutageLog, SECOND, unlessAnnounced } from '@larder-dev/larder/kernel/internal'
import type { Logger } from 'pino'

export interface Sender<Message> {
  push(message: Message): void
  /** Sends the gap between the messages before and after it. */
  pushGap(): void
  /** Makes one last attempt to send the queued messages, then stops. */
  close(): Promise<void>
}

export interface SenderOptions<Message> {
  /** Sends messages in order. If it fails, they are sent again, whether or not some have arrived. */
  readonly send: (messages: readonly Message[]) => Promise<void>
  /** Notifies other processes that they have missed messages. */
  readonly gap: Message
  readonly log: Logger
  /** Milliseconds before the next attempt, by the number of failed ones. */
  readonly retryDelay?: (failed: number) => number
}

const QUEUED = 'bus messages cannot be sent and are queued'
const MAX_ATTEMPTS = 10
/** Beyond this, a gap is as useful to other processes as the late messages. */
const MAX_QUEUED_MESSAGES = 10_000
const MAX_TRACKED_SENDERS = 1000
/** Messages that are sent together. */
const MAX_BATCH = 50

const backoff = (failed: number): number => Math.min(2 * SECOND, 50 * 2 ** (failed - 1))

/**
 * Detects messages that arrive again after a retry. Each process numbers its own messages; the function returns true for
 * a new one.
 */
export function createDeduplicator(): (from: string, count: number) => boolean {
  const last = new Map<string, number>()
  return (from, count) => {
    if (count <= (last.get(from) ?? 0)) return false
    // Ordered by the last message, so the evicted entry belongs to the process that was silent the longest.
    last.delete(from)
    last.set(from, count)
    if (last.size > MAX_TRACKED_SENDERS) last.delete(last.keys().next().value as string)
    return true
  }
}

export function createSender<Message>({
  send,
  gap,
  log,
  retryDelay = backoff,
}: SenderOptions<Message>): Sender<Message> {
  let queue: Message[] = []
  const outage = createOutageLog({ log, begins: QUEUED, ends: 'bus messages are sent again' })
  /** Attempts, and dropped messages, since messages could last be sent. */
  let failed = 0
  let dropped = 0
  let sending: Promise<void> | undefined
  const closing = new AbortController()

  async function drain(): Promise<void> {
    while (queue.length > 0) {
      const batch = queue.slice(0, MAX_BATCH)
      try {
        await send(batch)
        recovered()
        queue.splice(0, batch.length)
      } catch (error) {
        failed++
        if (closing.signal.aborted) return
        if (failed === 1)
          unlessAnnounced(error, QUEUED, {
            write: () => failed > 0 && outage.begin(error),
            withhold: () => log.debug({ err: error }, QUEUED),
          })
        if (failed >= MAX_ATTEMPTS || queue.length > MAX_QUEUED_MESSAGES) dropQueue()
        await pause(retryDelay(failed), undefined, { signal: closing.signal }).catch(() => undefined)
      }
    }
    // Synchronous with the check of the queue, so that the next push starts a new drain.
    sending = undefined
  }

  /** Replaces the messages by a gap, after which other processes drop their caches. */
  function dropQueue(): void {
    dropped += queue.filter(message => message !== gap).length
    queue = [gap]
  }

  function push(message: Message): void {
    queue.push(message)
    sending ??= drain()
  }

  function recovered(): void {
    if (failed > 0) outage.end()
    if (dropped > 0) log.warn({ messages: dropped }, 'bus messages were dropped')
    failed = 0
    dropped = 0
  }

  return {
    push,
    pushGap: () => push(gap),
    async close() {
      closing.abort()
      await sending
    },
  }
}
