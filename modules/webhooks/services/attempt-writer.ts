/** Stores the results of attempts. Under load, many results are stored together: each write is a commit. */
import type { Logger } from 'pino'
import type { ClaimedDelivery } from '../domain/delivery.ts'
import type { Attempt, DeliveryQueue } from './delivery-queue.ts'

/** Attempts per transaction. */
const MAX_BATCH_SIZE = 200
/** Time between the starts of two writes, unless a full batch waits. */
const WRITE_INTERVAL_MS = 15

export interface AttemptWriter {
  add(attempt: Attempt): void
  /** Deliveries whose result is not stored yet. */
  unwritten(): readonly ClaimedDelivery[]
  /** Resolves when every result is stored. */
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
  let stopGathering: (() => void) | undefined

  /** Lets results accumulate until the next write is due. */
  async function gather(): Promise<void> {
    const remaining = lastStart + WRITE_INTERVAL_MS - now()
    if (remaining > 0 && waiting.length < MAX_BATCH_SIZE && !flushing)
      await new Promise<void>(resolve => {
        const timer = setTimeout(resolve, remaining)
        stopGathering = () => {
          clearTimeout(timer)
          resolve()
        }
      })
    stopGathering = undefined
    lastStart = now()
  }

  async function write(): Promise<void> {
    while (waiting.length > 0) {
      await gather()
      current = waiting.splice(0, MAX_BATCH_SIZE)
      const failed = await record(current)
      current = []
      const isLast = waiting.length === 0
      if (isLast) writing = undefined
      onWritten(failed)
      if (isLast) return
    }
  }

  /** Returns the attempts that could not be stored. Their deliveries are attempted again under the same ids. */
  async function record(attempts: readonly Attempt[]): Promise<readonly Attempt[]> {
    try {
      await queue.record(attempts)
      return []
    } catch (error) {
      log.warn({ err: error, deliveries: attempts.length }, 'failed to store the results of webhook attempts')
      return attempts
    }
  }

  return {
    add(attempt) {
      waiting.push(attempt)
      if (waiting.length >= MAX_BATCH_SIZE) stopGathering?.()
      writing ??= write()
    },
    unwritten: () => [...current, ...waiting].map(({ delivery }) => delivery),
    async flush() {
      flushing = true
      stopGathering?.()
      await writing
      flushing = false
    },
  }
}
