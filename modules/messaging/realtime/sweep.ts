/** Finds changes that were not published, for example because a process died between its commit and the bus message. */
import { type Deps, SECOND } from '@larder-dev/larder/kernel'
import type { History } from './history.ts'
import type { Rooms } from './rooms.ts'
import type { Room } from './types.ts'

export interface SweepDeps extends Deps<'log'> {
  readonly rooms: Rooms
  readonly history: History
}
const SWEEP_INTERVAL_MS = 5 * SECOND
/** Conversations per query. */
const CHUNK_SIZE = 1000

export function createSweep({ rooms, history, log }: SweepDeps) {
  async function sweep(): Promise<void> {
    const byTenant = new Map<string, Room[]>()
    for (const room of rooms.rooms.values()) byTenant.set(room.tenantId, [...(byTenant.get(room.tenantId) ?? []), room])
    for (const [tenantId, all] of byTenant)
      for (let from = 0; from < all.length; from += CHUNK_SIZE) {
        const ids = all.slice(from, from + CHUNK_SIZE).map(({ id }) => id)
        for (const { id, version } of await history.versions(tenantId, ids)) {
          const room = rooms.rooms.get(id)
          if (room && version > room.version) await rooms.reload(room)
        }
      }
  }

  const run = (): Promise<void> =>
    sweep().catch(error => log.warn({ err: error }, 'failed to check conversations for missed changes'))
  let running = false
  async function runAlone(): Promise<void> {
    if (running || rooms.rooms.size === 0) return
    running = true
    await run()
    running = false
  }

  return {
    /** Checks every conversation now, because messages of the bus may have been missed. */
    now: (): void => void run(),
    /** Checks at intervals. Returns a function that stops it. */
    start(): () => void {
      const timer = setInterval(runAlone, SWEEP_INTERVAL_MS)
      return () => clearInterval(timer)
    },
  }
}
