/**
 * Hands out the connections of pg's pool. Keeps those that are in frequent use checked out, because each checkout there
 * starts two timers and emits four events.
 */
import { SECOND } from 'larder/kernel'
import type { Pool, PoolClient } from 'pg'
import { clearDeadline, setDeadline } from './deadlines.ts'

/** A connection that wasn't used for this long goes back to pg's pool, which closes it later. */
const SWEEP_INTERVAL_MS = 1 * SECOND

export interface CheckoutQueue {
  /** A free connection; undefined if there is none at once. */
  take(): PoolClient | undefined
  /** Rejects if the server is unreachable or no connection is free in time. */
  wait(): Promise<PoolClient>
  put(client: PoolClient): void
  /** Closes a connection that isn't free. */
  discard(client: PoolClient): void
  /** Closes a connection if it is free. Returns false if it isn't. */
  discardFree(client: PoolClient): boolean
  /** Leaves all connections to pg's pool. */
  stop(): void
}

interface Waiter {
  readonly resolve: (client: PoolClient) => void
  readonly reject: (error: unknown) => void
  isWaiting: boolean
}

export function createCheckoutQueue(pool: Pool, timeoutMs: number): CheckoutQueue {
  /** The most recently used last. */
  const free: PoolClient[] = []
  /** How many at the start of `free` weren't used since the last sweep. */
  let unused = 0
  let isStopped = false
  const waiters = new Set<Waiter>()
  const sweeper = setInterval(() => {
    for (const client of free.splice(0, unused)) client.release()
    unused = free.length
  }, SWEEP_INTERVAL_MS).unref()

  function take(): PoolClient | undefined {
    const client = free.pop()
    unused = Math.min(unused, free.length)
    return client
  }

  function put(client: PoolClient): void {
    const [waiter] = waiters
    // Callers that expected the same idle connection of pg's pool wait there. They came before those that wait here.
    if (pool.waitingCount > 0) client.release()
    else if (waiter) settle(waiter, client)
    else if (isStopped) client.release()
    else free.push(client)
  }

  function settle(waiter: Waiter, client: PoolClient): void {
    waiters.delete(waiter)
    if (waiter.isWaiting) {
      waiter.isWaiting = false
      waiter.resolve(client)
    } else put(client)
  }

  function fail(waiter: Waiter, error: unknown): void {
    waiters.delete(waiter)
    waiter.isWaiting = false
    waiter.reject(error)
  }

  /** Opens connections for waiters, or takes idle ones of pg's pool, while there are any. */
  function connectMore(): void {
    for (const waiter of waiters) {
      if (pool.totalCount >= pool.options.max && pool.idleCount === 0) return
      waiters.delete(waiter)
      pool
        .connect()
        .then(
          client => settle(waiter, client),
          error => fail(waiter, error),
        )
        .finally(connectMore)
    }
  }
  pool.on('remove', connectMore)

  return {
    take,
    put,
    wait: () =>
      new Promise((resolve, reject) => {
        const waiter: Waiter = { resolve, reject, isWaiting: true }
        const deadline = setDeadline(timeoutMs, () => fail(waiter, new Error('timeout: no connection is free')))
        const settled =
          <T>(run: (value: T) => void) =>
          (value: T) => {
            clearDeadline(deadline)
            run(value)
          }
        waiters.add(Object.assign(waiter, { resolve: settled(resolve), reject: settled(reject) }))
        connectMore()
      }),
    discard(client) {
      client.release(true)
      connectMore()
    },
    discardFree(client) {
      const at = free.indexOf(client)
      if (at < 0) return false
      free.splice(at, 1)
      unused = Math.min(unused, free.length)
      client.release(true)
      return true
    },
    stop() {
      isStopped = true
      clearInterval(sweeper)
      for (const client of free.splice(0)) client.release()
    },
  }
}
