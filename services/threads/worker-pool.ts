/** Runs tasks in the worker threads of piscina, which starts them on demand and replaces those that fail. */
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { MINUTE, SECOND, type WorkerPool, withHeaders, workerPoolProblems } from 'larder/kernel'
import type { Piscina } from 'piscina'
import { createFairQueue } from './fair-queue.ts'
import type { TaskMessage, TaskResult } from './worker.ts'

export interface WorkerPoolOptions {
  readonly threads?: number
  readonly maxWaitingPerTenant?: number
  /** Heap of one thread. */
  readonly maxHeapMib?: number
}
export interface ManagedWorkerPool extends WorkerPool {
  /** Terminates all threads. */
  close(): Promise<void>
}

/** Two, so that one tenant never occupies all of them; more would compete with the main thread. */
const THREADS = Math.min(4, Math.max(2, availableParallelism() - 1))
const MAX_WAITING_PER_TENANT = 32
const MAX_HEAP_MIB = 128
/** Idle threads release their memory. */
const IDLE_MS = MINUTE
/** Starting a thread and loading the task take longer on a busy machine. */
const LOAD_GRACE_MS = 15 * SECOND
const RETRY_AFTER_SECONDS = 2

export function createWorkerPool({
  threads = THREADS,
  maxWaitingPerTenant = MAX_WAITING_PER_TENANT,
  maxHeapMib = MAX_HEAP_MIB,
}: WorkerPoolOptions = {}): ManagedWorkerPool {
  const slotsPerKey = Math.max(1, Math.floor(threads / 2))
  const queue = createFairQueue({ slots: threads, slotsPerKey, maxWaitingPerKey: maxWaitingPerTenant })
  let opened: Promise<Piscina> | undefined
  let isClosed = false

  /** Processes that run no task don't load piscina. */
  async function open(): Promise<Piscina> {
    const { Piscina } = await import('piscina')
    return new Piscina({
      filename: fileURLToPath(new URL('./worker.js', import.meta.url)),
      minThreads: 0,
      maxThreads: threads,
      idleTimeout: IDLE_MS,
      // Tasks get no secrets of the process.
      env: {},
      resourceLimits: { maxOldGenerationSizeMb: maxHeapMib, maxYoungGenerationSizeMb: 16, stackSizeMb: 4 },
    })
  }

  async function runNow(message: TaskMessage): Promise<TaskResult> {
    if (isClosed) throw new Error('the worker pool is closed')
    opened ??= open()
    const pool = await opened
    const aborter = new AbortController()
    // Terminates a thread that the watchdog can't interrupt.
    const timer = setTimeout(() => aborter.abort(), message.timeoutMs + LOAD_GRACE_MS)
    try {
      return (await pool.run(message, { signal: aborter.signal })) as TaskResult
    } catch (error) {
      if (aborter.signal.aborted) return { exceeded: `it takes longer than ${message.timeoutMs} ms` }
      if ((error as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY')
        return { exceeded: `it needs more than ${maxHeapMib} MiB of memory` }
      throw error
    } finally {
      clearTimeout(timer)
    }
  }

  return {
    async run({ file, name }, input, { tenantId, timeoutMs }) {
      const running = queue.run(tenantId, () => runNow({ file: file.href, name, input, timeoutMs }))
      if (!running) throw busy()
      const result = await running
      if ('exceeded' in result)
        throw workerPoolProblems.limit_exceeded({ reason: result.exceeded }, { reason: result.exceeded })
      // The type of the function whose result it is.
      return result.output as never
    },
    async close() {
      isClosed = true
      await (await opened)?.destroy()
    },
  }
}

const busy = () =>
  withHeaders(workerPoolProblems.worker_pool_busy({ seconds: RETRY_AFTER_SECONDS }), {
    'retry-after': String(RETRY_AFTER_SECONDS),
  })
