import { Problem } from 'larder/kernel'

const RETRY_SECONDS = 5

/**
 * Runs at most `atOnce` works at a time and lets `waiting` more wait. Throws `unavailable` (503, Retry-After) beyond
 * that: who waits for seconds behind hundreds tries again anyway.
 */
export function createQueue({ atOnce, waiting }: { atOnce: number; waiting: number }) {
  const line: (() => void)[] = []
  let running = 0

  return async function run<T>(work: () => Promise<T>): Promise<T> {
    if (running >= atOnce) {
      if (line.length >= waiting) throw busy()
      await new Promise<void>(resolve => line.push(resolve))
    } else running++
    try {
      return await work()
    } finally {
      // The place is handed on, not given back: nobody slips in between.
      const next = line.shift()
      if (next) next()
      else running--
    }
  }
}

const busy = () =>
  new Problem(
    'unavailable',
    503,
    `The service is temporarily unavailable. Try again in ${RETRY_SECONDS} seconds.`,
    {},
    { 'retry-after': String(RETRY_SECONDS) },
  )
