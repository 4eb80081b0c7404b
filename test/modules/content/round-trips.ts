/** Counts round trips to the database. */
import { AsyncLocalStorage } from 'node:async_hooks'
import { subscribe } from 'node:diagnostics_channel'
import type { BatchMessage } from '../../../services/postgres/run-batch.ts'

interface Counter {
  count: number
  isCounted: boolean
}
const counters = new AsyncLocalStorage<Counter>()

/** A batch of the bus follows a commit, and nobody waits for it. */
const OF_MESSAGE = /pg_notify\(/

subscribe('larder.postgres.batch', message => {
  const counter = counters.getStore()
  const { statements } = message as BatchMessage
  // Batches that are sent in the same turn, on several connections, share a round trip.
  if (!counter || counter.isCounted || statements.some(({ statement }) => OF_MESSAGE.test(statement.text))) return
  counter.count++
  counter.isCounted = true
  setImmediate(() => {
    counter.isCounted = false
  })
})

/** The round trips of `work`, with the one of its commit. */
export async function countRoundTrips(work: () => Promise<unknown>): Promise<number> {
  const counter = { count: 0, isCounted: false }
  await counters.run(counter, work)
  return counter.count
}
