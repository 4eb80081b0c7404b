/** Counts round trips to the database. */
import { AsyncLocalStorage } from 'node:async_hooks'
import pg from 'pg'

interface Counter {
  count: number
  pending: boolean
}
const counters = new AsyncLocalStorage<Counter>()
const { query } = pg.Client.prototype

// Batches that are sent in the same turn leave in one write.
pg.Client.prototype.query = function (this: pg.Client, ...args: unknown[]) {
  const counter = counters.getStore()
  if (counter && !counter.pending) {
    counter.count++
    counter.pending = true
    queueMicrotask(() => {
      counter.pending = false
    })
  }
  return Reflect.apply(query, this, args)
} as typeof query

/** The round trips of `work`, with the one of its commit. */
export async function countRoundTrips(work: () => Promise<unknown>): Promise<number> {
  const counter = { count: 0, pending: false }
  await counters.run(counter, work)
  return counter.count
}
