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
  /** Terminates the threads that run its tasks. Idle threads end by themselves and don't keep the process running. */
  close(): void
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
  const running = new Set<AbortController>()
  let isClosed = false

  async function runNow(message: TaskMessage): Promise<TaskResult> {
    const pool = await openThreads(threads, maxHeapMib)
    if (isClosed) throw closed()
    const aborter = new AbortController()
    running.add(aborter)
    // Terminates a thread that the watchdog can't interrupt.
    const timer = setTimeout(() => aborter.abort(), message.timeoutMs + LOAD_GRACE_MS)
    try {
      return (await pool.run(message, { signal: aborter.signal })) as TaskResult
    } catch (error) {
      if (isClosed) throw closed()
      if (aborter.signal.aborted) return { exceeded: `it takes longer than ${message.timeoutMs} ms` }
      if ((error as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY')
        return { exceeded: `it needs more than ${maxHeapMib} MiB of memory` }
      throw error
    } finally {
      clearTimeout(timer)
      running.delete(aborter)
    }
  }

  return {
    async run({ file, name }, input, { tenantId, timeoutMs }) {
      const queued = queue.run(tenantId, () => runNow({ file: file.href, name, input, timeoutMs }))
      if (!queued) throw busy()
      const result = await queued
      if ('exceeded' in result)
        throw workerPoolProblems.limit_exceeded({ reason: result.exceeded }, { reason: result.exceeded })
      // The type of the function whose result it is.
      return result.output as never
    },
    close() {
      isClosed = true
      for (const aborter of running) aborter.abort()
    },
  }
}

/**
 * The threads of this process, by their limits. Several products in a process share them, because starting a thread and
 * loading its task take 0.3 s of CPU time.
 */
const opened = new Map<string, Promise<Piscina>>()

function openThreads(threads: number, maxHeapMib: number): Promise<Piscina> {
  const limits = `${threads} ${maxHeapMib}`
  const pool = opened.get(limits) ?? createThreads(threads, maxHeapMib)
  opened.set(limits, pool)
  return pool
}

/** Processes that run no task don't load piscina. */
async function createThreads(threads: number, maxHeapMib: number): Promise<Piscina> {
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

const closed = () => new Error('the worker pool is closed')

const busy = () =>
  withHeaders(workerPoolProblems.worker_pool_busy({ seconds: RETRY_AFTER_SECONDS }), {
    'retry-after': String(RETRY_AFTER_SECONDS),
  })
