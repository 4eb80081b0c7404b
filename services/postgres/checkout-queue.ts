/**
 * Hands out the connections of pg's pool. Keeps those that are in frequent use checked out, because each checkout there
 * starts two timers and emits four events. Where PostgreSQL runs on the cores of this machine, few connections with short
 * statements do more than many, whose processes displace each other from the caches.
 */
import { SECOND } from 'larder/kernel'
import type { Pool, PoolClient } from 'pg'
import { clearDeadline, setDeadline } from './deadlines.ts'
import { createLinkedQueue, type Links } from './linked-queue.ts'

/** A connection that wasn't used for this long goes back to pg's pool, which closes it later. */
const SWEEP_INTERVAL_MS = 1 * SECOND
/** A caller who waited for this long gets a connection beyond the preferred number. */
const PATIENCE_MS = 20

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

export interface CheckoutOptions {
  readonly timeoutMs: number
  /** As many connections are in use, unless a caller waits for `PATIENCE_MS`. All connections of the pool by default. */
  readonly preferredConnections?: number
}

interface Waiter extends Links<Waiter> {
  /** Milliseconds, as `performance.now()`. */
  readonly since: number
  readonly resolve: (client: PoolClient) => void
  readonly reject: (error: unknown) => void
}

export function createCheckoutQueue(pool: Pool, { timeoutMs, preferredConnections }: CheckoutOptions): CheckoutQueue {
  const preferred = Math.min(preferredConnections ?? pool.options.max, pool.options.max)
  /** How many connections may be in use. Callers who waited too long raise it; each second lowers it. */
  let limit = preferred
  let inUse = 0
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
    limit = Math.max(preferred, limit - 1)
  }, SWEEP_INTERVAL_MS).unref()
  let isPatient = false

  function take(): PoolClient | undefined {
    if (inUse >= limit) return undefined
    const client = free.pop()
    unused = Math.min(unused, free.length)
    if (client) inUse++
    return client
  }

  /** Adds a connection that isn't in use. */
  function add(client: PoolClient): void {
    free.push(client)
    serve()
    if (isStopped) releaseFree()
  }

  /** Gives free connections to the waiters who came first. */
  function serve(): void {
    for (let waiter = waiters.first; waiter; waiter = waiters.first) {
      const client = take()
      if (!client) break
      waiters.remove(waiter)
      waiter.resolve(client)
    }
  }

  function releaseFree(): void {
    for (const client of free.splice(0)) client.release()
  }

  /** Raises the limit while the waiter who came first has waited for too long. */
  function losePatience(): void {
    isPatient = false
    const waiter = waiters.first
    if (!waiter || limit === pool.options.max) return
    if (performance.now() - waiter.since >= PATIENCE_MS) {
      limit++
      serve()
      connectMore()
    }
    bePatient()
  }

  function bePatient(): void {
    if (isPatient || limit === pool.options.max || waiters.size === 0) return
    isPatient = true
    setDeadline(PATIENCE_MS, losePatience)
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
        .finally(() => connecting--)
        .then(add, error => fail(waiters.first, error))
        .then(connectMore)
    }
  }
  /**
   * Opens one connection at a time. Meanwhile, waiters get those that become free: opening one takes as long as several
   * statements, so that a burst of short statements needs few connections.
   */
  const mayConnect = () =>
    inUse + connecting < limit &&
    (connecting < pool.idleCount || (connecting === 0 && pool.totalCount < pool.options.max))
  pool.on('remove', connectMore)

  return {
    take,
    put(client) {
      inUse--
      add(client)
    },
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
          since: performance.now(),
          resolve: settled(resolve),
          reject: settled(reject),
          previous: undefined,
          next: undefined,
        }
        waiters.add(waiter)
        connectMore()
        bePatient()
      }),
    discard(client) {
      inUse--
      client.release(true)
      serve()
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
      releaseFree()
    },
  }
}
