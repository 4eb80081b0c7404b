/**
 * Shares a fixed number of slots among keys: keys take turns, no key occupies all slots, and keys that used up their time
 * have slots of their own, so that the others don't wait for them.
 */

export interface FairQueueOptions {
  /** Tasks of keys within their budget that run at the same time. */
  readonly slots: number
  /** Tasks of costly keys, which used up their budget, that run at the same time. */
  readonly costlySlots: number
  readonly slotsPerKey: number
  readonly maxWaitingPerKey: number
  /** Milliseconds, monotonic. */
  readonly now?: () => number
}
export interface TaskOutcome<T> {
  readonly value: T
  /** Milliseconds of the budget that the task used. */
  readonly usedMs: number
}
export interface FairQueue {
  /**
   * Returns undefined, without running the task, if the key has the maximum number of waiting tasks. A task that fails
   * uses the time that passed.
   */
  run<T>(key: string, task: (isCostly: boolean) => Promise<TaskOutcome<T>>): Promise<T> | undefined
}

/** Milliseconds that a key may run before it becomes costly. */
const BUDGET_MS = 500
/** Milliseconds of the budget that come back per millisecond. A costly key must have no tasks meanwhile. */
const REFILL = 0.1
/** Keys whose use is kept. */
const MAX_KEYS = 1000

interface Use {
  readonly ms: number
  readonly at: number
}

export function createFairQueue({
  slots,
  costlySlots,
  slotsPerKey,
  maxWaitingPerKey,
  now = () => performance.now(),
}: FairQueueOptions): FairQueue {
  /** The key whose turn is next comes first. */
  const waiting = new Map<string, ((isCostly: boolean) => void)[]>()
  const running = new Map<string, number>()
  const used = new Map<string, Use>()
  let free = slots
  let freeCostly = costlySlots

  const isActive = (key: string) => running.has(key) || waiting.has(key)

  /**
   * The budget of a costly key comes back only while it has no tasks. On a busy machine, costly tasks get so little CPU
   * time that the budget would come back faster than they use it.
   */
  const useOf = (key: string): number => {
    const { ms, at } = used.get(key) ?? { ms: 0, at: 0 }
    return ms > BUDGET_MS && isActive(key) ? ms : Math.max(0, ms - (now() - at) * REFILL)
  }

  const setUse = (key: string, ms: number) => void used.set(key, { ms, at: now() })

  function addUse(key: string, ms: number): void {
    setUse(key, useOf(key) + ms)
    if (used.size <= MAX_KEYS) return
    for (const known of used.keys()) if (useOf(known) === 0) used.delete(known)
    // The oldest one, if all of them are in use.
    for (const known of used.keys()) if (used.size > MAX_KEYS) used.delete(known)
  }

  function takeSlot(key: string, isCostly: boolean): boolean {
    const count = running.get(key) ?? 0
    if (count >= slotsPerKey || (isCostly ? freeCostly : free) === 0) return false
    if (isCostly) freeCostly--
    else free--
    running.set(key, count + 1)
    return true
  }

  function moveToEnd(key: string): void {
    const starts = waiting.get(key)
    waiting.delete(key)
    if (starts && starts.length > 0) waiting.set(key, starts)
  }

  function startNext(): void {
    for (const [key, starts] of waiting) {
      const isCostly = useOf(key) > BUDGET_MS
      if (!takeSlot(key, isCostly)) continue
      const start = starts.shift()
      moveToEnd(key)
      start?.(isCostly)
    }
  }

  function release(key: string, wasCostly: boolean, ms: number): void {
    if (wasCostly) freeCostly++
    else free++
    addUse(key, ms)
    const count = (running.get(key) ?? 1) - 1
    if (count === 0) running.delete(key)
    else running.set(key, count)
    moveToEnd(key)
    startNext()
  }

  async function runMeasured<T>(
    key: string,
    isCostly: boolean,
    task: (isCostly: boolean) => Promise<TaskOutcome<T>>,
  ): Promise<T> {
    const startedAt = now()
    let usedMs: number | undefined
    try {
      const outcome = await task(isCostly)
      usedMs = outcome.usedMs
      return outcome.value
    } finally {
      release(key, isCostly, usedMs ?? now() - startedAt)
    }
  }

  return {
    run(key, task) {
      const starts = waiting.get(key) ?? []
      if (starts.length >= maxWaitingPerKey) return undefined
      if (used.has(key) && !isActive(key)) setUse(key, useOf(key))
      const result = new Promise<boolean>(resolve => starts.push(resolve)).then(isCostly =>
        runMeasured(key, isCostly, task),
      )
      waiting.set(key, starts)
      startNext()
      return result
    },
  }
}
