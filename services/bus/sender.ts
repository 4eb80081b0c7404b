/** Sends the messages of one process in order, retries during outages, and reports dropped messages as a gap. */

import { setTimeout as pause } from 'node:timers/promises'
import { SECOND } from '@larder-dev/larder/kernel'
import type { Logger } from 'pino'

export interface Sender<Message> {
  push(message: Message): void
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
  let gapPending = false
  let sending: Promise<void> | undefined
  const closing = new AbortController()

  async function drain(): Promise<void> {
    for (let failed = 0; queue.length > 0 || gapPending; ) {
      const batch = queue.slice(0, MAX_BATCH)
      try {
        await send(batch.length > 0 ? batch : [gap])
        failed = 0
        if (batch.length > 0) queue.splice(0, batch.length)
        else gapPending = false
      } catch (error) {
        failed++
        if (closing.signal.aborted) return
        if (failed === 1) log.warn({ err: error }, 'bus messages cannot be sent and are queued')
        if (failed >= MAX_ATTEMPTS || queue.length > MAX_QUEUED_MESSAGES) dropQueue()
        await pause(retryDelay(failed), undefined, { signal: closing.signal }).catch(() => undefined)
      }
    }
    // Synchronous with the check of the queue, so that the next push starts a new drain.
    sending = undefined
  }

  /** Replaces the messages by a gap, after which other processes drop their caches. */
  function dropQueue(): void {
    if (queue.length > 0) log.warn({ messages: queue.length }, 'bus messages were dropped')
    queue = []
    gapPending = true
  }

  return {
    push(message) {
      queue.push(message)
      sending ??= drain()
    },
    async close() {
      closing.abort()
      await sending
    },
  }
}
