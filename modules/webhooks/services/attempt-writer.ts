/**
 * Stores the results of attempts. Under load, many results are stored together: each write is a commit. While the database
 * is away or full, results wait, because a receiver would get a webhook again whose result is lost.
 */
import { Problem, SECOND } from '@larder-dev/larder/kernel'
import type { Logger } from 'pino'
import type { ClaimedDelivery } from '../domain/delivery.ts'
import type { Attempt, DeliveryQueue } from './delivery-queue.ts'

/** Attempts per transaction. */
const MAX_BATCH_SIZE = 200
/** Time between the starts of two writes, unless a full batch waits. */
const WRITE_INTERVAL_MS = 15
/**
 * Time before another attempt to store results that the database could not take. Other processes can claim the host, and
 * send again, as soon as the database is back.
 */
const RETRY_MS = SECOND / 4

export interface AttemptWriter {
  add(attempt: Attempt): void
  /** Deliveries whose result is not stored yet. */
  unwritten(): readonly ClaimedDelivery[]
  /** Resolves when every result is stored, or could not be. */
  flush(): Promise<void>
}

export function createAttemptWriter(
  queue: Pick<DeliveryQueue, 'record'>,
  log: Logger,
  /** After each write, with the attempts that could not be stored. */
  onWritten: (failed: readonly Attempt[]) => void,
  now = () => performance.now(),
): AttemptWriter {
  const waiting: Attempt[] = []
  let current: Attempt[] = []
  let writing: Promise<void> | undefined
  let lastStart = Number.NEGATIVE_INFINITY
  let flushing = false
  let isDelayed = false
  let isGathering = false
  let endPause: (() => void) | undefined

  async function pause(milliseconds: number): Promise<void> {
    await new Promise<void>(resolve => {
      const timer = setTimeout(resolve, milliseconds)
      endPause = () => {
        clearTimeout(timer)
        resolve()
      }
    })
    endPause = undefined
  }

  /** Lets results accumulate until the next write is due. */
  async function gather(): Promise<void> {
    const remaining = lastStart + WRITE_INTERVAL_MS - now()
    if (remaining > 0 && waiting.length < MAX_BATCH_SIZE && !flushing) {
      isGathering = true
      await pause(remaining)
      isGathering = false
    }
    lastStart = now()
  }

  async function write(): Promise<void> {
    while (waiting.length > 0) {
      await gather()
      current = waiting.splice(0, MAX_BATCH_SIZE)
      const failed = await record(current)
      if (failed === 'later') {
        waiting.unshift(...current)
        current = []
        if (!flushing) await pause(RETRY_MS)
        continue
      }
      current = []
      const isLast = waiting.length === 0
      if (isLast) writing = undefined
      onWritten(failed)
      if (isLast) return
    }
  }

  /**
   * Returns the attempts that could not be stored, whose deliveries are attempted again under the same ids, or `later` if
   * another attempt to store them may succeed. A stop makes no other attempt.
   */
  async function record(attempts: readonly Attempt[]): Promise<readonly Attempt[] | 'later'> {
    try {
      await queue.record(attempts)
      isDelayed = false
      return []
    } catch (error) {
      const mayWait = Problem.is(error) && error.status === 503 && !flushing
      if (!mayWait || !isDelayed)
        log.warn({ err: error, deliveries: attempts.length }, 'failed to store the results of webhook attempts')
      isDelayed = mayWait
      return mayWait ? 'later' : attempts
    }
  }

  return {
    add(attempt) {
      waiting.push(attempt)
      if (isGathering && waiting.length >= MAX_BATCH_SIZE) endPause?.()
      writing ??= write()
    },
    unwritten: () => [...current, ...waiting].map(({ delivery }) => delivery),
    async flush() {
      flushing = true
      endPause?.()
      await writing
      flushing = false
    },
  }
}
