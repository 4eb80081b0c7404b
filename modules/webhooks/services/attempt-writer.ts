/** Writes down what became of attempts: what comes while a write is under way goes together in the next. */
import type { Logger } from 'pino'
import type { Attempt, Claimed, Queue } from './delivery-queue.ts'

/** One transaction. */
const MOST_AT_ONCE = 50

export interface Recorder {
  add(attempt: Attempt): void
  /** Answered, and not written down yet. */
  open(): readonly Claimed[]
  /** Resolves when nothing is open. */
  done(): Promise<void>
}

export function createRecorder(queue: Pick<Queue, 'record'>, log: Logger, onDone: () => void): Recorder {
  const waiting: Attempt[] = []
  let under: Attempt[] = []
  let writing: Promise<void> | undefined

  async function write(): Promise<void> {
    while (waiting.length > 0) {
      under = waiting.splice(0, MOST_AT_ONCE)
      try {
        await queue.record(under)
      } catch (error) {
        // Their leases run out, and somebody tries again under the same ids.
        log.warn({ err: error, deliveries: under.length }, 'what became of webhooks could not be written down')
      }
      under = []
    }
    writing = undefined
    onDone()
  }

  return {
    add(attempt) {
      waiting.push(attempt)
      writing ??= write()
    },
    open: () => [...under, ...waiting].map(({ delivery }) => delivery),
    done: async () => writing,
  }
}
