/** Shares a fixed number of slots among keys: keys take turns, and no key occupies all slots. */

export interface FairQueueOptions {
  /** Tasks that run at the same time. */
  readonly slots: number
  readonly slotsPerKey: number
  readonly maxWaitingPerKey: number
}
export interface FairQueue {
  /** Returns undefined, without running the task, if the key has the maximum number of waiting tasks. */
  run<T>(key: string, task: () => Promise<T>): Promise<T> | undefined
}

export function createFairQueue({ slots, slotsPerKey, maxWaitingPerKey }: FairQueueOptions): FairQueue {
  /** The key whose turn is next comes first. */
  const waiting = new Map<string, (() => void)[]>()
  const running = new Map<string, number>()
  let free = slots

  function moveToEnd(key: string): void {
    const starts = waiting.get(key)
    waiting.delete(key)
    if (starts && starts.length > 0) waiting.set(key, starts)
  }

  function startNext(): void {
    for (const [key, starts] of waiting) {
      if (free === 0) return
      const count = running.get(key) ?? 0
      if (count >= slotsPerKey) continue
      const start = starts.shift()
      moveToEnd(key)
      free--
      running.set(key, count + 1)
      start?.()
    }
  }

  function release(key: string): void {
    free++
    const count = (running.get(key) ?? 1) - 1
    if (count === 0) running.delete(key)
    else running.set(key, count)
    moveToEnd(key)
    startNext()
  }

  return {
    run(key, task) {
      const starts = waiting.get(key) ?? []
      if (starts.length >= maxWaitingPerKey) return undefined
      const result = new Promise<void>(resolve => starts.push(resolve)).then(task).finally(() => release(key))
      waiting.set(key, starts)
      startNext()
      return result
    },
  }
}
