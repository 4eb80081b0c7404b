/** Loads everything that is requested at the same time with one request. */

interface Batch<T> {
  readonly keys: Set<string>
  readonly found: Promise<ReadonlyMap<string, T>>
}
/** Keys of one request. */
const MAX_KEYS = 100

/** @returns a function that resolves with the value of a key, and with undefined if the key has none. */
export function batched<T>(load: (keys: readonly string[]) => Promise<ReadonlyMap<string, T>>) {
  let waiting: Batch<T> | undefined
  const start = (): Batch<T> => {
    const keys = new Set<string>()
    const run = async () => {
      await new Promise(resolve => setTimeout(resolve))
      if (waiting === batch) waiting = undefined
      return load([...keys])
    }
    const batch = { keys, found: run() }
    return batch
  }
  return async (key: string): Promise<T | undefined> => {
    if (!waiting || waiting.keys.size >= MAX_KEYS) waiting = start()
    waiting.keys.add(key)
    return (await waiting.found).get(key)
  }
}
