/** Stores the results of attempts. Results that arrive during a write are stored together in the next one. */
import type { Logger } from 'pino'
import type { Attempt, ClaimedDelivery, DeliveryQueue } from './delivery-queue.ts'

/** Attempts per transaction. */
const MAX_BATCH_SIZE = 50

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
  onDone: () => void,
): AttemptWriter {
  const waiting: Attempt[] = []
  let current: Attempt[] = []
  let writing: Promise<void> | undefined

  async function write(): Promise<void> {
    while (waiting.length > 0) {
      current = waiting.splice(0, MAX_BATCH_SIZE)
      try {
        await queue.record(current)
      } catch (error) {
        // The leases expire, and the deliveries are attempted again under the same ids.
        log.warn({ err: error, deliveries: current.length }, 'failed to store the results of webhook attempts')
      }
      current = []
    }
    writing = undefined
    onDone()
  }

  return {
    add(attempt) {
      waiting.push(attempt)
      writing ??= write()
    },
    unwritten: () => [...current, ...waiting].map(({ delivery }) => delivery),
    flush: async () => writing,
  }
}
