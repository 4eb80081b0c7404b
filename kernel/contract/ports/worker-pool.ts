/** Worker threads for work whose cost depends on untrusted input. */

/**
 * A function from one argument, exported by `file` under `name`. Its argument and its result are copied between threads
 * with the structured clone algorithm. It should be synchronous: see `WorkerBudget.elapsedMs`.
 */
export interface WorkerTask<F extends (input: never) => unknown> {
  /** JavaScript, for example `new URL('./render-task.js', import.meta.url)`. Loaded on first use in each thread. */
  readonly file: URL
  readonly name: string
  /** Carries the types of the function; never set. */
  readonly signature?: F
}

export interface WorkerBudget {
  /** The tenant whose share of the threads the task uses. */
  readonly tenantId: string
  /**
   * Limits the CPU time of the function, or its elapsed time on systems that don't report the CPU time of a thread. The
   * function may run more than once on a busy machine.
   */
  readonly timeoutMs: number
  /**
   * Elapsed time after which the thread ends, in addition to `timeoutMs`; 2 minutes by default. What a function does after
   * it has returned a promise isn't interrupted, so it needs a bound here, and one of its input.
   */
  readonly elapsedMs?: number
}

/** The port `workerPool`: runs tasks on untrusted input in worker threads. */
export interface WorkerPool {
  /**
   * Runs the function in a worker thread. Tenants take turns, and each has a limited number of threads at a time.
   * Throws problem `limit_exceeded` if the function needs too much time, memory or stack, and `worker_pool_busy` if too
   * many tasks of the tenant are waiting or the machine is too busy. Don't call it inside a unit of work, which would
   * hold its connection.
   */
  run<Input, Output>(
    task: WorkerTask<(input: Input) => Output | Promise<Output>>,
    input: NoInfer<Input>,
    budget: WorkerBudget,
  ): Promise<Output>
}
