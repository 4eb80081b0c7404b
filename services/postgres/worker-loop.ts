/** Loops that process work until there is none. A wake-up or the next poll starts one again. */
import { createCountedWarnings, Problem, SECOND } from '@larder-dev/larder/kernel/internal'
import type { Logger } from 'pino'

export interface WorkerLoopOptions {
  /** Loops at a time. While there is no work, one of them looks for it. */
  readonly concurrency: number
  /** Milliseconds. */
  readonly pollMs: number
  readonly log: Logger
  /** Processes one piece of work; returns true if there is probably more. */
  readonly work: () => Promise<boolean>
}
export interface WorkerLoop {
  start(): void
  /** Starts one loop, which starts another one if there is more work. */
  wake(): void
  stop(): Promise<void>
}

const MIN_PAUSE_MS = 100
const MAX_PAUSE_MS = 5 * SECOND

export function createWorkerLoop({ concurrency, pollMs, log, work }: WorkerLoopOptions): WorkerLoop {
  const loops = new Set<Promise<void>>()
  let running = false
  /** Woken while every loop was at work: the next one that finds no more work checks again. */
  let wakePending = false
  /** Milliseconds until the next attempt after a failure. */
  let pause = MIN_PAUSE_MS
  let timer: NodeJS.Timeout | undefined
  const delayed = createCountedWarnings({ log, first: 'work is delayed', more: 'work was delayed' })

  function wake(): void {
    if (!running) return
    if (loops.size === concurrency) {
      wakePending = true
      return
    }
    const loop = run().finally(() => loops.delete(loop))
    loops.add(loop)
  }

  /** Looks for work also while loops are busy with slow work. */
  function poll(): void {
    wake()
    schedulePoll(pollMs)
  }

  function schedulePoll(milliseconds: number): void {
    clearTimeout(timer)
    if (running) timer = setTimeout(poll, milliseconds)
  }

  async function run(): Promise<void> {
    try {
      let more: boolean
      do {
        wakePending = false
        more = await work()
        pause = MIN_PAUSE_MS
        if (more) wake()
      } while (running && (more || wakePending))
      schedulePoll(pollMs)
    } catch (error) {
      delayed(Problem.is(error) ? error.code : 'internal', { err: error })
      schedulePoll(pause)
      pause = Math.min(2 * pause, MAX_PAUSE_MS)
    }
  }

  return {
    wake,
    start() {
      running = true
      poll()
    },
    async stop() {
      running = false
      clearTimeout(timer)
      await Promise.all(loops)
    },
  }
}
