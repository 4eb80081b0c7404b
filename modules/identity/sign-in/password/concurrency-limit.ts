import { common, withHeaders } from '@larder-dev/larder/kernel'

const RETRY_SECONDS = 5

/**
 * Runs at most `concurrency` tasks at a time and queues up to `maxWaiting` more. Beyond that it throws `unavailable`
 * (503 with Retry-After), because a client that waits for seconds retries anyway.
 */
export function createConcurrencyLimit({ concurrency, maxWaiting }: { concurrency: number; maxWaiting: number }) {
  const waiting: (() => void)[] = []
  let running = 0

  return async function run<T>(task: () => Promise<T>): Promise<T> {
    if (running >= concurrency) {
      if (waiting.length >= maxWaiting) throw unavailable()
      await new Promise<void>(resolve => waiting.push(resolve))
    } else running++
    try {
      return await task()
    } finally {
      // The slot passes to the next task directly, so no new task can overtake the queue.
      const next = waiting.shift()
      if (next) next()
      else running--
    }
  }
}

const unavailable = () =>
  withHeaders(common.unavailable({ seconds: RETRY_SECONDS }), { 'retry-after': String(RETRY_SECONDS) })
