/** A bounded cache that the bus invalidates: every process drops what a message names, and everything after a gap. */
import type { Clock } from './clock.ts'
import { withContext } from './context.ts'

export interface InvalidatedCacheOptions<T, Message> {
  /** `bus.subscribe`, bound to one channel. */
  subscribe(onMessage: (message: Message) => void, onGap: () => void): () => void
  /** `bus.publish`, bound to the same channel. */
  publish(message: Message): void
  /** Whether a message makes an entry stale. `value` is undefined while the entry is being loaded. */
  isStale(message: Message, key: string, value: T | undefined): boolean
  /** Bounds the summed weight of all entries. The least recently used entries are evicted first. */
  readonly maxWeight: number
  /** 1 by default, so that `maxWeight` is a number of entries. */
  weigh?(value: T): number
  /** Bounds how long a lost message can keep an entry stale, counted from the start of its load. Unbounded by default. */
  readonly expiry?: { readonly clock: Clock; readonly lifeMs: number }
}

export interface InvalidatedCache<T, Message> {
  /**
   * The cached value itself on a hit, so that a hit costs no turn of the event loop. Concurrent misses share one load.
   * `undefined`, a failed load, and a load that an invalidation overtook are not cached.
   */
  get(key: string, load: () => Promise<T>): T | Promise<T>
  /** The cached value; undefined while it is being loaded, too. */
  peek(key: string): T | undefined
  /** Drops stale entries in this process at once, and in the others through the bus. Call it after the commit. */
  invalidate(message: Message): void
  /** Ends the subscription. */
  stop(): void
}

interface Entry<T> {
  readonly loading: Promise<T>
  /** Undefined until loaded. */
  value: T | undefined
  weight: number
  readonly loadedFrom: number
}

export function createInvalidatedCache<T, Message>(
  options: InvalidatedCacheOptions<T, Message>,
): InvalidatedCache<T, Message> {
  const { subscribe, publish, isStale, maxWeight, weigh = () => 1, expiry } = options
  const entries = new Map<string, Entry<T>>()
  let totalWeight = 0
  const now = () => expiry?.clock.now() ?? 0

  function drop(key: string, entry: Entry<T>): void {
    if (entries.get(key) !== entry) return
    entries.delete(key)
    totalWeight -= entry.weight
  }

  function dropStale(message: Message): void {
    for (const [key, entry] of entries) if (isStale(message, key, entry.value)) drop(key, entry)
  }

  function clear(): void {
    entries.clear()
    totalWeight = 0
  }

  function evict(): void {
    for (const [key, entry] of entries) {
      if (totalWeight <= maxWeight) return
      if (entry.value !== undefined) drop(key, entry)
    }
  }

  function fresh(key: string): Entry<T> | undefined {
    const entry = entries.get(key)
    if (!entry || !expiry) return entry
    const age = now() - entry.loadedFrom
    // A clock that was set back must not lengthen an entry's life.
    return age >= 0 && age < expiry.lifeMs ? entry : undefined
  }

  function keep(key: string, entry: Entry<T>, value: T): void {
    if (entries.get(key) !== entry) return
    if (value === undefined) {
      drop(key, entry)
      return
    }
    entry.value = value
    entry.weight = weigh(value)
    totalWeight += entry.weight
    evict()
  }

  function startLoad(key: string, load: () => Promise<T>): Promise<T> {
    const previous = entries.get(key)
    if (previous) drop(key, previous)
    // Other requests share the load, so it doesn't carry the precondition of this one.
    const loading = withContext({ precondition: undefined }, load).then(
      value => {
        keep(key, entry, value)
        return value
      },
      error => {
        drop(key, entry)
        throw error
      },
    )
    const entry: Entry<T> = { loading, value: undefined, weight: 0, loadedFrom: now() }
    entries.set(key, entry)
    return loading
  }

  return {
    get(key, load) {
      const entry = fresh(key)
      if (!entry) return startLoad(key, load)
      entries.delete(key)
      entries.set(key, entry)
      return entry.value ?? entry.loading
    },
    peek: key => fresh(key)?.value,
    invalidate(message) {
      dropStale(message)
      publish(message)
    },
    stop: subscribe(dropStale, clear),
  }
}
