/** Periodic work of all sockets: hello timeout, pings, credential checks, missed changes. */
import { type Deps, SECOND } from 'larder/kernel'
import { type Admission, PING_INTERVAL_MS, PING_TIMEOUT_MS } from './admission.ts'
import { closeWithError, closeWithNotice, sendConnectionFrame } from './delivery.ts'
import type { History } from './history.ts'
import type { Rooms } from './rooms.ts'
import type { Connection, Room } from './types.ts'

export interface HeartbeatDeps extends Deps<'clock' | 'log'> {
  readonly rooms: Rooms
  readonly history: History
  readonly admission: Admission
  readonly connections: ReadonlySet<Connection>
}
const TICK_INTERVAL_MS = SECOND
const SWEEP_INTERVAL_MS = 5 * SECOND
const HELLO_TIMEOUT_MS = 5 * SECOND
/** Conversations per query. */
const CHUNK_SIZE = 1000

export function createHeartbeat({ rooms, history, admission, connections, clock, log }: HeartbeatDeps) {
  const logged = (work: Promise<unknown>, what: string) => void work.catch(error => log.warn({ err: error }, what))

  function check(connection: Connection, now: number) {
    if (!connection.helloReceived && now - connection.openedAt >= HELLO_TIMEOUT_MS)
      return closeWithError(connection, 'unauthenticated', { code: 'hello_timeout', message: 'No hello within 5 s.' })
    if (now - connection.seenAt >= PING_TIMEOUT_MS)
      return closeWithNotice(connection, 'ping_timeout', {
        action: 'reconnect',
        reason: 'ping_timeout',
        retryAfterMs: 0,
      })
    if (now >= connection.pingAt) {
      connection.pingAt = now + PING_INTERVAL_MS
      sendConnectionFrame(connection, 'ping', { t: now })
    }
    if (connection.identity && now >= connection.recheckAt)
      logged(admission.check(connection), 'failed to recheck a socket')
  }

  /** Finds changes of processes that died between the commit and the bus message. */
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

  let sweeping = false
  async function sweepOnce(): Promise<void> {
    if (sweeping || rooms.rooms.size === 0) return
    sweeping = true
    await sweep().finally(() => {
      sweeping = false
    })
  }

  return {
    /** Checks every conversation and connection again after messages may have been missed. */
    async resync(): Promise<void> {
      // Connections that this loop does not reach are checked by the next ticks.
      for (const connection of connections) connection.recheckAt = Math.min(connection.recheckAt, clock.now())
      await sweep()
      for (const connection of [...connections]) await admission.check(connection)
    },
    start(): () => void {
      const ticks = setInterval(() => {
        const now = clock.now()
        for (const connection of connections) check(connection, now)
      }, TICK_INTERVAL_MS)
      const sweeps = setInterval(
        () => logged(sweepOnce(), 'failed to check conversations for missed changes'),
        SWEEP_INTERVAL_MS,
      )
      return () => {
        clearInterval(ticks)
        clearInterval(sweeps)
      }
    },
  }
}
