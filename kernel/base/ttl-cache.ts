/** Remembers answers for a moment; simultaneous questions share one look-up. */
import type { Clock } from './clock.ts'

interface Entry<T> {
  value: T | Promise<T>
  readonly from: number
  until: number
}

export interface TimedCache<T> {
  /** The answer itself while it is remembered, so that a hit costs no turn of the event loop. */
  get(key: string, load: () => Promise<T>, until?: (value: T) => number): T | Promise<T>
  /** Forgets what matches, and every look-up that is under way: it may have read before the change. */
  drop(match: (value: T) => boolean): void
  clear(): void
}

const MAX_ENTRIES = 20_000

/** `lifeMs` is counted from the beginning of the look-up. */
export function createTimedCache<T>(clock: Clock, lifeMs: number): TimedCache<T> {
  const entries = new Map<string, Entry<T>>()

  function ask(key: string, now: number, load: () => Promise<T>, until?: (value: T) => number): Promise<T> {
    if (entries.size >= MAX_ENTRIES) entries.clear()
    const entry: Entry<T> = { value: undefined as never, from: now, until: now + lifeMs }
    const answer = load().then(
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
    entry.value = answer
    entries.set(key, entry)
    return answer
  }

  return {
    get(key, load, until) {
      const now = clock.now()
      const entry = entries.get(key)
      // A clock that was set back must not lengthen a life.
      if (entry && now < entry.until && now >= entry.from) return entry.value
      return ask(key, now, load, until)
    },
    drop(match) {
      for (const [key, { value }] of entries) if (value instanceof Promise || match(value)) entries.delete(key)
    },
    clear: () => entries.clear(),
  }
}
