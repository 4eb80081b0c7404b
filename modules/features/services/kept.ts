/** What was read, kept until it is forgotten, or too old, or too much. */

import { type Clock, withContext } from 'larder/kernel'

interface Entry<T> {
  readonly value: T | Promise<T>
  readonly until: number
}
export interface Bounds<T> {
  /** Milliseconds. */
  readonly life: number
  /** Of everything that is kept; the oldest goes first. */
  readonly most: number
  weigh(value: T): number
}

export function createKept<T>(clock: Clock, { life, most, weigh }: Bounds<T>) {
  const entries = new Map<string, Entry<T>>()

  function trim(): void {
    let weight = 0
    for (const { value } of entries.values()) if (!(value instanceof Promise)) weight += weigh(value)
    for (const [key, { value }] of entries) {
      if (weight <= most) return
      if (value instanceof Promise) continue
      entries.delete(key)
      weight -= weigh(value)
    }
  }

  function read(key: string, now: number, load: () => Promise<T>): Promise<T> {
    const until = now + life
    const isLatest = () => entries.get(key)?.value === reading
    // A unit that surrounds the question sees what nobody else does yet, and is another tenant's.
    const reading: Promise<T> = withContext({ unit: undefined }, load).then(
      value => {
        // What was read before a change must not be kept after it.
        if (isLatest()) {
          entries.set(key, { value, until })
          trim()
        }
        return value
      },
      error => {
        if (isLatest()) entries.delete(key)
        throw error
      },
    )
    entries.delete(key)
    entries.set(key, { value: reading, until })
    return reading
  }

  return {
    /**
     * What is kept, without a turn of the event loop; simultaneous questions share one reading.
     * @param joins a unit surrounds the question: what has to be read is read in it, and not kept. Who holds a
     * connection must not wait for those who wait for one.
     */
    of(key: string, load: () => Promise<T>, joins = false): T | Promise<T> {
      const now = clock.now()
      const found = entries.get(key)
      // A clock that was set back must not lengthen a life.
      const isFresh = found && now < found.until && now >= found.until - life
      if (joins) return isFresh && !(found.value instanceof Promise) ? found.value : load()
      return isFresh ? found.value : read(key, now, load)
    },
    forget: (key: string) => void entries.delete(key),
    clear: () => entries.clear(),
  }
}
