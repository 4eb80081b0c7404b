/** Worker threads of the calling process that run tasks. */
import { fileURLToPath } from 'node:url'
import type { TaskMessage, TaskReport } from './worker.ts'

export interface TaskThreads {
  /** Ends the task when the signal aborts. */
  run(message: TaskMessage, options: { readonly signal: AbortSignal }): Promise<TaskReport>
}
export interface ThreadLimits {
  readonly threads: number
  /** Heap of one thread. */
  readonly maxHeapMib: number
}

/** Idle threads and processes release their memory. */
export const IDLE_MS = 60_000
const MAX_YOUNG_HEAP_MIB = 16
const STACK_MIB = 4

/** Processes that run no task don't load piscina. */
export async function createTaskThreads({ threads, maxHeapMib }: ThreadLimits): Promise<TaskThreads> {
  const { Piscina } = await import('piscina')
  return new Piscina({
    filename: fileURLToPath(new URL('./worker.js', import.meta.url)),
    minThreads: 0,
    maxThreads: threads,
    idleTimeout: IDLE_MS,
    // Tasks get no secrets of the process.
    env: {},
    resourceLimits: {
      maxOldGenerationSizeMb: maxHeapMib,
      maxYoungGenerationSizeMb: MAX_YOUNG_HEAP_MIB,
      stackSizeMb: STACK_MIB,
    },
  })
}
