/** Counts round trips to the database. */
import { AsyncLocalStorage } from 'node:async_hooks'
import { subscribe } from 'node:diagnostics_channel'
import pg from 'pg'
import type { BatchMessage } from '../../../services/postgres/send-batch.ts'

interface Counter {
  count: number
  pending: boolean
}
const counters = new AsyncLocalStorage<Counter>()
const { query } = pg.Client.prototype

/** Whether the batch that is sent next belongs to a message of the bus. It follows a commit, and nobody waits for it. */
let isMessage = false
const OF_MESSAGE = /pg_notify\(/
subscribe('larder.postgres.batch', message => {
  const { statements } = message as BatchMessage
  isMessage = statements.some(({ statement }) => OF_MESSAGE.test(statement.text))
})

// Batches that are sent in the same turn leave in one write.
pg.Client.prototype.query = function (this: pg.Client, ...args: unknown[]) {
  const counter = counters.getStore()
  if (counter && !counter.pending && !isMessage) {
    counter.count++
    counter.pending = true
    queueMicrotask(() => {
      counter.pending = false
    })
  }
  isMessage = false
  return Reflect.apply(query, this, args)
} as typeof query

/** The round trips of `work`, with the one of its commit. */
export async function countRoundTrips(work: () => Promise<unknown>): Promise<number> {
  const counter = { count: 0, pending: false }
  await counters.run(counter, work)
  return counter.count
}
