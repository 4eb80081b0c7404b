/** What was read once, kept until it changes or others are asked for more. */

export interface Memory<T> {
  /** What `load` gave for this name, or gives now, once for all who ask; nothing is kept of `undefined`. */
  of(name: string, load: () => Promise<T | undefined>): Promise<T | undefined>
  /** Undefined too while it is being read. */
  peek(name: string): T | undefined
  /** Forgets what fits, and all that is being read: it may be older than the change. */
  forget(fits?: (value: T) => boolean): void
}

interface Entry<T> {
  readonly promise: Promise<T | undefined>
  value?: T
}

/** @param most names that are kept; what was not asked for longest goes first. */
export function createMemory<T>(most: number): Memory<T> {
  const kept = new Map<string, Entry<T>>()

  async function load(name: string, entry: Entry<T>): Promise<void> {
    const drop = () => void (kept.get(name) === entry && kept.delete(name))
    try {
      const value = await entry.promise
      if (value === undefined) drop()
      else entry.value = value
    } catch {
      // Whoever asked is told; the next one asks again.
      drop()
    }
  }

  return {
    of(name, read) {
      const found = kept.get(name)
      const entry: Entry<T> = found ?? { promise: read() }
      // The youngest stands last.
      kept.delete(name)
      const [oldest] = kept.keys()
      if (kept.size >= most && oldest !== undefined) kept.delete(oldest)
      kept.set(name, entry)
      if (!found) void load(name, entry)
      return entry.promise
    },
    peek: name => kept.get(name)?.value,
    forget(fits = () => true) {
      for (const [name, { value }] of kept) if (value === undefined || fits(value)) kept.delete(name)
    },
  }
}
