/** Random bytes from a pool. Requesting a few bytes at a time from the system is the main cost of a new session. */
import { randomFillSync } from 'node:crypto'

const pool = Buffer.allocUnsafe(4096)
let used = pool.length

/** `size` is at most the size of the pool, 4096. Returned bytes are erased from the pool. */
export function randomBytes(size: number): Buffer {
  if (used + size > pool.length) {
    randomFillSync(pool)
    used = 0
  }
  const bytes = Buffer.from(pool.subarray(used, used + size))
  pool.fill(0, used, used + size)
  used += size
  return bytes
}
