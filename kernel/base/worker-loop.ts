/** Loops that work as long as there is something to do, then wait to be woken or for the next poll. */
import type { Logger } from 'pino'
import { SECOND } from './units.ts'

export interface WorkerLoopOptions {
  readonly concurrency: number
  /** Milliseconds. */
  readonly pollMs: number
  readonly log: Logger
  /** One piece of work; true where there is probably more. */
  readonly work: () => Promise<boolean>
}
export interface WorkerLoop {
  start(): void
  /** Something has come: one lane looks, and the others when it finds much. */
  wake(): void
  stop(): Promise<void>
}

const MAX_PAUSE_MS = 5 * SECOND
/** One line in the log at most while the database is away. */
const WARN_INTERVAL_MS = 10 * SECOND

export function createWorkerLoop({ concurrency, pollMs, log, work }: WorkerLoopOptions): WorkerLoop {
  const sleepers: (() => void)[] = []
  let running = false
  /** Woken while nobody slept: whoever is next to sleep looks once more. */
  let wakePending = false
  let loops: Promise<void>[] = []
  let lastWarning = 0

  function wake(): void {
    const loop = sleepers.shift()
    if (loop) loop()
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

  async function lane(): Promise<void> {
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
    log.warn({ err: error }, 'work is put off: the database does not answer')
  }

  return {
    wake,
    start() {
      running = true
      loops = Array.from({ length: concurrency }, lane)
    },
    async stop() {
      running = false
      while (sleepers.length > 0) wake()
      await Promise.all(loops)
    },
  }
}
