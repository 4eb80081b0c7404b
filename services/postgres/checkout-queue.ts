/**
 * Hands out the connections of pg's pool. Keeps those that are in frequent use checked out, because each checkout there
 * starts two timers and emits four events.
 */
import { SECOND } from 'larder/kernel'
import type { Pool, PoolClient } from 'pg'
import { clearDeadline, setDeadline } from './deadlines.ts'
import { createLinkedQueue, type Links } from './linked-queue.ts'

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

interface Waiter extends Links<Waiter> {
  readonly resolve: (client: PoolClient) => void
  readonly reject: (error: unknown) => void
}

export function createCheckoutQueue(pool: Pool, timeoutMs: number): CheckoutQueue {
  /** The most recently used last. */
  const free: PoolClient[] = []
  /** How many at the start of `free` weren't used since the last sweep. */
  let unused = 0
  let isStopped = false
  /** Connections that pg's pool is about to return. */
  let connecting = 0
  const waiters = createLinkedQueue<Waiter>()
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
    const waiter = waiters.first
    if (waiter) {
      waiters.remove(waiter)
      waiter.resolve(client)
    } else if (isStopped) client.release()
    else free.push(client)
  }

  function fail(waiter: Waiter | undefined, error: unknown): void {
    if (waiter && waiters.remove(waiter)) waiter.reject(error)
  }

  /** Takes idle connections of pg's pool for waiters, or opens a connection. The waiter who came first gets it. */
  function connectMore(): void {
    while (waiters.size > connecting && mayConnect()) {
      connecting++
      pool
        .connect()
        .then(put, error => fail(waiters.first, error))
        .then(() => {
          connecting--
          connectMore()
        })
    }
  }
  /**
   * Opens one connection at a time. Meanwhile, waiters get those that become free: opening one takes as long as several
   * statements, so that a burst of short statements needs few connections.
   */
  const mayConnect = () => connecting < pool.idleCount || (connecting === 0 && pool.totalCount < pool.options.max)
  pool.on('remove', connectMore)

  return {
    take,
    put,
    wait: () =>
      new Promise((resolve, reject) => {
        const deadline = setDeadline(timeoutMs, () => fail(waiter, new Error('timeout: no connection is free')))
        const settled =
          <T>(run: (value: T) => void) =>
          (value: T) => {
            clearDeadline(deadline)
            run(value)
          }
        const waiter: Waiter = {
          resolve: settled(resolve),
          reject: settled(reject),
          previous: undefined,
          next: undefined,
        }
        waiters.add(waiter)
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
