/** What was read once, kept until something changes. */

export interface Memory {
  /** What `load` gave for this name, or gives now. */
  of<T>(name: string, load: () => Promise<T>): Promise<T>
  forget(): void
}

/** @param most names that are kept; the one that was not asked for longest goes first. */
export function createMemory(most: number): Memory {
  const kept = new Map<string, { readonly value: unknown }>()
  let age = 0
  return {
    async of<T>(name: string, load: () => Promise<T>): Promise<T> {
      const found = kept.get(name)
      if (found) {
        kept.delete(name)
        kept.set(name, found)
        return found.value as T
      }
      const began = age
      const value = await load()
      // What was read before a change must not be kept after it.
      if (began !== age) return value
      const [oldest] = kept.keys()
      if (kept.size >= most && oldest !== undefined) kept.delete(oldest)
      kept.set(name, { value })
      return value
    },
    forget() {
      age++
      kept.clear()
    },
  }
}
