/** A bounded cache that the bus invalidates: every process drops what a message names, and everything after a gap. */
import { type Clock, currentContext, withContext } from '@larder-dev/larder/kernel'
import type { Cache } from './ports.ts'

export interface InvalidatedCacheOptions<T, Message> {
  /** `bus.subscribe`, bound to one channel. */
  subscribe(onMessage: (message: Message) => void, onGap: () => void): void
  /** `bus.publish`, bound to the same channel. */
  publish(message: Message): void
  isStale(message: Message, key: string, value: T | undefined): boolean
  readonly maxWeight: number
  weigh?(value: T): number
  readonly expiry?: { readonly clock: Clock; readonly lifeMs: number }
}

type Matches<T> = (key: string, value: T | undefined) => boolean

export interface InvalidatedCache<T, Message> extends Cache<T, Message> {
  /** Drops entries in this process. */
  drop(matches: Matches<T>): void
  count(matches: Matches<T>): number
  usage(): CacheUsage
}

export interface CacheUsage {
  readonly entries: number
  /** Reads since the start of the process. */
  readonly hits: number
  readonly misses: number
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
  let hits = 0
  let misses = 0
  const now = () => expiry?.clock.now() ?? 0

  function drop(key: string, entry: Entry<T>): void {
    if (entries.get(key) !== entry) return
    entries.delete(key)
    totalWeight -= entry.weight
  }

  function dropWhere(matches: Matches<T>): void {
    for (const [key, entry] of entries) if (matches(key, entry.value)) drop(key, entry)
  }
  const dropStale = (message: Message) => dropWhere((key, value) => isStale(message, key, value))

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
    // Other requests share the load, so it has neither the precondition of this one nor its share.
    const loading = withContext({ precondition: undefined, share: undefined }, load).then(
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

  subscribe(dropStale, clear)

  return {
    get(key, load) {
      const entry = fresh(key)
      if (!entry) {
        misses++
        return startLoad(key, load)
      }
      hits++
      entries.delete(key)
      entries.set(key, entry)
      if (entry.value !== undefined) return entry.value
      // A caller that holds a connection must not wait for one that may wait for a connection.
      return currentContext().unit === undefined ? entry.loading : load()
    },
    peek: key => fresh(key)?.value,
    invalidate(message) {
      dropStale(message)
      publish(message)
    },
    drop: dropWhere,
    count: matches => [...entries].filter(([key, { value }]) => matches(key, value)).length,
    usage: () => ({ entries: entries.size, hits, misses }),
  }
}
