/** Limits the tasks of a key that run at the same time, so that one key can't occupy all threads. */

export interface KeyedLimitOptions {
  readonly runningPerKey: number
  readonly waitingPerKey: number
}
export interface KeyedLimit {
  /** Returns undefined, without running the task, if the key has the maximum number of waiting tasks. */
  run<T>(key: string, task: () => Promise<T>): Promise<T> | undefined
}

interface Tasks {
  running: number
  readonly waiting: (() => void)[]
}

export function createKeyedLimit({ runningPerKey, waitingPerKey }: KeyedLimitOptions): KeyedLimit {
  const keys = new Map<string, Tasks>()

  function release(key: string, tasks: Tasks): void {
    const next = tasks.waiting.shift()
    if (next) next()
    else if (--tasks.running === 0) keys.delete(key)
  }

  return {
    run(key, task) {
      const tasks = keys.get(key) ?? { running: 0, waiting: [] }
      keys.set(key, tasks)
      const started = () => task().finally(() => release(key, tasks))
      if (tasks.running < runningPerKey) {
        tasks.running++
        return started()
      }
      if (tasks.waiting.length >= waitingPerKey) return undefined
      return new Promise<void>(resolve => tasks.waiting.push(resolve)).then(started)
    },
  }
}
