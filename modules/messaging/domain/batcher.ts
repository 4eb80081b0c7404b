/**
 * One flight at a time for each key: what comes while one is under way goes together in the next. Alone, nothing
 * waits; under load the cost of a flight is shared, and one key never holds more than one connection.
 */
export type Send<Item, Result> = (key: string, items: readonly Item[]) => Promise<readonly Result[]>

interface Waiting<Item, Result> {
  readonly item: Item
  readonly resolve: (result: Result) => void
  readonly reject: (error: unknown) => void
}

/** @param most items in one flight. `send` answers as many results, in the order of the items, or fails for all. */
export function createGathering<Item, Result>(send: Send<Item, Result>, most: number) {
  const lines = new Map<string, Waiting<Item, Result>[]>()

  async function fly(key: string, line: Waiting<Item, Result>[]): Promise<void> {
    while (line.length > 0) {
      const taken = line.splice(0, most)
      try {
        const results = await send(
          key,
          taken.map(({ item }) => item),
        )
        for (const [index, { resolve }] of taken.entries()) resolve(results[index] as Result)
      } catch (error) {
        for (const { reject } of taken) reject(error)
      }
    }
    lines.delete(key)
  }

  return (key: string, item: Item): Promise<Result> =>
    new Promise((resolve, reject) => {
      const line = lines.get(key)
      if (line) return void line.push({ item, resolve, reject })
      const begun = [{ item, resolve, reject }]
      lines.set(key, begun)
      void fly(key, begun)
    })
}
