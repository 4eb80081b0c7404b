/**
 * Runs one batch at a time for each key. Items that arrive during a batch form the next one. A single item does not
 * wait; under load the items share a round trip, and a key uses one connection at most.
 */
export type RunBatch<Item, Result> = (key: string, items: readonly Item[]) => Promise<readonly Result[]>

interface PendingItem<Item, Result> {
  readonly item: Item
  readonly resolve: (result: Result) => void
  readonly reject: (error: unknown) => void
}

/** `run` returns one result for each item, in the same order, or rejects for all items of the batch. */
export function createBatcher<Item, Result>(run: RunBatch<Item, Result>, maxItems: number) {
  const queues = new Map<string, PendingItem<Item, Result>[]>()

  async function runAll(key: string, queue: PendingItem<Item, Result>[]): Promise<void> {
    while (queue.length > 0) {
      const batch = queue.splice(0, maxItems)
      try {
        const results = await run(
          key,
          batch.map(({ item }) => item),
        )
        for (const [index, { resolve }] of batch.entries()) resolve(results[index] as Result)
      } catch (error) {
        for (const { reject } of batch) reject(error)
      }
    }
    queues.delete(key)
  }

  return (key: string, item: Item): Promise<Result> =>
    new Promise((resolve, reject) => {
      const queue = queues.get(key)
      if (queue) return void queue.push({ item, resolve, reject })
      const started = [{ item, resolve, reject }]
      queues.set(key, started)
      void runAll(key, started)
    })
}
