/**
 * Delays the growth of a pool. Most units of work end sooner than a connection is opened, and a new server process has to
 * load the catalogs and to plan each statement again.
 */
import type pg from 'pg'

/** Several times as long as most units of work take. */
const GROWTH_DELAY_MS = 50

export interface Growth {
  /** Like `connect` of the pool, but waits a moment for an idle connection before the pool opens another one. */
  connect(): Promise<pg.PoolClient>
  /** Units of work that wait for that moment. */
  waiting(): number
}

export function createGrowth(pool: pg.Pool, maxConnections: number): Growth {
  /** In the order of their arrival. */
  const waiting = new Set<() => void>()
  pool.on('release', () => {
    const [next] = waiting
    next?.()
  })
  const wouldGrow = () => pool.idleCount <= pool.waitingCount && pool.totalCount > 0 && pool.totalCount < maxConnections

  const nextRelease = (timeoutMs: number) =>
    new Promise<void>(resolve => {
      const end = () => {
        clearTimeout(timer)
        waiting.delete(end)
        resolve()
      }
      const timer = setTimeout(end, timeoutMs)
      waiting.add(end)
    })

  return {
    async connect() {
      const end = performance.now() + GROWTH_DELAY_MS
      for (let leftMs = GROWTH_DELAY_MS; leftMs > 0 && wouldGrow(); leftMs = end - performance.now())
        await nextRelease(leftMs)
      return pool.connect()
    },
    waiting: () => waiting.size,
  }
}
