/** Runs tasks in the worker threads of piscina, which starts them on demand and replaces those that fail. */
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { MINUTE, sharerOf, type WorkerPool, withHeaders, workerPoolProblems } from '@larder-dev/larder/kernel/internal'
import type { Piscina } from 'piscina'
import { createKeyedLimit } from './keyed-limit.ts'
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

/** At least four, also on small machines: two tenants with costly tasks must leave threads for the others. */
const THREADS = Math.min(8, Math.max(4, availableParallelism()))
const SHARE_OF_TENANT = 1 / 4
const MAX_WAITING_PER_TENANT = 32
const MAX_HEAP_MIB = 128
const MAX_YOUNG_HEAP_MIB = 16
const STACK_MIB = 4
/** Idle threads release their memory. */
const IDLE_MS = MINUTE
/** Pools that set none have these values. */
let defaults = { threads: THREADS, idleMs: IDLE_MS }
/** The limit of starting the thread, loading the task and running it, which `runWithTimeout` limits to a minute. */
const MAX_ELAPSED_MS = 2 * MINUTE
const RETRY_AFTER_SECONDS = 2

export function createWorkerPool({
  threads = defaults.threads,
  maxWaitingPerTenant = MAX_WAITING_PER_TENANT,
  maxHeapMib = MAX_HEAP_MIB,
}: WorkerPoolOptions = {}): ManagedWorkerPool {
  // Piscina's queue is first in, first out: tenants take turns there, because each has few tasks in it.
  const runningPerKey = Math.max(1, Math.floor(threads * SHARE_OF_TENANT))
  const sharers = createKeyedLimit({ runningPerKey, waitingPerKey: maxWaitingPerTenant })
  const running = new Set<AbortController>()
  let isClosed = false

  async function runNow(message: TaskMessage, elapsedMs: number): Promise<TaskResult> {
    const pool = await openThreads(threads, maxHeapMib)
    if (isClosed) throw closed()
    const aborter = new AbortController()
    running.add(aborter)
    // Terminates a thread that the watchdog can't interrupt.
    const timer = setTimeout(() => aborter.abort(), message.timeoutMs + elapsedMs)
    try {
      return await pool.run(message, { signal: aborter.signal })
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
    async run({ file, name }, input, { tenantId, timeoutMs, elapsedMs = MAX_ELAPSED_MS }) {
      const accepted = sharers.run(sharerOf(tenantId), () =>
        runNow({ file: file.href, name, input, timeoutMs }, elapsedMs),
      )
      if (!accepted) throw busy()
      const result = await accepted
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

/** Tests call it: they have many products in a process, one after the other. */
export function setThreadDefaults(values: typeof defaults): void {
  defaults = values
}

const opened = new Map<string, Promise<Piscina>>()

/**
 * The threads by their number and limits. Several products in a process share them, because starting a thread and loading
 * its task take 0.3 s of CPU time.
 */
function openThreads(threads: number, maxHeapMib: number): Promise<Piscina> {
  const key = `${threads} ${maxHeapMib}`
  const pool = opened.get(key) ?? createThreads(threads, maxHeapMib)
  opened.set(key, pool)
  return pool
}

/** Processes that run no task don't load piscina. */
async function createThreads(threads: number, maxHeapMib: number): Promise<Piscina> {
  const { Piscina } = await import('piscina')
  return new Piscina({
    filename: fileURLToPath(new URL('./worker.js', import.meta.url)),
    minThreads: 0,
    maxThreads: threads,
    idleTimeout: defaults.idleMs,
    // Tasks get no secrets of the process.
    env: {},
    resourceLimits: {
      maxOldGenerationSizeMb: maxHeapMib,
      maxYoungGenerationSizeMb: MAX_YOUNG_HEAP_MIB,
      stackSizeMb: STACK_MIB,
    },
  })
}

const closed = () => new Error('the worker pool is closed')

const busy = () =>
  withHeaders(workerPoolProblems.worker_pool_busy({ seconds: RETRY_AFTER_SECONDS }), {
    'retry-after': String(RETRY_AFTER_SECONDS),
  })
