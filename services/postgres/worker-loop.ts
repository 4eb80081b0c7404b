/** Loops that process work until there is none, then wait for a wake-up or the next poll. */
import { SECOND } from 'larder/kernel'
import type { Logger } from 'pino'

export interface WorkerLoopOptions {
  readonly concurrency: number
  /** Milliseconds. */
  readonly pollMs: number
  readonly log: Logger
  /** Processes one piece of work; returns true if there is probably more. */
  readonly work: () => Promise<boolean>
}
export interface WorkerLoop {
  start(): void
  /** Wakes one loop, which wakes another one if there is more work. */
  wake(): void
  stop(): Promise<void>
}

const MAX_PAUSE_MS = 5 * SECOND
/** Limits the log while the database is unavailable. */
const WARN_INTERVAL_MS = 10 * SECOND

export function createWorkerLoop({ concurrency, pollMs, log, work }: WorkerLoopOptions): WorkerLoop {
  const sleepers: (() => void)[] = []
  let running = false
  /** Woken while no loop was asleep: the next loop to sleep checks for work again. */
  let wakePending = false
  let loops: Promise<void>[] = []
  let lastWarning = 0

  function wake(): void {
    const sleeper = sleepers.shift()
    if (sleeper) sleeper()
    else wakePending = true
  }

  function sleep(milliseconds: number): Promise<void> {
    if (wakePending || !running) {
      wakePending = false
      return Promise.resolve()
    }
    return new Promise(resolve => {
      const woken = () => {
        clearTimeout(timer)
        resolve()
      }
      const timer = setTimeout(() => {
        sleepers.splice(sleepers.indexOf(woken), 1)
        resolve()
      }, milliseconds)
      sleepers.push(woken)
    })
  }

  async function loop(): Promise<void> {
    let pause = 100
    while (running)
      try {
        const more = await work()
        pause = 100
        if (more) wake()
        else await sleep(pollMs)
      } catch (error) {
        warn(error)
        await sleep(pause)
        pause = Math.min(2 * pause, MAX_PAUSE_MS)
      }
  }

  function warn(error: unknown): void {
    if (Date.now() - lastWarning < WARN_INTERVAL_MS) return
    lastWarning = Date.now()
    log.warn({ err: error }, 'work is delayed: the database is unavailable')
  }

  return {
    wake,
    start() {
      running = true
      loops = Array.from({ length: concurrency }, loop)
    },
    async stop() {
      running = false
      while (sleepers.length > 0) wake()
      await Promise.all(loops)
    },
  }
}
