/**
 * Shares a fixed number of slots among keys: keys take turns, no key occupies all slots, and keys that used up their time
 * leave one slot to the others.
 */

export interface FairQueueOptions {
  /** Tasks that run at the same time. */
  readonly slots: number
  readonly slotsPerKey: number
  readonly maxWaitingPerKey: number
  /** Milliseconds, monotonic. */
  readonly now?: () => number
}
export interface FairQueue {
  /** Returns undefined, without running the task, if the key has the maximum number of waiting tasks. */
  run<T>(key: string, task: () => Promise<T>): Promise<T> | undefined
}

/** Milliseconds that a key may run before it shares its slots with other such keys. */
const BUDGET_MS = 500
/** Milliseconds of the budget that come back per millisecond. */
const REFILL = 0.1
/** Keys whose use is kept. */
const MAX_KEYS = 1000

interface Use {
  readonly ms: number
  readonly at: number
}

export function createFairQueue({
  slots,
  slotsPerKey,
  maxWaitingPerKey,
  now = () => performance.now(),
}: FairQueueOptions): FairQueue {
  /** The key whose turn is next comes first. */
  const waiting = new Map<string, (() => void)[]>()
  const running = new Map<string, number>()
  const used = new Map<string, Use>()
  const costlySlots = Math.max(1, slots - 1)
  let free = slots

  const useOf = (key: string): number => {
    const { ms, at } = used.get(key) ?? { ms: 0, at: 0 }
    return Math.max(0, ms - (now() - at) * REFILL)
  }
  const isCostly = (key: string): boolean => useOf(key) > BUDGET_MS

  function addUse(key: string, ms: number): void {
    used.set(key, { ms: useOf(key) + ms, at: now() })
    if (used.size <= MAX_KEYS) return
    for (const known of used.keys()) if (useOf(known) === 0) used.delete(known)
    // The oldest one, if all of them are in use.
    for (const known of used.keys()) if (used.size > MAX_KEYS) used.delete(known)
  }

  function hasSlot(key: string): boolean {
    if (free === 0 || (running.get(key) ?? 0) >= slotsPerKey) return false
    if (!isCostly(key)) return true
    const costly = [...running].reduce((sum, [other, count]) => sum + (isCostly(other) ? count : 0), 0)
    return costly < costlySlots
  }

  function moveToEnd(key: string): void {
    const starts = waiting.get(key)
    waiting.delete(key)
    if (starts && starts.length > 0) waiting.set(key, starts)
  }

  function startNext(): void {
    for (const [key, starts] of waiting) {
      if (free === 0) return
      if (!hasSlot(key)) continue
      const start = starts.shift()
      moveToEnd(key)
      free--
      running.set(key, (running.get(key) ?? 0) + 1)
      start?.()
    }
  }

  function release(key: string, ms: number): void {
    free++
    const count = (running.get(key) ?? 1) - 1
    if (count === 0) running.delete(key)
    else running.set(key, count)
    addUse(key, ms)
    moveToEnd(key)
    startNext()
  }

  async function runTimed<T>(key: string, task: () => Promise<T>): Promise<T> {
    const startedAt = now()
    try {
      return await task()
    } finally {
      release(key, now() - startedAt)
    }
  }

  return {
    run(key, task) {
      const starts = waiting.get(key) ?? []
      if (starts.length >= maxWaitingPerKey) return undefined
      const result = new Promise<void>(resolve => starts.push(resolve)).then(() => runTimed(key, task))
      waiting.set(key, starts)
      startNext()
      return result
    },
  }
}
