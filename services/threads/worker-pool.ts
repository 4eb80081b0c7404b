/** Runs tasks in the worker threads of piscina, which starts them on demand and replaces those that fail. */
import { availableParallelism } from 'node:os'
import { MINUTE, type WorkerPool, withHeaders, workerPoolProblems } from 'larder/kernel'
import { createFairQueue, type TaskOutcome } from './fair-queue.ts'
import { createLowPriorityProcess } from './low-priority-process.ts'
import { createResourceCache } from './resource-cache.ts'
import { createTaskThreads, type TaskThreads, type ThreadLimits } from './task-threads.ts'
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

/** Two or more; their sum is below the number of cores where possible, because they compete with the main thread. */
const THREADS = Math.min(4, Math.max(2, availableParallelism() - 1))
const MAX_WAITING_PER_TENANT = 32
const MAX_HEAP_MIB = 128
/** For starting the thread, loading the task and running it, which `runWithTimeout` limits to a minute. */
const MAX_ELAPSED_MS = 2 * MINUTE
const RETRY_AFTER_SECONDS = 2

export function createWorkerPool({
  threads = THREADS,
  maxWaitingPerTenant = MAX_WAITING_PER_TENANT,
  maxHeapMib = MAX_HEAP_MIB,
}: WorkerPoolOptions = {}): ManagedWorkerPool {
  const [slots, costlySlots] = [Math.max(1, threads - 1), 1]
  const slotsPerKey = Math.max(1, Math.floor(threads / 2))
  const queue = createFairQueue({ slots, costlySlots, slotsPerKey, maxWaitingPerKey: maxWaitingPerTenant })
  const running = new Set<AbortController>()
  let isClosed = false

  /** Costly tenants have a process with a low priority, which may wait for seconds on a busy machine. */
  async function runNow(message: TaskMessage, isCostly: boolean): Promise<TaskOutcome<TaskResult>> {
    const pool = await (isCostly
      ? openThreads('costly', { threads: costlySlots, maxHeapMib })
      : openThreads('normal', { threads: slots, maxHeapMib }))
    if (isClosed) throw closed()
    const aborter = new AbortController()
    running.add(aborter)
    const startedAt = performance.now()
    const failed = (exceeded: string) => ({ value: { exceeded }, usedMs: performance.now() - startedAt })
    // Terminates a thread that the watchdog can't interrupt.
    const timer = setTimeout(() => aborter.abort(), message.timeoutMs + MAX_ELAPSED_MS)
    try {
      const { usedMs, ...value } = await pool.run(message, { signal: aborter.signal })
      return { value, usedMs }
    } catch (error) {
      if (isClosed) throw closed()
      if (aborter.signal.aborted) return failed(`it takes longer than ${message.timeoutMs} ms`)
      if ((error as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY')
        return failed(`it needs more than ${maxHeapMib} MiB of memory`)
      throw error
    } finally {
      clearTimeout(timer)
      running.delete(aborter)
    }
  }

  return {
    async run({ file, name }, input, { tenantId, timeoutMs }) {
      const queued = queue.run(tenantId, isCostly => runNow({ file: file.href, name, input, timeoutMs }, isCostly))
      if (!queued) throw busy()
      const result = await queued
      if ('busy' in result) throw busy()
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
 * The threads by their priority and limits. Several products in a process share them, because starting a thread and
 * loading its task take 0.3 s of CPU time.
 */
const openOnce = createResourceCache<TaskThreads>()

const openThreads = (priority: 'normal' | 'costly', limits: ThreadLimits): Promise<TaskThreads> =>
  openOnce(`${priority} ${limits.threads} ${limits.maxHeapMib}`, () =>
    priority === 'costly' ? Promise.resolve(createLowPriorityProcess(limits)) : createTaskThreads(limits),
  )

const closed = () => new Error('the worker pool is closed')

const busy = () =>
  withHeaders(workerPoolProblems.worker_pool_busy({ seconds: RETRY_AFTER_SECONDS }), {
    'retry-after': String(RETRY_AFTER_SECONDS),
  })
