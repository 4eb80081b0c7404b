/** Caches values for a short time; concurrent requests for a key share one load. */
import type { Clock } from './clock.ts'

interface Entry<T> {
  value: T | Promise<T>
  readonly from: number
  until: number
}

export interface TtlCache<T> {
  /** Returns the value itself while it is cached, so that a hit needs no microtask. */
  get(key: string, load: () => Promise<T>, until?: (value: T) => number): T | Promise<T>
  /** Removes matching entries, and all loads in progress, which may have read stale data. */
  invalidate(match: (value: T) => boolean): void
  clear(): void
}

const MAX_ENTRIES = 20_000

/** `ttlMs` starts at the beginning of the load. */
export function createTtlCache<T>(clock: Clock, ttlMs: number): TtlCache<T> {
  const entries = new Map<string, Entry<T>>()

  function startLoad(key: string, now: number, load: () => Promise<T>, until?: (value: T) => number): Promise<T> {
    if (entries.size >= MAX_ENTRIES) entries.clear()
    const entry: Entry<T> = { value: undefined as never, from: now, until: now + ttlMs }
    const loading = load().then(
      value => {
        entry.value = value
        if (until) entry.until = Math.min(entry.until, until(value))
        return value
      },
      error => {
        if (entries.get(key) === entry) entries.delete(key)
        throw error
      },
    )
    entry.value = loading
    entries.set(key, entry)
    return loading
  }

  return {
    get(key, load, until) {
      const now = clock.now()
      const entry = entries.get(key)
      // A clock that is set back must not extend the lifetime.
      if (entry && now < entry.until && now >= entry.from) return entry.value
      return startLoad(key, now, load, until)
    },
    invalidate(match) {
      for (const [key, { value }] of entries) if (value instanceof Promise || match(value)) entries.delete(key)
    },
    clear: () => entries.clear(),
  }
}
